import type { FxRate } from '../../../core/currency.ts'
import type { FxRateStore, RateImportOptions, RateImportResult, RateRejection } from '../../../ports/fx-rate-store.ts'
import { type CsvRecord, csvRecords, withPoint } from '../../csv/records.ts'
import type { CsvSource } from '../../csv/text.ts'
import { unzipped } from '../../csv/unzipped.ts'
import { isPortalHeader, isWideHeader, pairRates, portalRates, type RateReader, wideRates } from './rows.ts'

const MAX_REJECTED = 1_000
/** Columns that identify the header of both kinds of files. */
const HEADER_MARKS = ['date', 'Date', 'TIME_PERIOD']
/** The end of the message about an XML file. */
const INSTEAD =
  ' The European Central Bank offers the same rates as CSV: use the ZIP file eurofxref-hist.zip, or run `plumbline fx fetch ecb`.'

interface FxImportOptions extends RateImportOptions {
  readonly maxBytes: number
}

/**
 * Stores the exchange rates of a CSV file, plain or in a ZIP archive, streamed and in one transaction (D11). The file has the
 * columns `date`, `from`, `to`, `rate` in any order, or is a file of the European Central Bank: with a column per currency, or from its data portal.
 * Invalid rates are left out and reported. If the file has two rates for the same day and pair, the later rate counts. After an
 * error nothing is written: AppError `invalid_csv` or `payload_too_large` for a malformed file, `invalid_value` for a wide file
 * without `into` and `base`.
 */
export async function importFxRates(
  source: CsvSource,
  store: { readonly fxRates: FxRateStore },
  { maxBytes, into, base, since = '', separator, encoding }: FxImportOptions,
): Promise<RateImportResult> {
  let rowsRead = 0
  const rejected: RateRejection[] = []
  let rejectedTotal = 0

  async function* accepted(records: AsyncIterable<CsvRecord>, { read, finish }: Reading): AsyncGenerator<FxRate> {
    let last = 0
    for await (const { row, cells, separator: by } of records) {
      rowsRead += 1
      last = row
      yield* taken(read(cells.map((cell) => withPoint(cell, by))), row)
    }
    yield* taken(finish?.() ?? [], last)
  }

  function* taken(found: readonly (FxRate | string)[], row: number): Generator<FxRate> {
    for (const rate of found) {
      if (typeof rate !== 'string') {
        if (rate.date >= since) yield rate
        continue
      }
      rejectedTotal += 1
      if (rejected.length < MAX_REJECTED) rejected.push({ row, reason: rate })
    }
  }

  const records = csvRecords(unzipped(source, maxBytes), {
    maxBytes,
    trim: true,
    separator,
    encoding,
    marks: HEADER_MARKS,
    instead: INSTEAD,
  })
  try {
    // Read the header before the transaction begins, because `base` may ask another database.
    const { value: header } = await records.next()
    const read = await readerOf(header?.cells ?? [])
    const rowsUpserted = await store.fxRates.upsert(accepted(records, read))
    return { rows_read: rowsRead, rows_upserted: rowsUpserted, rows_rejected: rejected, rows_rejected_total: rejectedTotal }
  } finally {
    await records.return(undefined)
  }

  async function readerOf(header: readonly string[]): Promise<Reading> {
    if (isPortalHeader(header)) {
      const { take, finish } = portalRates(header, into ?? (await base?.()))
      return { read: (cells) => [take(cells) ?? []].flat(), finish }
    }
    return { read: isWideHeader(header) ? wideRates(header, into ?? (await base?.())) : pairRates(header) }
  }
}

interface Reading {
  readonly read: RateReader
  /** The rates that follow from all rows together. */
  readonly finish?: () => readonly (FxRate | string)[]
}
