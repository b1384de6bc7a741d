import { Readable } from 'node:stream'
import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { FxRate } from '../../src/core/currency.ts'
import type { CsvSource } from '../../src/workspace/csv/text.ts'
import { importFxRates } from '../../src/workspace/exchange-rates/import/csv.ts'

const HISTORY =
  'Date,USD,JPY,CYP,\n2025-03-04,1.0557,157.21,N/A,\n2025-03-03,1.0465,157.69,N/A,\n2007-12-31,1.4721,164.93,0.585274,\n'

/** The rows that an import of a text or of bytes stores. */
async function load(source: CsvSource, into: string | undefined, { maxBytes = 1_000_000, since = '' } = {}) {
  const rates: FxRate[] = []
  const upsert = async (given: Iterable<FxRate> | AsyncIterable<FxRate>) => {
    for await (const rate of given) rates.push(rate)
    return rates.length
  }
  const fxRates = { upsert, list: async () => rates, ratesInto: async () => rates }
  return { ...(await importFxRates(source, { fxRates }, { maxBytes, into, since })), rates }
}

const pieces = (bytes: Uint8Array, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      Buffer.from(bytes.subarray(index * size, index * size + size)),
    ),
  )
const encoded = (text: string) => new TextEncoder().encode(text)

describe("the European Central Bank's file (D11)", () => {
  it('is stored as cross rates by way of EUR, exact to 12 decimals; a currency not quoted on a day has none', async () => {
    const { rates, ...counts } = await load(HISTORY, 'USD')
    expect(counts).toEqual({ rows_read: 3, rows_upserted: 7, rows_rejected: [], rows_rejected_total: 0 })
    // 1.0557 / 157.21 = 0.00671522167800…, 1.0465 / 157.69 = 0.00663643858202…, 1.4721 / 0.585274 = 2.51523218184987…
    expect(rates).toEqual([
      { date: '2025-03-04', from: 'EUR', to: 'USD', rate: '1.0557' },
      { date: '2025-03-04', from: 'JPY', to: 'USD', rate: '0.006715221678' },
      { date: '2025-03-03', from: 'EUR', to: 'USD', rate: '1.0465' },
      { date: '2025-03-03', from: 'JPY', to: 'USD', rate: '0.006636438582' },
      { date: '2007-12-31', from: 'EUR', to: 'USD', rate: '1.4721' },
      { date: '2007-12-31', from: 'JPY', to: 'USD', rate: '0.008925604802' },
      { date: '2007-12-31', from: 'CYP', to: 'USD', rate: '2.51523218185' },
    ])
  })

  it('into EUR rates are inverted, half away from zero', async () => {
    const { rates } = await load('Date,USD,XAA,\n2025-03-04,1.6,2000000000000,\n', 'EUR')
    expect(rates).toEqual([
      { date: '2025-03-04', from: 'USD', to: 'EUR', rate: '0.625' },
      { date: '2025-03-04', from: 'XAA', to: 'EUR', rate: '0.000000000001' },
    ])
  })

  it('a day without a rate of the target stores nothing; since leaves earlier days out', async () => {
    expect((await load(HISTORY, 'CYP')).rates.map(({ date, from }) => `${date} ${from}`)).toEqual([
      '2007-12-31 EUR',
      '2007-12-31 USD',
      '2007-12-31 JPY',
    ])
    const late = await load(HISTORY, 'USD', { since: '2025-03-04' })
    expect(late).toMatchObject({ rows_read: 3, rows_upserted: 2 })
  })

  it('names what cannot be read, by row and currency, and stores the rest', async () => {
    const text = 'Date,USD,JPY,\n04 Brumaire 2025,1.0557,157.21,\n2025-03-03,1.0465,-1,\n2025-03-02,x,157.69,\n'
    const { rates, rows_rejected } = await load(text, 'USD')
    expect(rows_rejected).toEqual([
      { row: 1, reason: 'date must be a day YYYY-MM-DD from 1900-01-01 on' },
      { row: 2, reason: 'JPY: rate must be a positive decimal number such as 1.0837' },
      { row: 3, reason: 'USD: rate must be a positive decimal number such as 1.0837' },
    ])
    expect(rates).toEqual([{ date: '2025-03-03', from: 'EUR', to: 'USD', rate: '1.0465' }])
  })

  it('needs a currency to convert into, which the file must have', async () => {
    await expect(load(HISTORY, undefined)).rejects.toMatchObject({ code: 'invalid_value', issues: [{ where: 'params.to' }] })
    await expect(load(HISTORY, 'ABC')).rejects.toMatchObject({ code: 'invalid_csv', context: { column: 'ABC' } })
  })

  it.each([1, 7, 100_000])('is read from a ZIP archive that arrives in pieces of %s bytes', async (size) => {
    const archive = zipSync({ 'read.me': encoded('about'), 'eurofxref-hist.csv': encoded(HISTORY) })
    expect(await load(pieces(archive, size), 'USD')).toMatchObject({ rows_read: 3, rows_upserted: 7 })
    expect(await load(pieces(encoded(HISTORY), size), 'USD')).toMatchObject({ rows_read: 3, rows_upserted: 7 })
  })

  it('an archive that is damaged, holds no or two CSV files, or grows beyond the limit is refused', async () => {
    const archive = zipSync({ 'a.csv': encoded(HISTORY) })
    const refused = async (bytes: Uint8Array, maxBytes?: number) =>
      load(pieces(bytes, 64), 'USD', { ...(maxBytes === undefined ? {} : { maxBytes }) }).then(
        () => 'taken',
        (error: unknown) => (error as { code: string }).code,
      )
    expect(await refused(archive)).toBe('taken')
    expect(await refused(archive.subarray(0, 60))).toBe('invalid_csv')
    const changed = zipSync({ 'a.csv': encoded(HISTORY) }, { level: 0 })
    changed[Buffer.from(changed).indexOf('1.0557')] = '9'.charCodeAt(0)
    expect(await refused(changed)).toBe('invalid_csv')
    expect(await refused(zipSync({ 'a.txt': encoded(HISTORY) }))).toBe('invalid_csv')
    expect(await refused(zipSync({ 'a.csv': encoded(HISTORY), 'b.csv': encoded(HISTORY) }))).toBe('invalid_csv')
    const bomb = zipSync({ 'a.csv': encoded(`${HISTORY}${'\n'.repeat(100_000)}`) })
    expect(bomb.length).toBeLessThan(1_000)
    expect(await refused(bomb, 10_000)).toBe('payload_too_large')
  })

  it('of an archive with many files none but the first is extracted; what macOS adds is none', async () => {
    const many = zipSync(
      Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`${index}.csv`, new Uint8Array(10_000_000)])),
      { level: 1 },
    )
    const before = process.memoryUsage().arrayBuffers
    const refused = await load(pieces(many, 100_000), 'USD', { maxBytes: 20_000_000 }).catch((error: unknown) => error)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(45_000_000)
    expect(refused).toMatchObject({ message: 'The ZIP archive must hold exactly one CSV file, but holds 8.' })
    const packed = zipSync({ 'a.csv': encoded(HISTORY), '__MACOSX/._a.csv': encoded('\0') })
    expect(await load(pieces(packed, 64), 'USD')).toMatchObject({ rows_read: 3, rows_upserted: 7 })
  })
})
