import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { type ExpenseStore, noChanges } from '../../src/ports/expense-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { importExpenses } from '../../src/workspace/expenses/import/csv.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { ALL } from '../support/data/book-records.ts'
import { HOSTILE_TEXTS } from '../support/data/hostile-texts.ts'
import { ownedIn, STORE_SERVERS, type StorePlace, storePlaces } from '../support/databases/store-places.ts'

const HEADER = 'id,date,vendor,account,account_type,amount,currency'
const WIDE = `${HEADER},kind,status,payment_type,line_id,description,due_date,balance,class,department,project`
const MOST_BYTES = 1_000_000

describe.each(storePlaces([...STORE_SERVERS, 'sqlite']))('files of expenses in a store on %s', (_kind, makePlace) => {
  let place: StorePlace
  let store: Store
  let names = 0
  let seconds = 0

  beforeAll(async () => {
    place = await makePlace()
    store = createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
  })
  afterAll(async () => {
    await store.close()
    await place.remove()
  })

  const freshBooks = (): ExpenseStore => ownedIn(store, { name: `w${++names}`, source_ids: [] }).expenses
  const at = () => new Date(Date.UTC(2026, 0, 1, 0, 0, ++seconds)).toISOString()
  const put = (books: ExpenseStore, csv: string, source = 'bank') =>
    importExpenses(csv, { source }, { store: books, at: at() }, MOST_BYTES)
  const refusal = async (books: ExpenseStore, csv: string, source?: string) => {
    const error = await put(books, csv, source).catch((thrown: unknown) => thrown)
    if (!(error instanceof AppError)) throw error
    return error
  }

  it('keeps documents with their lines, vendors and accounts', async () => {
    const books = freshBooks()
    const csv = [
      WIDE,
      'B1,2026-01-10,Lawyers LLP,Legal,expense,1000,EUR,bill,partial,,1,advice,2026-02-10,500.5,Ops,Berlin,Move',
      'B1,2026-01-10,Lawyers LLP,Travel,expense,-0.5,EUR,bill,partial,,,,2026-02-10,500.5,,,',
      'E1,2026-01-11,,,,1200,JPY,,,credit_card,,,,,,,',
      '',
    ].join('\r\n')
    expect(await put(books, csv)).toEqual({
      source_id: 'csv-bank',
      rows_read: 3,
      documents: 2,
      changed: { ...noChanges(), vendor: 1, account: 2, bill: 1, expense: 1 },
    })
    expect((await books.lines(ALL)).rows).toMatchObject([
      { document_id: 'E1', line_id: '1', vendor_id: null, account_id: null, account_type: null, amount: { cents: 120_000 } },
      {
        ...{ document_id: 'B1', line_id: '1', vendor_name: 'Lawyers LLP', account_name: 'Legal', account_type: 'expense' },
        ...{ description: 'advice', class: 'Ops', department: 'Berlin', project: 'Move', source_id: 'csv-bank' },
        amount: { cents: 100_000, currency: 'EUR', day: '2026-01-10' },
      },
      { document_id: 'B1', line_id: '2', account_name: 'Travel', amount: { cents: -50 } },
    ])
    expect((await books.bills(ALL)).rows).toMatchObject([
      { id: 'B1', status: 'partial', due_date: '2026-02-10', total: { cents: 99_950 }, payable: { cents: 50_050 } },
    ])
    expect(await ownedIn(store, { name: `w${names}`, source_ids: [] }).sources.list()).toMatchObject([
      { id: 'csv-bank', type: 'csv', name: 'bank', status: 'connected' },
    ])
  })

  it('replaces a document of the same id, also one of the other kind, and changes nothing the second time', async () => {
    const books = freshBooks()
    const first = `${HEADER},kind,status\nX,2026-01-01,V,A,cogs,1,USD,bill,open\nX,2026-01-01,V,A,cogs,2,USD,bill,open\n`
    await put(books, first)
    expect((await put(books, first)).changed).toEqual(noChanges())
    const second = `${HEADER}\nX,2026-01-02,V,A,cogs,7,USD\n`
    expect((await put(books, second)).changed).toEqual({ ...noChanges(), expense: 1 })
    expect((await books.bills(ALL)).total).toBe(0)
    expect((await books.lines(ALL)).rows.map(({ amount }) => amount.cents)).toEqual([700])
    await put(books, first)
    expect((await books.lines(ALL)).rows.map(({ amount }) => amount.cents)).toEqual([100, 200])
  })

  it('of two imports the later one holds, though the clock of its machine is behind, also within a millisecond', async () => {
    const books = freshBooks()
    const putAt = (at: string, csv: string) => importExpenses(csv, { source: 'bank' }, { store: books, at }, MOST_BYTES)
    const [late, early] = ['2026-03-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']
    const asExpense = `${HEADER},kind\nX,2026-01-10,,,,1,USD,expense\n`
    const asBill = `${HEADER},kind\nX,2026-01-10,,,,2,USD,bill\n`
    for (const at of [late, early, early]) {
      await putAt(at, asExpense)
      expect((await books.lines(ALL)).rows).toMatchObject([{ document_kind: 'expense', amount: { cents: 100 } }])
      await putAt(at, asBill)
      expect((await books.lines(ALL)).rows).toMatchObject([{ document_kind: 'bill', amount: { cents: 200 } }])
    }
  })

  it('leaves out blanks around a cell, also within quotes', async () => {
    const books = freshBooks()
    await put(books, `${HEADER}\n" X ", 2026-01-01 ,"V ",A," cogs",1,USD\n`)
    expect((await books.lines(ALL)).rows).toMatchObject([{ document_id: 'X', vendor_id: 'V', account_type: 'cogs' }])
  })

  it('keeps the type of an account that a later file says nothing of, and takes another one', async () => {
    const books = freshBooks()
    const typeAfter = async (id: string, type: string) => {
      await put(books, `${HEADER}\n${id},2026-01-01,V,Hosting,${type},1,USD\n`)
      return new Set((await books.lines(ALL)).rows.map(({ account_type }) => account_type))
    }
    expect(await typeAfter('a', '')).toEqual(new Set([null]))
    expect(await typeAfter('b', 'cogs')).toEqual(new Set(['cogs']))
    expect(await typeAfter('c', '')).toEqual(new Set(['cogs']))
    expect(await typeAfter('d', 'expense')).toEqual(new Set(['expense']))
  })

  it.each([
    ['semicolons and a decimal comma', 'expenses-semicolon.csv'],
    ['UTF-16', 'expenses-utf16le.csv'],
    ['columns without a name', 'expenses-trailing-columns.csv'],
    ['rows without a value', 'expenses-trailing-rows.csv'],
  ])('reads what spreadsheets write: %s', async (_what, name) => {
    const books = freshBooks()
    const file = createReadStream(join(packageRoot(), 'fixtures/files', name))
    const result = await importExpenses(file, { source: 'bank' }, { store: books, at: at() }, MOST_BYTES)
    expect(result).toMatchObject({ rows_read: 1, documents: 1 })
    expect((await books.lines(ALL)).rows).toMatchObject([
      {
        document_id: 'E-1',
        vendor_name: 'Müller & Söhne GmbH',
        account_name: 'Büro',
        amount: { cents: 12_050, currency: 'EUR' },
      },
    ])
  })

  it('reads amounts with zeros at their end, and refuses what may be thousands', async () => {
    const books = freshBooks()
    const rows = ['a;120.500;USD', 'b;120,5000;USD', 'c;1000.00;JPY', 'd;1.2340;KWD', 'e;-7,50;EUR', 'f;1,2340;KWD']
    const [rest, header] = [';2026-01-01;;;', HEADER.replaceAll(',', ';')]
    const line = (row: string) => row.replace(';', `${rest};`)
    await put(books, [header, ...rows.map(line)].join('\n'))
    const { rows: kept } = await books.lines({ ...ALL })
    const cents = Object.fromEntries(kept.map(({ document_id, amount }) => [document_id, amount.cents]))
    expect(cents).toEqual({ a: 12_050, b: 12_050, c: 100_000, d: 123, e: -750, f: 123 })
    const bad = ['a;1,234;KWD', 'b;1.234,50;EUR', 'c;1,234.50;EUR', 'd;1,234;USD', 'e;1000.50;JPY', 'f;1 000,00;EUR']
    const error = await refusal(books, [header, ...bad.map(line)].join('\n'))
    expect(error.issues?.map(({ where }) => where)).toEqual([1, 2, 3, 4, 5, 6].map((row) => `body.file[${row}].amount`))
    expect(error.issues?.[0]?.message).toMatch(/no separators of thousands; with exactly three decimals it needs a point/)
    const comma = await refusal(books, `${HEADER}\nX,2026-01-01,V,A,cogs,"120,50",USD\n`)
    expect(comma.issues?.map(({ where }) => where)).toEqual(['body.file[1].amount'])
  })

  it('names a document whose total is too large to be counted', async () => {
    const rows = Array.from({ length: 10 }, () => 'X,2026-01-01,V,A,cogs,9999999999999.99,USD')
    const error = await refusal(freshBooks(), `${HEADER}\n${rows.join('\n')}\n`)
    expect(error).toMatchObject({ code: 'invalid_csv', issues: [{ where: 'body.file[10].amount' }] })
  })

  it('names everything that is wrong at once, with row and column, and writes nothing', async () => {
    const books = freshBooks()
    const csv = [
      WIDE,
      'ok,2026-01-01,V,A,cogs,1,USD,,,,,,,,,,',
      ',2026-02-30,V,A,costs,"1,000",usd,invoice,opened,wire,,,,,,,',
      'b,2026-01-01,V,A,expense,1.005,USD,bill,partial,cash,,,,,,,',
      'e,2026-01-01,V,A,cogs,1,JPY,expense,paid,,x,,2026-01-01,1,,,',
      'e,2026-01-02,W,A,cogs,1.5,JPY,expense,paid,,x,,,,,,',
      'ok,2026-01-01,V,A,cogs,1,USD,,,,,,,,,,',
      `${'i'.repeat(129)},1899-12-31,${'v'.repeat(129)},A,cogs,12345678901234,USD,,,,,,,,,,`,
    ].join('\n')
    const error = await refusal(books, csv)
    expect(error.code).toBe('invalid_csv')
    expect(error.context).toEqual({ row: 2, column: 'currency', problems_total: error.issues?.length })
    const places = error.issues?.map(({ where }) => where.replace('body.file', '')).sort()
    expect(places).toEqual(
      [
        ...['id', 'date', 'account_type', 'amount', 'currency', 'kind', 'status', 'payment_type'].map(
          (column) => `[2].${column}`,
        ),
        ...['account_type', 'amount', 'payment_type', 'balance'].map((column) => `[3].${column}`),
        ...['status', 'due_date', 'balance'].map((column) => `[4].${column}`),
        ...['amount', 'status', 'date', 'vendor', 'due_date', 'balance', 'line_id'].map((column) => `[5].${column}`),
        '[6].id',
        ...['id', 'date', 'vendor', 'amount'].map((column) => `[7].${column}`),
      ].sort(),
    )
    expect((await books.lines(ALL)).total).toBe(0)
    expect((await books.vendors(ALL)).total).toBe(0)
    expect(await ownedIn(store, { name: `w${names}`, source_ids: [] }).sources.list()).toEqual([])
  })

  it.each([
    ['nothing', '', /empty/],
    ['no header', 'X,2026-01-01,V,A,cogs,1,USD\n', /header lacks id/],
    ['a column missing', `${HEADER.replace(',currency', '')}\n`, /header lacks currency/],
    ['an unknown column', `${HEADER},clas\n`, /unknown columns: "clas"/],
    ['a column twice', `${HEADER},id\n`, /"id" twice/],
    ['a row longer than the header', `${HEADER}\nX,2026-01-01,V,A,cogs,1,USD,x\n`, /Row 1 has 8 cells/],
    ['an open quote', `${HEADER}\n"X,2026-01-01\n`, /malformed/],
    ['more bytes than allowed', `${HEADER}\n${'x'.repeat(MOST_BYTES)}\n`, /larger than/],
  ])('refuses a file with %s', async (_what, csv, message) => {
    const books = freshBooks()
    expect((await refusal(books, csv)).message).toMatch(message)
    expect(await books.hasDocuments()).toBe(false)
  })

  it('refuses bytes that are no UTF-8 after good rows, and writes nothing', async () => {
    const books = freshBooks()
    async function* bytes() {
      yield Buffer.from(`${HEADER}\nX,2026-01-01,V,A,cogs,1,USD\n`)
      yield Uint8Array.of(0xff, 0xfe)
    }
    await expect(importExpenses(bytes(), { source: 'bank' }, { store: books, at: at() }, MOST_BYTES)).rejects.toThrow(/UTF-8/)
    expect(await books.hasDocuments()).toBe(false)
  })

  it.each(['', 'a b', '../x', '-x', 'x'.repeat(65), 'ä'])('refuses books named %o', async (source) => {
    const error = await refusal(freshBooks(), `${HEADER}\n`, source)
    expect(error).toMatchObject({ code: 'invalid_value', issues: [{ where: 'params.source' }] })
  })

  it('keeps hostile names unchanged', async () => {
    const books = freshBooks()
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    const texts = HOSTILE_TEXTS.map((text) => text.slice(0, 100).trim())
    const rows = texts.map((text, index) => `${index},2026-01-01,${quoted(text)},${quoted(text)},cogs,1,USD`)
    await put(books, `${HEADER}\n${rows.join('\n')}\n`)
    const { rows: kept } = await books.lines(ALL)
    expect(new Set(kept.map(({ vendor_name }) => vendor_name))).toEqual(new Set(texts))
    expect(kept.every(({ account_type }) => account_type === 'cogs')).toBe(true)
  })
})
