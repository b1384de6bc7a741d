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

type Rows = readonly Readonly<Record<string, unknown>>[]

/** Columns that name a row for people. Where one of them is filled in every row, ids say nothing more. */
const NAMES = ['customer_name', 'name', 'number']

/** The columns without those that only identify a row: ids, addresses, keys of the engine, and a tenant that all rows share. */
export function briefColumns(columns: readonly string[], rows: Rows): readonly string[] {
  const isFilled = (name: string) => columns.includes(name) && rows.every((row) => (row[name] ?? '') !== '')
  const isNamed = NAMES.some(isFilled)
  const isShared = (name: string) => new Set(rows.map((row) => row[name])).size === 1
  const isOfMachines = (name: string) =>
    name === 'source_id' ||
    name === 'admin_url' ||
    (name === 'tenant' && isShared(name)) ||
    (isNamed && name !== 'plan_id' && /(^|_)ids?$|^bundle_external_key$/.test(name))
  return columns.filter((name) => !isOfMachines(name))
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
