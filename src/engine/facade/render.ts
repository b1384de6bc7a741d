import { stringify } from 'csv-stringify/sync'

/** The part of an answer that becomes a body. */
export interface Renderable {
  readonly data: unknown
  readonly kind: 'scalar' | 'object' | 'rows' | 'page'
  readonly columns: readonly string[]
}

/** The JSON body, the same bytes from every facade. */
export function renderJson(data: unknown): string {
  return JSON.stringify(data)
}

/**
 * The CSV body (RFC 4180): header row always, null empty, nested values as JSON text. A scalar or object is one row, a page
 * its rows. Text that a
 * spreadsheet would run as a formula gets a leading apostrophe; numbers, negative ones too, stay as they are.
 */
export function renderCsv(answer: Renderable): string {
  const records = recordsOf(answer).map((record) => answer.columns.map((column) => cell(record[column])))
  return stringify(records, {
    header: true,
    columns: answer.columns.map((column) => ({ key: column, header: guardFormula(column) })),
    record_delimiter: 'windows',
    // A single empty cell would be an empty line, which readers skip.
    quoted_empty: answer.columns.length === 1,
  })
}

function recordsOf(answer: Renderable): readonly Readonly<Record<string, unknown>>[] {
  if (answer.kind === 'scalar') return [{ [answer.columns[0] ?? 'value']: answer.data }]
  const rows = answer.kind === 'object' ? [answer.data] : answer.kind === 'page' ? pageRows(answer.data) : answer.data
  return Array.isArray(rows) ? rows : []
}

function pageRows(page: unknown): unknown {
  return typeof page === 'object' && page !== null && 'rows' in page ? page.rows : []
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return guardFormula(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function guardFormula(text: string): string {
  return /^[=+\-@]/.test(text) ? `'${text}` : text
}
