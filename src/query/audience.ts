import type { Condition } from './condition.ts'
import { conditionsIn, type SegmentCondition, type SegmentGroup } from './segment.ts'

/** A segment that a request compares. */
export interface Branch {
  readonly segment_id: string
  readonly segment_name: string
  readonly tree: SegmentGroup
}

/** The customers whose facts count in a request; they are found once (D62). */
export interface Audience {
  /** Filters on attributes, all of which must hold. */
  readonly conditions: readonly Condition[]
  /** The segment outside which nobody counts. */
  readonly segment: SegmentGroup | undefined
  /** The segments compared, in the order asked for: a customer counts if it is in any. */
  readonly branches: readonly Branch[]
  /** True where the answer has rows for each branch; else it is one answer for the customers of any branch. */
  readonly splits: boolean
  /** The stretches of subscriptions that hold just before this instant decide; it is the end of `at` or of the range. */
  readonly before: Date
}

/** Every condition that decides whether a customer counts. */
export function audienceConditions({
  conditions,
  segment,
  branches,
}: Pick<Audience, 'conditions' | 'segment' | 'branches'>): readonly SegmentCondition[] {
  const trees = [...(segment === undefined ? [] : [segment]), ...branches.map(({ tree }) => tree)]
  const filters = conditions.map((condition): SegmentCondition => ({ kind: 'condition', level: 'attribute', condition }))
  return [...filters, ...trees.flatMap(conditionsIn)]
}

/** The same without where they stand; none without an audience. */
export function audienceFilters(audience: Audience | undefined): readonly Condition[] {
  return audience === undefined ? [] : audienceConditions(audience).map(({ condition }) => condition)
}

/** True when base amounts decide who is in, so that rates are needed (D14). */
export function audienceReadsBase(audience: Audience | undefined): boolean {
  return audienceFilters(audience).some(({ field }) => field.readsBase)
}
