import { AppError } from '../../core/errors.ts'

/** What decides how large an answer may be: the part of a context that says so. */
export interface SizeLimits {
  readonly limits: { readonly max_rows: number }
  enlarge?(rows: number): void
}

/** Rows that are nothing but zeros are left out of an answer: a tally may be so many times as large as what is shown of it. */
const TALLIED_PER_ROW = 4

/** AppError `result_too_large` before rows are made that would be too many, `overloaded` where large answers have to wait. */
export function checkSize(context: SizeLimits, rows: number): void {
  const { max_rows } = context.limits
  if (rows > max_rows) throw tooLarge(rows, max_rows)
  context.enlarge?.(rows)
}

/** The same before groups are tallied in more periods than any answer could show. */
export function checkTallied(context: SizeLimits, cells: number): void {
  const { max_rows } = context.limits
  if (cells > TALLIED_PER_ROW * max_rows) throw tooLarge(cells, max_rows)
  context.enlarge?.(cells)
}

function tooLarge(rows: number, limit: number): AppError {
  return new AppError('result_too_large', `The answer has ${rows} rows; the limit is ${limit}.`, { context: { limit } })
}
