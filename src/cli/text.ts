import { styleText } from 'node:util'
import type { Answer } from '../engine/engine.ts'
import { cellText, figureLines } from './figures.ts'
import { isCohortMatrix, matrixLines } from './matrix-text.ts'
import { unitOf } from './numbers.ts'
import { tableLines } from './table.ts'

type Row = Readonly<Record<string, unknown>>

/** An answer for people: a figure with its currency, a list of figures, or an aligned table. `bold` marks headers where a terminal shows it. */
export function answerText({ data, kind, columns, meta }: Answer, bold: boolean): string {
  const currency = meta.base_currency
  if (kind === 'scalar') return `${scalarText(data, columns[0] ?? 'value', currency)}\n`
  if (kind === 'object') return `${figureLines(data as Row, columns, currency).join('\n')}\n`
  const records: readonly Row[] = Array.isArray(data) ? data : []
  if (records.length > 0 && isCohortMatrix(columns)) return withHeader(matrixLines(records, columns), bold)
  return recordsText(records, columns, { currency, bold })
}

/** Records as a table; `currency` is that of amounts, unless each row names its own. */
export function recordsText(
  records: readonly Row[],
  columns: readonly string[],
  options: { readonly currency?: string; readonly bold: boolean },
): string {
  if (records.length === 0) return '(no rows)\n'
  const currency = columns.includes('currency') ? undefined : options.currency
  const shape = columns.map((column) => {
    const isNumber = records.every((record) => record[column] === null || typeof record[column] === 'number')
    return { title: titleOf(column, isNumber, currency), align: isNumber ? ('right' as const) : ('left' as const) }
  })
  const cells = records.map((record) => columns.map((column) => cellText(record[column], column)))
  return withHeader(tableLines(shape, cells), options.bold)
}

// People are shown units of the currency, not the cents of the wire.
function titleOf(column: string, isNumber: boolean, currency: string | undefined): string {
  if (!isNumber || unitOf(column) !== 'money') return column
  const name = column.replace(/(_base)?_cents$/, '')
  return currency === undefined ? name : `${name} (${currency})`
}

function withHeader([header = '', ...lines]: readonly string[], bold: boolean): string {
  return [bold ? styleText('bold', header) : header, ...lines, ''].join('\n')
}

function scalarText(value: unknown, column: string, currency: string): string {
  const text = cellText(value, column)
  return typeof value === 'number' && unitOf(column) === 'money' ? `${text} ${currency}` : text
}
