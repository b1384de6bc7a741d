import type { CellValue } from 'hucre/xlsx'
import { currencyDigits } from '../../../core/currency.ts'

/** Formats of days and instants as a spreadsheet shows them. */
export const DAY_FORMAT = 'yyyy-mm-dd'
export const INSTANT_FORMAT = 'yyyy-mm-dd hh:mm:ss'

const MOST_CHARACTERS = 32_767
/** The first day that spreadsheets know. */
const FIRST_DAY = '1900-03-01'

/** What a cell of an answer becomes, by what its column holds. Text stays text, whatever it begins with. */
export function cellOf(value: unknown, holds: string): CellValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value !== 'string') return textCell(JSON.stringify(value))
  if (holds === 'amount') return Number(value)
  const isTime = (holds === 'day' || holds === 'instant') && value >= FIRST_DAY
  return isTime ? new Date(value) : textCell(value)
}

/** Text as one cell can hold it; `_x0041_` would be read as an escaped character, and two characters make a file that is no XML. */
export function textCell(text: string): string {
  const possible = text.slice(0, MOST_CHARACTERS).replaceAll(/[\ufffe\uffff]/g, '\ufffd')
  return possible.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
}

/** Format of amounts in units of a currency, with its decimals. */
export function amountFormat(currency: string): string {
  const digits = currencyDigits(currency)
  return digits === 0 ? '#,##0' : `#,##0.${'0'.repeat(digits)}`
}
