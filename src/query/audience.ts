import type { Condition } from './condition.ts'
import { conditionsIn, type SegmentCondition, type SegmentGroup } from './segment.ts'

/** A segment that a request compares. */
export interface Branch {
  readonly segment_id: string
  readonly segment_name: string
  readonly tree: SegmentGroup
}

/** The customers whose facts count in a request. A request finds them once (D62). */
export interface Audience {
  /** Filters on attributes, all of which must hold. */
  readonly conditions: readonly Condition[]
  /** Only customers of this segment count. */
  readonly segment: SegmentGroup | undefined
  /** The compared segments in request order. A customer counts if it is in any of them. */
  readonly branches: readonly Branch[]
  /** True if the answer has rows for each branch; false if there is one answer for the customers of any branch. */
  readonly splits: boolean
  /** Conditions are evaluated on the spans just before this instant: the end of `at` or of the range. */
  readonly before: Date
}

/** All conditions that decide if a customer counts. */
export function audienceConditions({
  conditions,
  segment,
  branches,
}: Pick<Audience, 'conditions' | 'segment' | 'branches'>): readonly SegmentCondition[] {
  const trees = [...(segment === undefined ? [] : [segment]), ...branches.map(({ tree }) => tree)]
  const filters = conditions.map((condition): SegmentCondition => ({ kind: 'condition', level: 'attribute', condition }))
  return [...filters, ...trees.flatMap(conditionsIn)]
}

/** All conditions of the audience without their level; none without an audience. */
export function audienceFilters(audience: Audience | undefined): readonly Condition[] {
  return audience === undefined ? [] : audienceConditions(audience).map(({ condition }) => condition)
}

/** True if membership depends on base amounts, so that rates are needed (D14). */
export function audienceReadsBase(audience: Audience | undefined): boolean {
  return audienceFilters(audience).some(({ field }) => field.readsBase)
}
