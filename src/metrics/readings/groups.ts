import { AppError } from '../../core/errors.ts'
import { exactly } from '../../core/too-large.ts'
import { integerCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import type { DimensionValue } from '../../query/dimension-value.ts'
import type { AnswerRow, MetricContext } from './context.ts'

/** A group of an answer with its measures in each period; one entry if the answer has no periods. */
export interface PeriodGroup<Measures = AnswerRow> {
  readonly values: readonly DimensionValue[]
  readonly measures: readonly Measures[]
}

/** A row before it is arranged: its sort values, keys, dimensions and measures. */
export interface KeyedRow<Keys = AnswerRow, Measures = AnswerRow> {
  /** Sort values of the key columns; a number for a column with a special order. */
  readonly order: readonly DimensionValue[]
  readonly keys: Keys
  readonly values: readonly DimensionValue[]
  readonly measures: Measures
}

/** The part of a context that limits the size of answers. */
export interface SizeLimits {
  readonly limits: { readonly max_rows: number }
  enlarge?(rows: number): void
}

/** Rows of zeros are left out of answers, so a tally may be larger than the answer by this factor. */
const TALLIED_PER_ROW = 4

/** Checks the number of rows before they are built. AppError `result_too_large`, or `overloaded` if large answers have to wait. */
export function checkSize(context: SizeLimits, rows: number): void {
  const { max_rows } = context.limits
  if (rows > max_rows) throw tooLarge(rows, max_rows)
  context.enlarge?.(rows)
}

/** Checks the number of cells of a tally, groups times periods. AppError `result_too_large` or `overloaded`. */
export function checkTallied(context: SizeLimits, cells: number): void {
  const { max_rows } = context.limits
  if (cells > TALLIED_PER_ROW * max_rows) throw tooLarge(cells, max_rows)
  context.enlarge?.(cells)
}

/** AppError `result_too_large`. */
export function tooLarge(rows: number, limit: number): AppError {
  return new AppError(
    'result_too_large',
    `The answer has ${rows} rows; the limit is ${limit}. Narrow the range, or ask for fewer rows with "limit".`,
    { context: { limit } },
  )
}

/** Adds a column of a row to a sum; null counts as 0. AppError `result_too_large` beyond 2^53. */
export function addCents(sum: number, row: Row, column: string): number {
  return exactly(sum + integerCell(row, column), column, row)
}

/** Tallies of one combination of dimensions, by period. */
export interface TalliedGroup<Tally> {
  readonly values: readonly DimensionValue[]
  readonly periods: readonly Tally[]
}

/** Tallies by group and period, to which the rows of a statement are added. */
interface GroupTally<Tally> {
  /** The mutable tally of a group in a period; undefined for a period outside the answer. */
  of(values: readonly DimensionValue[], period: number): Tally | undefined
  /** The groups in order of first use. */
  groups(): readonly TalliedGroup<Tally>[]
}

/**
 * An empty tally. `nothing` creates the start value of a group in each period. With `context`, a tally far larger than any answer is refused
 * with AppError `result_too_large`.
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

/** Data of one combination of dimensions. */
export interface Group {
  readonly values: readonly DimensionValue[]
}

/**
 * The groups of an answer (http-api.md 1.6). Without dimensions there is exactly one, or one per compared segment. With dimensions, there are
 * those for which `isShown` is true; in a comparison, each of them in every segment. `nothing` creates a group without rows.
 */
export function completeGroups<G extends Group>(
  { request }: Pick<MetricContext, 'request'>,
  groups: readonly G[],
  isShown: (group: G) => boolean,
  nothing: (values: readonly DimensionValue[]) => G,
): readonly G[] {
  const { compared, dimensions } = request
  const hasOwn = dimensions.length > Math.min(compared.length, 1)
  const shown = groups.filter(isShown)
  if (hasOwn && compared.length === 0) return shown
  const byKey = new Map(groups.map((group) => [JSON.stringify(group.values), group]))
  const combinations = hasOwn ? distinct(shown.map(({ values }) => values.slice(1))) : [[]]
  const wanted = compared.length === 0 ? combinations : compared.flatMap((id) => combinations.map((values) => [id, ...values]))
  return wanted.map((values) => byKey.get(JSON.stringify(values)) ?? nothing(values))
}

function distinct(lists: readonly (readonly DimensionValue[])[]): readonly (readonly DimensionValue[])[] {
  return [...new Map(lists.map((list) => [JSON.stringify(list), list])).values()]
}
