import type { Condition } from './condition.ts'
import { conditionsIn, type SegmentCondition, type SegmentGroup } from './segment.ts'

/** A segment that a request compares. */
export interface Branch {
  readonly segment_id: string
  readonly tree: SegmentGroup
}

/** Whose facts count: a set of customers, found once per request (D62). */
export interface Audience {
  /** Filters on attributes; all of them hold. */
  readonly conditions: readonly Condition[]
  /** The segment that narrows everything. */
  readonly segment: SegmentGroup | undefined
  /** The segments compared, in the order asked for: a customer counts if it is in any. */
  readonly branches: readonly Branch[]
  /** The answer has rows of its own for each branch; else it is one answer for all of them. */
  readonly splits: boolean
  /** Instant just before which the stretches of subscriptions are looked at: the end of `at` or of the range. */
  readonly before: Date
}

/** Every condition that decides who is in. */
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
