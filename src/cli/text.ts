import { styleText } from 'node:util'
import type { Answer } from '../engine/engine.ts'
import { formatNumber, unitOf } from './numbers.ts'
import { tableLines } from './table.ts'

const NOTHING = '–'

/** An answer for people: a figure with its currency, or an aligned table. `bold` marks the header where a terminal shows it. */
export function answerText(answer: Answer, bold: boolean): string {
  const currency = answer.meta.base_currency
  if (answer.kind === 'scalar') return `${scalarText(answer.data, answer.columns[0] ?? 'value', currency)}\n`
  const records = answer.kind === 'object' ? [answer.data] : answer.data
  return recordsText(Array.isArray(records) ? records : [], answer.columns, { currency, bold })
}

/** Records as a table; `currency` is that of amounts, unless each row names its own. */
export function recordsText(
  records: readonly Readonly<Record<string, unknown>>[],
  columns: readonly string[],
  options: { readonly currency?: string; readonly bold: boolean },
): string {
  if (records.length === 0) return '(no rows)\n'
  const ownCurrency = columns.includes('currency') || options.currency === undefined
  const shape = columns.map((column) => {
    const isNumber = records.every((record) => record[column] === null || typeof record[column] === 'number')
    const title = isNumber && !ownCurrency && unitOf(column) === 'money' ? `${column} (${options.currency})` : column
    return { title, align: isNumber ? ('right' as const) : ('left' as const) }
  })
  const cells = records.map((record) => columns.map((column) => cellText(record[column], column)))
  const [header = '', ...lines] = tableLines(shape, cells)
  return [options.bold ? styleText('bold', header) : header, ...lines, ''].join('\n')
}

function scalarText(value: unknown, column: string, currency: string): string {
  const text = cellText(value, column)
  return typeof value === 'number' && unitOf(column) === 'money' ? `${text} ${currency}` : text
}

function cellText(value: unknown, column: string): string {
  if (value === null || value === undefined) return NOTHING
  if (typeof value === 'number') return formatNumber(value, unitOf(column))
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
