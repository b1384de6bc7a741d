import { exactly } from '../../core/too-large.ts'
import { integerCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'

/** A sum and the number in a column of a row, null for 0. AppError `result_too_large` beyond 2^53. */
export function addCents(sum: number, row: Row, column: string): number {
  return exactly(sum + integerCell(row, column), column, row)
}
