import { clipped } from '../../core/text.ts'

/** Most rows of one answer. The model can request more with `offset`. */
export const MOST_ROWS = 50

const MOST_CHARACTERS = 300

/** Rows as lines with cells separated by bars, below a header line. Columns that are empty in all rows are left out. */
export function tableText(columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string {
  const filled = columns.filter((column) => rows.some((row) => row[column] !== null && row[column] !== undefined))
  const shown = filled.length === 0 ? columns : filled
  const lines = rows.map((row) => shown.map((column) => cellText(row[column])).join(' | '))
  return [shown.join(' | '), ...lines].join('\n')
}

/** A value on one line. Text that could look like the end of a cell or line is written as JSON. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'object') return clipped(JSON.stringify(value), MOST_CHARACTERS)
  const text = clipped(String(value), MOST_CHARACTERS)
  return /[|\p{Cc}\u2028\u2029]|^\s|\s$|^$/u.test(text) ? JSON.stringify(text) : text
}

/** The row count, and `rest` if more rows follow. */
export function countText(shown: number, offset: number, total: number, rest: string): string {
  if (shown === total) return `${total} ${total === 1 ? 'row' : 'rows'} in all.`
  const rows = shown === 0 ? 'None shown' : `Rows ${offset + 1} to ${offset + shown} shown`
  return `${rows} of ${total} in all.${offset + shown < total ? ` ${rest}` : ''}`
}
