import { createReadStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/ports/store.ts'
import type { CsvSource } from '../../src/workspace/csv/text.ts'
import { importFxRates } from '../../src/workspace/exchange-rates/import/csv.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { type StorePlace, storePlace } from '../support/databases/store-places.ts'

let place: StorePlace
let store: Store

beforeAll(async () => {
  place = await storePlace('postgres')
  store = createStore({ url: place.url, schema: 'side', baseDirectory: '/' })
  await store.open()
})

beforeEach(async () => void (await place.query('truncate side.fx_rate')))

afterAll(async () => {
  await store.close()
  await place.remove()
})

const load = (source: CsvSource, maxBytes = 1_000_000) => importFxRates(source, store, { maxBytes })
const bytes = (...pieces: (string | number[])[]) =>
  Readable.from(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece))))

describe('import of exchange rates', () => {
  it('reads columns in any order, with BOM, quotes, blanks, CRLF, empty lines and columns of no interest', async () => {
    const text =
      '\uFEFFrate, note,to,date,"from"\r\n1.1,"a ""note""\nover lines",USD,2024-01-31,EUR\r\n\r\n "0.0070" ,,USD,2024-02-01, JPY\r\n'
    expect(await load(text)).toEqual({ rows_read: 2, rows_upserted: 2, rows_rejected: [], rows_rejected_total: 0 })
    expect(await store.fxRates.list()).toEqual([
      { date: '2024-01-31', from: 'EUR', to: 'USD', rate: '1.1' },
      { date: '2024-02-01', from: 'JPY', to: 'USD', rate: '0.007' },
    ])
  })

  it('reads a stream whose pieces end anywhere, even inside a character', async () => {
    const source = bytes('date,from,to,rate,not', [0xc3], [0xa9, 0x0a], '2024-01-31,EU', 'R,USD,1.1,', [0xe2, 0x82], [0xac])
    expect(await load(source)).toEqual({ rows_read: 1, rows_upserted: 1, rows_rejected: [], rows_rejected_total: 0 })
  })

  it('takes the later of two rows for one day and pair, also far apart', async () => {
    const filler = Array.from(
      { length: 1_500 },
      (_, day) => `${new Date(day * 86_400_000).toISOString().slice(0, 10)},GBP,USD,1.5`,
    )
    const rows = ['date,from,to,rate', '2024-01-31,EUR,USD,1', '2024-01-31,EUR,USD,2', ...filler, '2024-01-31,EUR,USD,3']
    expect(await load(rows.join('\n'))).toMatchObject({ rows_read: 1_503, rows_upserted: 1_503 })
    expect((await store.fxRates.list()).filter((rate) => rate.from === 'EUR')).toEqual([
      { date: '2024-01-31', from: 'EUR', to: 'USD', rate: '3' },
    ])
  })

  it('leaves out bad rows, each with its reason, and takes the others', async () => {
    const day = 'date must be a day YYYY-MM-DD from 1900-01-01 on'
    const positive = 'rate must be a positive decimal number such as 1.0837'
    const bad: [row: string, reason: string][] = [
      ['31.01.2024,EUR,USD,1.1', day],
      ['2023-02-29,EUR,USD,1.1', day],
      ['1899-12-31,EUR,USD,1.1', day],
      [',EUR,USD,1.1', day],
      ['2024-01-31,eur,USD,1.1', 'from must be a currency code of three capital letters'],
      ['2024-01-31,EUR,DOLLAR,1.1', 'to must be a currency code of three capital letters'],
      ['2024-01-31,USD,USD,1', 'from and to must differ'],
      ['2024-01-31,EUR,USD,0', positive],
      ['2024-01-31,EUR,USD,0.000', positive],
      ['2024-01-31,EUR,USD,-1.1', positive],
      ['2024-01-31,EUR,USD,1e3', positive],
      ['2024-01-31,EUR,USD,"1,1"', positive],
      ['2024-01-31,EUR,USD,NaN', positive],
      ['2024-01-31,EUR,USD', positive],
      ['2024-01-31,EUR,USD,0.0000000000001', 'rate may have 12 decimals at most'],
      ['2024-01-31,EUR,USD,1234567890123456', 'rate may have 15 digits before the point at most'],
    ]
    const good = '2024-01-31,EUR,USD,0001.1000000000000000000'
    const result = await load(['date,from,to,rate', ...bad.map(([row]) => row), good].join('\n'))
    expect(result).toEqual({
      rows_read: bad.length + 1,
      rows_upserted: 1,
      rows_rejected: bad.map(([, reason], index) => ({ row: index + 1, reason })),
      rows_rejected_total: bad.length,
    })
    expect(await store.fxRates.list()).toEqual([{ date: '2024-01-31', from: 'EUR', to: 'USD', rate: '1.1' }])
  })

  it('lists a thousand bad rows at most, and counts them all', async () => {
    const result = await load(`date,from,to,rate\n${'x,EUR,USD,1\n'.repeat(1_200)}`)
    const { rows_read, rows_upserted, rows_rejected, rows_rejected_total } = result
    expect([rows_read, rows_upserted, rows_rejected.length, rows_rejected_total]).toEqual([1_200, 0, 1_000, 1_200])
  })

  const many = Array.from({ length: 700 }, (_, index) => `2024-01-01,EUR,USD,1.${index + 1}`).join('\n')
  const malformed: [what: string, file: () => CsvSource, context: object][] = [
    ['nothing at all', () => '', {}],
    ['no header', () => '2024-01-31,EUR,USD,1.1\n', { column: 'date' }],
    ['a missing column', () => `date,from,rate\n${many}`, { column: 'to' }],
    ['a column twice', () => `date,from,to,rate,rate\n${many}`, { column: 'rate' }],
    ['a quote inside the header', () => `date,fr"om,to,rate\n${many}`, {}],
    ['a row longer than the header', () => `date,from,to,rate\n${many}\n2024-01-31,EUR,USD,1.1,x\n`, { row: 701 }],
    ['a quote inside a cell', () => `date,from,to,rate\n${many}\n2024-01-31,E"UR,USD,1.1\n`, { row: 701, column: 'from' }],
    ['a quote that never closes', () => `date,from,to,rate\n${many}\n2024-01-31,"EUR,USD,1.1\n`, { row: 701, column: 'from' }],
    ['bytes that are not UTF-8', () => bytes(`date,from,to,rate\n${many}\n`, [0x32, 0xff, 0x0a]), {}],
    ['a character cut off at the end', () => bytes(`date,from,to,rate\n${many}\n`, [0xe2, 0x82]), {}],
    ['a directory', () => createReadStream(tmpdir()), {}],
  ]
  it.each(malformed)('refuses %s and writes nothing', async (_what, file, context) => {
    await expect(load(file())).rejects.toEqual(expect.objectContaining({ code: 'invalid_csv', context }))
    expect(await store.fxRates.list()).toEqual([])
  })

  it('refuses a file beyond the limit and writes nothing', async () => {
    const file = `date,from,to,rate\n${many}\n`
    const pieces = Array.from({ length: Math.ceil(file.length / 1_000) }, (_, index) =>
      file.slice(index * 1_000, index * 1_000 + 1_000),
    )
    const refused = load(bytes(...pieces), file.length - 1)
    await expect(refused).rejects.toMatchObject({ code: 'payload_too_large', context: { limit_bytes: file.length - 1 } })
    expect(await store.fxRates.list()).toEqual([])
    expect(await load(bytes(...pieces), file.length)).toMatchObject({ rows_upserted: 700 })
  })

  it('asks for the base currency where the file needs it alone, and before anything is written', async () => {
    let asked = 0
    const base = async () => {
      asked += 1
      return 'GBP'
    }
    const take = (csv: string, into?: string) => importFxRates(csv, store, { maxBytes: 1_000, into, base })
    expect(await take('date,from,to,rate\n2024-01-31,EUR,USD,1.1\n')).toMatchObject({ rows_upserted: 1 })
    expect(await take('Date,USD\n2024-01-31,1.1\n', 'USD')).toMatchObject({ rows_upserted: 1 })
    expect(asked).toBe(0)
    expect(await take('Date,GBP,\n2024-01-31,0.8,\n')).toMatchObject({ rows_upserted: 1 })
    expect(asked).toBe(1)
    const away = async () => Promise.reject(new Error('the billing database is away'))
    await expect(importFxRates('Date,GBP\n2024-01-31,0.9\n', store, { maxBytes: 1_000, base: away })).rejects.toThrow('is away')
    expect(await store.fxRates.list({ to: ['GBP'] })).toEqual([{ date: '2024-01-31', from: 'EUR', to: 'GBP', rate: '0.8' }])
  })

  it('lets go of the source when the store fails', async () => {
    const off = createStore({ url: 'none', schema: 'side', baseDirectory: '/' })
    await expect(importFxRates('date,from,to,rate\n', off, { maxBytes: 100 })).rejects.toMatchObject({
      code: 'unsupported_by_connector',
    })
    const source = bytes(`date,from,to,rate\n${many}\n`, '2024-01-31,EUR,USD,1.1\n')
    await place.query('alter table side.fx_rate add constraint never check (rate < 1)')
    await expect(load(source)).rejects.toThrow('a statement of the store failed')
    expect(source.destroyed).toBe(true)
    await place.query('alter table side.fx_rate drop constraint never')
  })
})
