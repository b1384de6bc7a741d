import { Big } from 'big.js'
import type { FxRate } from '../../../core/currency.ts'
import { AppError } from '../../../core/errors.ts'
import { isDay } from '../../../core/periods.ts'
import { headerError } from '../../csv/records.ts'

const COLUMNS = ['date', 'from', 'to', 'rate']
const FIRST_DAY = '1900-01-01'
const WHOLE_DIGITS = 15
/** Decimals to keep. Every database can store this many, so that answers do not depend on the database. */
const DECIMALS = 12

/** The rates of a row. If a rate cannot be stored, the reason takes its place. */
export type RateReader = (cells: readonly string[]) => readonly (FxRate | string)[]

/**
 * Reads rows with the columns `date`, `from`, `to`, `rate`. Other columns are allowed. AppError `invalid_csv` if one of the four is
 * missing.
 */
export function pairRates(header: readonly string[]): RateReader {
  const missing = COLUMNS.filter((name) => !header.includes(name))
  if (missing[0] !== undefined) {
    throw headerError(
      `The header lacks ${missing.join(', ')}: the columns ${COLUMNS.join(', ')} are required, or those of a file of the European Central Bank: Date and currencies, or the columns of its data portal.`,
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

/** Why a text is not a valid day of a rate. Undefined if it is valid. */
function dayFault(date: string): string | undefined {
  return !isDay(date) || date < FIRST_DAY ? `date must be a day YYYY-MM-DD from ${FIRST_DAY} on` : undefined
}

function isCurrency(code: string): boolean {
  return /^[A-Z]{3}$/.test(code)
}

/** Why a text is not a rate that can be stored. Undefined if it is valid. */
function rateFault(rate: string): string | undefined {
  if (!/^\d+(\.\d+)?$/.test(rate) || !/[1-9]/.test(rate)) return 'rate must be a positive decimal number such as 1.0837'
  const [whole = '', decimals = ''] = rate.split('.')
  if (decimals.replace(/0+$/, '').length > DECIMALS) return `rate may have ${DECIMALS} decimals at most`
  if (whole.replace(/^0+/, '').length > WHOLE_DIGITS) return `rate may have ${WHOLE_DIGITS} digits before the point at most`
  return undefined
}

const PIVOT = 'EUR'
/** Texts that the bank writes if it did not quote a currency on that day. */
const ABSENT = ['', 'N/A', 'NaN']

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

// Half up equals half away from zero here, because no rate is negative (D8).
const Rounded = Big()
Rounded.DP = DECIMALS
Rounded.RM = Big.roundHalfUp

/** True for the header of the European Central Bank's reference rates: `Date`, then currencies. */
export function isWideHeader(header: readonly string[]): boolean {
  const [first, ...others] = header.filter((name) => name !== '')
  return first === 'Date' && others.length > 0 && others.every(isCurrency)
}

/**
 * Reads rows that hold the price of one euro in each currency on a day. Turns them into rates into the currency `into` (D11). The
 * rate of EUR is used unchanged. Other currencies get the cross rate through EUR, divided exactly and rounded once to 12
 * decimals, half away from zero. If the bank did not quote one of the two currencies on a day, that day has no rate. Cross rates
 * are computed here and not per answer, so that they can be listed and corrected (docs/decisions.md 53). AppError `invalid_value`
 * without a currency to convert into, `invalid_csv` if the file lacks it.
 */
export function wideRates(header: readonly string[], into: string | undefined): RateReader {
  if (into === undefined) throw nothingToConvertInto()
  const place = header.indexOf(into)
  if (into !== PIVOT && place < 0) throw headerError(`The file has no rates of ${into}.`, into)
  const columns = header.flatMap((currency, index) => (isCurrency(currency) && currency !== into ? [{ currency, index }] : []))

  return (cells) => {
    const date = dayOf(cells[0] ?? '')
    const day = dayFault(date)
    if (day !== undefined) return [day]
    const target = into === PIVOT ? '1' : (cells[place] ?? '')
    if (ABSENT.includes(target)) return []
    const wrong = rateFault(target)
    if (wrong !== undefined) return [`${into}: ${wrong}`]
    const crossed = columns.flatMap(({ currency, index }) => {
      const quoted = cells[index] ?? ''
      return ABSENT.includes(quoted) ? [] : [crossRate(date, currency, into, target, quoted)]
    })
    return into === PIVOT ? crossed : [{ date, from: PIVOT, to: into, rate: target }, ...crossed]
  }
}

/** Columns of the European Central Bank's data portal, and the series of its daily reference rates. */
const PORTAL = ['FREQ', 'CURRENCY', 'CURRENCY_DENOM', 'EXR_TYPE', 'EXR_SUFFIX', 'TIME_PERIOD', 'OBS_VALUE'] as const
const DAILY: Readonly<Partial<Record<(typeof PORTAL)[number], string>>> = {
  FREQ: 'D',
  CURRENCY_DENOM: 'EUR',
  EXR_TYPE: 'SP00',
  EXR_SUFFIX: 'A',
}

/** True for the header of a CSV file of the data portal's dataset EXR: one row per currency and day. */
export function isPortalHeader(header: readonly string[]): boolean {
  return PORTAL.every((name) => header.includes(name))
}

/** A reader of a file whose rates follow from several rows. */
export interface CollectingReader {
  /** Takes a row. Returns why it cannot be used; undefined if it can. */
  take(cells: readonly string[]): string | undefined
  /** The rates of all rows. */
  finish(): readonly (FxRate | string)[]
}

/** Reads the daily reference rates of the data portal, and turns them into rates into the currency `into` as `wideRates` does. */
export function portalRates(header: readonly string[], into: string | undefined): CollectingReader {
  if (into === undefined) throw nothingToConvertInto()
  const days = new Map<string, Map<string, string>>()
  const currencies = new Set<string>()
  const cellOf = (cells: readonly string[], name: (typeof PORTAL)[number]) => cells[header.indexOf(name)] ?? ''
  return {
    take(cells) {
      const other = PORTAL.find((name) => DAILY[name] !== undefined && cellOf(cells, name) !== DAILY[name])
      if (other !== undefined) return `${other} must be ${DAILY[other]}: only daily reference rates of the euro are read`
      const [currency, day, value] = [cellOf(cells, 'CURRENCY'), cellOf(cells, 'TIME_PERIOD'), cellOf(cells, 'OBS_VALUE')]
      if (!isCurrency(currency)) return 'CURRENCY must be a currency code of three capital letters'
      const wrong = dayFault(day) ?? (ABSENT.includes(value) ? undefined : rateFault(value))
      if (wrong !== undefined) return wrong
      currencies.add(currency)
      days.set(day, (days.get(day) ?? new Map<string, string>()).set(currency, value))
      return undefined
    },
    finish() {
      const names = [...currencies].sort()
      const read = wideRates(['Date', ...names], into)
      return [...days].flatMap(([day, quoted]) => read([day, ...names.map((name) => quoted.get(name) ?? '')]))
    },
  }
}

function nothingToConvertInto(): AppError {
  const message = 'The file has rates of the euro. Name the currency to convert them into, or set definitions.base_currency.'
  const issue = { code: 'invalid_value' as const, where: 'params.to', message, did_you_mean: [] }
  return new AppError('invalid_value', message, { issues: [issue] })
}

/** A day in the format of the bank's history file. Its daily file writes `20 November 2026`. */
function dayOf(text: string): string {
  const [, day = '', name = '', year = ''] = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(text) ?? []
  const month = MONTHS.indexOf(name) + 1
  return month === 0 ? text : `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
}

function crossRate(date: string, from: string, to: string, target: string, quoted: string): FxRate | string {
  const rate = rateFault(quoted) === undefined ? new Rounded(target).div(quoted).toFixed() : quoted
  const fault = rateFault(rate)
  return fault === undefined ? { date, from, to, rate } : `${from}: ${fault}`
}
