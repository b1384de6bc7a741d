import type { FxRate } from '../../../core/currency.ts'
import { isDay } from '../../../core/periods.ts'
import { headerError } from '../../csv/csv-stream.ts'

const COLUMNS = ['date', 'from', 'to', 'rate']
const FIRST_DAY = '1900-01-01'
const WHOLE_DIGITS = 15
/** As many digits as every database keeps of a bound decimal, so that an answer does not depend on where the data is. */
export const DECIMALS = 12

/** The rates of a row, and in their place a sentence for each one that cannot be stored. */
export type RateReader = (cells: readonly string[]) => readonly (FxRate | string)[]

/** Reads rows of the columns `date`, `from`, `to`, `rate`; others are allowed. AppError `invalid_csv` when one of them is missing. */
export function pairRates(header: readonly string[]): RateReader {
  const missing = COLUMNS.filter((name) => !header.includes(name))
  if (missing[0] !== undefined) {
    throw headerError(
      `The header lacks ${missing.join(', ')}: the columns ${COLUMNS.join(', ')} are required, or those of the European Central Bank's file: Date and currencies.`,
      missing[0],
    )
  }
  const [date, from, to, rate] = COLUMNS.map((name) => header.indexOf(name))
  return (cells) => {
    const cell = (place = -1) => cells[place] ?? ''
    const read: FxRate = { date: cell(date), from: cell(from), to: cell(to), rate: cell(rate) }
    return [fault(read) ?? read]
  }
}

function fault({ date, from, to, rate }: FxRate): string | undefined {
  const day = dayFault(date)
  if (day !== undefined) return day
  if (!isCurrency(from)) return 'from must be a currency code of three capital letters'
  if (!isCurrency(to)) return 'to must be a currency code of three capital letters'
  if (from === to) return 'from and to must differ'
  return rateFault(rate)
}

/** Why a text is no day of a rate; undefined when it is one. */
export function dayFault(date: string): string | undefined {
  return !isDay(date) || date < FIRST_DAY ? `date must be a day YYYY-MM-DD from ${FIRST_DAY} on` : undefined
}

export function isCurrency(code: string): boolean {
  return /^[A-Z]{3}$/.test(code)
}

/** Why a text is no rate that can be stored; undefined when it is one. */
export function rateFault(rate: string): string | undefined {
  if (!/^\d+(\.\d+)?$/.test(rate) || !/[1-9]/.test(rate)) return 'rate must be a positive decimal number such as 1.0837'
  const [whole = '', decimals = ''] = rate.split('.')
  if (decimals.replace(/0+$/, '').length > DECIMALS) return `rate may have ${DECIMALS} decimals at most`
  if (whole.replace(/^0+/, '').length > WHOLE_DIGITS) return `rate may have ${WHOLE_DIGITS} digits before the point at most`
  return undefined
}
