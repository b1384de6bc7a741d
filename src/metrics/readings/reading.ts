import type { DimensionValue } from '../../query/dimension-value.ts'
import type { AnswerRow } from './context.ts'

/** A group of an answer with its measures in each period; one entry where the answer is not cut into periods. */
export interface PeriodGroup<Measures = AnswerRow> {
  readonly values: readonly DimensionValue[]
  readonly measures: readonly Measures[]
}

/** A row before it is written: the values it is sorted by, and its measures. */
export interface KeyedRow<Keys = AnswerRow, Measures = AnswerRow> {
  /** Values of the key columns; a number where a column has an order of its own. */
  readonly order: readonly DimensionValue[]
  readonly keys: Keys
  readonly values: readonly DimensionValue[]
  readonly measures: Measures
}

export { checkSize } from './size.ts'
