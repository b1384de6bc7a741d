import { stringify } from 'csv-stringify/sync'
import { amountColumns, type Renderable, tableOf } from './table.ts'

/** The JSON body, the same bytes from every facade. */
export function renderJson(data: unknown): string {
  return JSON.stringify(data)
}

/**
 * The CSV body (RFC 4180): header row always, null empty, nested values as JSON text. Text that a spreadsheet would run as a formula, also
 * after it has left out the tab or the end of a line that the text begins with, gets a leading apostrophe; numbers, negative ones too, stay as
 * they are, and so do amounts in units.
 */
export function renderCsv(answer: Renderable): string {
  const amounts = amountColumns(answer)
  const isAmount = answer.columns.map((column) => amounts.has(column))
  const records = tableOf(answer).map((row) => row.map((value, index) => cell(value, isAmount[index] === true)))
  return stringify(records, {
    header: true,
    columns: answer.columns.map((column) => ({ key: column, header: guardFormula(column) })),
    record_delimiter: 'windows',
    // Half of an end of a line is one to many readers, who would take what follows for another row.
    quoted_match: /[\r\n]/,
    // A single empty cell would be an empty line, which readers skip.
    quoted_empty: answer.columns.length === 1,
  })
}

function cell(value: unknown, isAmount: boolean): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return isAmount ? value : guardFormula(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function guardFormula(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
}
