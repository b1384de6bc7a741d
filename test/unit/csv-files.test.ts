import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { CsvForm } from '../../src/core/csv-form.ts'
import type { FxRate } from '../../src/core/currency.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { csvRecords } from '../../src/workspace/csv/records.ts'
import { importFxRates } from '../../src/workspace/exchange-rates/import/csv.ts'

type Content = string | Uint8Array

/** Rows of a file that arrives in pieces of `size` bytes, with its delimiter; or the refusal. */
async function read(content: Content, form: CsvForm = {}, { size = 5, marks = ['external'], trim = false } = {}) {
  const bytes = Buffer.from(content)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, at * size + size))
  const rows: (readonly string[])[] = []
  let separator: string | undefined
  try {
    for await (const record of csvRecords(Readable.from(pieces), { ...form, maxBytes: 100_000, trim, marks })) {
      rows.push(record.cells)
      separator = record.separator
    }
    return { rows, separator }
  } catch (error) {
    const { code, message, context } = error as { code: string; message: string; context: object }
    return { code, message, context }
  }
}

const refused = (message: RegExp) => ({ code: 'invalid_csv', message: expect.stringMatching(message), context: {} })
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16()
const TEXT = 'external,name\na,Müller & Söhne – 5 €\n'
const ROWS = [
  ['external', 'name'],
  ['a', 'Müller & Söhne – 5 €'],
]

describe('delimiters of a CSV file', () => {
  it.each([
    ['commas', 'external,b\nx,1;2\n', ',', ['x', '1;2']],
    ['semicolons', 'external;b\nx;1,2\n', ';', ['x', '1,2']],
    ['tabs', 'external\tb\nx\t1,2\n', '\t', ['x', '1,2']],
    ['semicolons and quotes', '"external";"a,b"\n"x;y";1\n', ';', ['x;y', '1']],
    ['commas where a name has a semicolon', 'external,"a;b"\nx,1\n', ',', ['x', '1']],
    ['semicolons where a name has commas', 'external;a,b,c\nx;1\n', ';', ['x', '1']],
    ['lines and blanks before the header', '\n;;\nexternal;b\nx;1\n', ';', ['x', '1']],
    ['one column', 'external\nx\n', ',', ['x']],
  ])('is found: %s', async (_what, text, separator, row) => {
    expect(await read(text)).toMatchObject({ separator, rows: [expect.anything(), row] })
  })

  it('is named by the line of Excel, or by the sender, whatever the header looks like', async () => {
    const rows = [
      ['external', 'b'],
      ['x', '1,2'],
    ]
    expect(await read('sep=;\r\nexternal;b\r\nx;1,2\r\n')).toEqual({ separator: ';', rows })
    expect(await read('\ufeff"sep=\t"\nexternal\tb\nx\t1,2\n')).toEqual({ separator: '\t', rows })
    expect(await read('a;b,c\nx;y,z\n', { separator: ',' })).toMatchObject({
      rows: [
        ['a;b', 'c'],
        ['x;y', 'z'],
      ],
    })
    expect(await read('sep=,\nexternal;b\n', { separator: ';' })).toEqual(
      refused(/names the comma as separator, but the request names the semicolon/),
    )
    expect(await read('sep=|\nexternal|b\n')).toEqual(refused(/"sep=\|", names no separator .* comma, semicolon, tab/))
  })

  it('is refused by name where the header leaves a choice', async () => {
    expect(await read('a;b,c\nx;y,z\n')).toEqual(refused(/divided by comma and by semicolon\. Name the separator \(--separator/))
    expect(await read('a;b,external;c,d\n', {}, { marks: ['a', 'd'] })).toEqual(refused(/Name the separator/))
  })

  it('blanks around cells are left out between tabs, too, and an empty cell stays one', async () => {
    expect(await read('external\tb\tc\n x \t\t 1\n', {}, { trim: true })).toMatchObject({
      rows: [expect.anything(), ['x', '', '1']],
    })
  })
})

describe('the encoding of a CSV file', () => {
  it.each([1, 2, 3, 5, 1_000])('is that of its byte order mark, in pieces of %s bytes', async (size) => {
    for (const bytes of [Buffer.from(`\ufeff${TEXT}`), Buffer.from(`\ufeff${TEXT}`, 'utf16le'), bigEndian(`\ufeff${TEXT}`)]) {
      expect(await read(bytes, {}, { size })).toMatchObject({ rows: ROWS })
    }
  })

  it('is the one that is named', async () => {
    expect(await read(Buffer.from(TEXT, 'utf16le'), { encoding: 'utf-16le' })).toMatchObject({ rows: ROWS })
    expect(await read(bigEndian(TEXT), { encoding: 'utf-16be' })).toMatchObject({ rows: ROWS })
    const windows = Buffer.from(TEXT.replace('–', '\u0096').replace('€', '\u0080'), 'latin1')
    expect(await read(windows, { encoding: 'windows-1252' })).toMatchObject({ rows: ROWS })
    expect(await read(TEXT, { encoding: 'utf-8' })).toMatchObject({ rows: ROWS })
  })

  it('is refused by name, with the remedy, where the bytes are of another one', async () => {
    const windows = Buffer.from('external,name\na,M\u00fcller\n', 'latin1')
    expect(await read(windows)).toEqual(
      refused(/is not UTF-8 text\. Save it as UTF-8, or name its encoding \(--encoding, .* utf-16le, utf-16be, windows-1252/),
    )
    expect(await read(Buffer.from(TEXT, 'utf16le'))).toEqual(refused(/looks like utf-16le without a byte order mark/))
    expect(await read(bigEndian(TEXT))).toEqual(refused(/looks like utf-16be without a byte order mark/))
    expect(await read(Buffer.from(`\ufeff${TEXT}`, 'utf16le'), { encoding: 'windows-1252' })).toEqual(
      refused(/mark of utf-16le, but the request names the encoding windows-1252/),
    )
    expect(await read(Buffer.from(`\ufeff${TEXT}`, 'utf16le').subarray(0, 41))).toEqual(refused(/is not UTF-16LE text/))
    expect(await read(Buffer.from([...Buffer.from('external,b\nx,'), 0x81]), { encoding: 'windows-1252' })).toEqual(
      refused(/is not Windows-1252 text/),
    )
    expect(await read(Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]))).toEqual(refused(/is UTF-32 text/))
    expect(await read('')).toEqual(refused(/is empty/))
  })
})

describe('traces of spreadsheets', () => {
  it('rows without a value and columns without a name are left out, and rows keep their numbers', async () => {
    const text = 'external,b,,\nx,1,,\n,,,\n\ny,2\n,,,,,\nz,3,, ,\n'
    expect(await read(text)).toMatchObject({
      rows: [
        ['external', 'b', '', ''],
        ['x', '1', '', ''],
        ['y', '2'],
        ['z', '3', '', ' ', ''],
      ],
    })
    expect(await read('external,b,\nx,1,\n,,\ny,2,lost\n')).toMatchObject({
      ...refused(/Row 3 has a value in column 3, which has no name in the header/),
      context: { row: 3 },
    })
    expect(await read('external,b\nx,1,,lost\n')).toMatchObject({
      ...refused(/Row 1 has 4 cells, the header 2/),
      context: { row: 1 },
    })
    expect(await read(',,\n,,\n')).toEqual(refused(/is empty/))
  })
})

describe("the European Central Bank's file of one day", () => {
  const file = readFileSync(join(packageRoot(), 'fixtures/files/ecb-daily.csv'))
  const load = async (content: Content, form: CsvForm = {}) => {
    const rates: FxRate[] = []
    const upsert = async (given: AsyncIterable<FxRate> | Iterable<FxRate>) => {
      for await (const rate of given) rates.push(rate)
      return rates.length
    }
    const fxRates = { upsert, list: async () => rates, ratesInto: async () => rates }
    const source = Readable.from([Buffer.from(content)])
    return { ...(await importFxRates(source, { fxRates }, { ...form, maxBytes: 1_000_000, into: 'USD' })), rates }
  }

  it.each([
    ['plain', file],
    ['zipped', zipSync({ 'eurofxref.csv': file })],
  ])('is read like its history, %s', async (_how, content) => {
    const { rates, ...counts } = await load(content)
    expect(counts).toEqual({ rows_read: 1, rows_upserted: 30, rows_rejected: [], rows_rejected_total: 0 })
    expect(rates.slice(0, 2)).toEqual([
      { date: '2026-11-20', from: 'EUR', to: 'USD', rate: '1.1398' },
      // 1.1398 / 162.75
      { date: '2026-11-20', from: 'JPY', to: 'USD', rate: '0.007003379416' },
    ])
  })

  it('a day that is none is named', async () => {
    const text = 'Date, USD, JPY\n31 November 2026, 1.1, 160\n3 Nov 2026, 1.1, 160\n3 March 2026, 1.1, 160\n'
    const { rates, rows_rejected } = await load(text)
    expect(rates.map(({ date }) => date)).toEqual(['2026-03-03', '2026-03-03'])
    expect(rows_rejected.map(({ row }) => row)).toEqual([1, 2])
  })

  it('rates with a decimal comma are read where semicolons divide cells, unless the comma may separate thousands', async () => {
    const { rates, rows_rejected } = await load('date;from;to;rate\n2026-01-01;EUR;USD;1,0837\n2026-01-02;EUR;KRW;1,083\n')
    expect(rates).toEqual([{ date: '2026-01-01', from: 'EUR', to: 'USD', rate: '1.0837' }])
    expect(rows_rejected).toEqual([{ row: 2, reason: 'rate must be a positive decimal number such as 1.0837' }])
  })
})

describe("files of the European Central Bank's data portal", () => {
  const file = readFileSync(join(packageRoot(), 'fixtures/files/ecb-data-portal.csv'), 'utf8')
  const load = async (content: string, into = 'USD') => {
    const rates: FxRate[] = []
    const upsert = async (given: AsyncIterable<FxRate> | Iterable<FxRate>) => {
      for await (const rate of given) rates.push(rate)
      return rates.length
    }
    const fxRates = { upsert, list: async () => rates, ratesInto: async () => rates }
    return { ...(await importFxRates(content, { fxRates }, { maxBytes: 1_000_000, into })), rates }
  }

  it('have a row per currency and day, and give the rates of that day', async () => {
    const { rates, ...counts } = await load(file)
    expect(counts).toEqual({ rows_read: 3, rows_upserted: 3, rows_rejected: [], rows_rejected_total: 0 })
    expect(rates).toEqual([
      { date: '2026-08-06', from: 'EUR', to: 'USD', rate: '1.1500' },
      { date: '2026-08-07', from: 'EUR', to: 'USD', rate: '1.1534' },
      // 1.1534 / 0.8650
      { date: '2026-08-07', from: 'GBP', to: 'USD', rate: '1.333410404624' },
    ])
    // 1 / 1.15, and no rate of a day without dollars.
    expect((await load(file, 'EUR')).rates[0]).toEqual({ date: '2026-08-06', from: 'USD', to: 'EUR', rate: '0.869565217391' })
    await expect(load(file, 'NOK')).rejects.toMatchObject({ code: 'invalid_csv', message: 'The file has no rates of NOK.' })
  })

  it('are refused row by row where they are no daily reference rates', async () => {
    const rows = [
      'EXR.M.USD.EUR.SP00.A,M,USD,EUR,SP00,A,2026-07,1.1534',
      'EXR.D.USD.GBP.SP00.A,D,USD,GBP,SP00,A,2026-08-07,1.3',
      'EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-08-10,NaN',
      'EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-08-11,x',
    ]
    const { rates, rows_rejected } = await load(`${file}${rows.join('\n')}\n`)
    expect(rates.map(({ date }) => date)).toEqual(['2026-08-06', '2026-08-07', '2026-08-07'])
    expect(rows_rejected).toEqual([
      { row: 4, reason: 'FREQ must be D: only daily reference rates of the euro are read' },
      { row: 5, reason: 'CURRENCY_DENOM must be EUR: only daily reference rates of the euro are read' },
      { row: 7, reason: 'rate must be a positive decimal number such as 1.0837' },
    ])
  })

  it('are refused as XML, with what to use instead', async () => {
    const xml =
      '\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<gesmes:Envelope><Cube currency="USD" rate="1.15"/></gesmes:Envelope>\n'
    await expect(load(xml)).rejects.toMatchObject({
      code: 'invalid_csv',
      message: expect.stringMatching(
        /^The file is XML or HTML, not CSV\. .*eurofxref-hist\.zip, or run `plumbline fx fetch ecb`\.$/,
      ),
    })
    expect(await read('<html>\n<body>\n')).toEqual(refused(/^The file is XML or HTML, not CSV\.$/))
  })
})
