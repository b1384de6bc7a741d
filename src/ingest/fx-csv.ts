import type { FxRate } from '../core/fx-rate.ts'
import { isDay } from '../core/periods.ts'
import type { FxRateStore } from '../engine/ports.ts'
import { csvRows } from './csv-rows.ts'
import type { CsvSource } from './csv-stream.ts'

const COLUMNS = ['date', 'from', 'to', 'rate']
const FIRST_DAY = '1900-01-01'
const WHOLE_DIGITS = 15
// No more than SQL on any engine keeps of a bound decimal: an answer must not depend on where the data is.
const DECIMALS = 12
const MAX_REJECTED = 1_000

/** What an import of rates did. `rows_upserted` counts accepted rows; `rows_rejected` is cut at 1,000. */
export interface FxImportResult {
  readonly rows_read: number
  readonly rows_upserted: number
  readonly rows_rejected: readonly FxRejection[]
}

/** A row that was left out; `row` counts from 1 after the header. */
export interface FxRejection {
  readonly row: number
  readonly reason: string
}

/**
 * Stores the exchange rates of a CSV file with the columns `date`, `from`, `to`, `rate` in any order (D11), streamed and in one
 * transaction. A bad row is left out and reported; of two rows for the same day and pair the later wins. AppError `invalid_csv`
 * or `payload_too_large` for a file that is malformed as a whole: then nothing is written.
 */
export async function importFxRates(
  source: CsvSource,
  store: { readonly fxRates: FxRateStore },
  { maxBytes }: { readonly maxBytes: number },
): Promise<FxImportResult> {
  let rowsRead = 0
  const rejected: FxRejection[] = []

  async function* accepted(): AsyncGenerator<FxRate> {
    for await (const row of csvRows(source, COLUMNS, maxBytes)) {
      rowsRead += 1
      const rate = { date: row.cell('date'), from: row.cell('from'), to: row.cell('to'), rate: row.cell('rate') }
      const reason = fault(rate)
      if (reason === undefined) yield rate
      else if (rejected.length < MAX_REJECTED) rejected.push({ row: row.row, reason })
    }
  }

  const rowsUpserted = await store.fxRates.upsert(accepted())
  return { rows_read: rowsRead, rows_upserted: rowsUpserted, rows_rejected: rejected }
}

function fault({ date, from, to, rate }: FxRate): string | undefined {
  if (!isDay(date) || date < FIRST_DAY) return `date must be a day YYYY-MM-DD from ${FIRST_DAY} on`
  if (!isCurrency(from)) return 'from must be a currency code of three capital letters'
  if (!isCurrency(to)) return 'to must be a currency code of three capital letters'
  if (from === to) return 'from and to must differ'
  return rateFault(rate)
}

function isCurrency(code: string): boolean {
  return /^[A-Z]{3}$/.test(code)
}

function rateFault(rate: string): string | undefined {
  if (!/^\d+(\.\d+)?$/.test(rate) || !/[1-9]/.test(rate)) return 'rate must be a positive decimal number such as 1.0837'
  const [whole = '', decimals = ''] = rate.split('.')
  if (decimals.replace(/0+$/, '').length > DECIMALS) return `rate may have ${DECIMALS} decimals at most`
  if (whole.replace(/^0+/, '').length > WHOLE_DIGITS) return `rate may have ${WHOLE_DIGITS} digits before the point at most`
  return undefined
}
