import type { DimensionValue } from '../../query/dimension-value.ts'
import { checkTallied, type SizeLimits } from './size.ts'

/** What has been added up for one combination of dimensions, by period. */
export interface TalliedGroup<Tally> {
  readonly values: readonly DimensionValue[]
  readonly periods: readonly Tally[]
}

/** Tallies by group and period, to which the rows of a statement are added. */
export interface GroupTally<Tally> {
  /** The tally of a group in a period, to be added to; undefined for a period that the answer does not have. */
  of(values: readonly DimensionValue[], period: number): Tally | undefined
  /** The groups in the order in which they were met. */
  groups(): readonly TalliedGroup<Tally>[]
}

/**
 * An empty tally; `nothing` makes what a group starts from in each of the periods. With `context` a tally that is far larger than any answer
 * is refused before it is made. AppError `result_too_large`.
 */
export function tallyGroups<Tally>(periods: number, nothing: () => Tally, context?: SizeLimits): GroupTally<Tally> {
  const groups = new Map<string, TalliedGroup<Tally>>()
  return {
    of(values, period) {
      const key = JSON.stringify(values)
      const known = groups.get(key)
      if (known !== undefined) return known.periods[period]
      if (context !== undefined) checkTallied(context, (groups.size + 1) * periods)
      const group = { values, periods: Array.from({ length: periods }, nothing) }
      groups.set(key, group)
      return group.periods[period]
    },
    groups: () => [...groups.values()],
  }
}
