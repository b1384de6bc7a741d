import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import type { ExpenseRecord } from '../../src/core/expense.ts'
import { type ExpenseStore, noChanges } from '../../src/ports/expense-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import {
  ALL,
  AT,
  accountRecord,
  billRecord,
  itemRecord,
  lineRecord,
  purchaseRecord,
  vendorRecord,
} from '../support/data/book-records.ts'
import { HOSTILE_TEXTS, NOT_STORABLE } from '../support/data/hostile-texts.ts'
import { ownedIn, STORE_SERVERS, type StorePlace, storePlaces } from '../support/databases/store-places.ts'

const LATER = '2026-02-03T04:05:06.000Z'

describe.each(storePlaces([...STORE_SERVERS, 'sqlite']))('books in a store on %s', (_kind, makePlace) => {
  let place: StorePlace
  let store: Store
  let names = 0

  beforeAll(async () => {
    place = await makePlace()
    store = createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
  })
  afterAll(async () => {
    await store.close()
    await place.remove()
  })

  const freshBooks = (): ExpenseStore => ownedIn(store, { name: `w${++names}`, source_ids: ['s1'] }).expenses
  const amounts = async (books: ExpenseStore) =>
    (await books.lines(ALL)).rows.map(({ document_id, line_id, amount }) => [document_id, line_id, amount.cents])

  it('replaces a document with all its lines', async () => {
    const books = freshBooks()
    expect(await books.hasDocuments()).toBe(false)
    await books.put('qb', [billRecord('1', { lines: [lineRecord('a', 100), lineRecord('b', 200)] })])
    expect(await books.hasDocuments()).toBe(true)
    const changed = await books.put('qb', [billRecord('1', { updated_at: LATER, lines: [lineRecord('b', 50)] })])
    expect(changed).toEqual({ ...noChanges(), bill: 1 })
    expect(await amounts(books)).toEqual([['1', 'b', 50]])
  })

  it('tells the ids of documents that are not deleted, page by page', async () => {
    const books = freshBooks()
    const ids = ['1', '10', '2', 'A', 'a', 'é']
    await books.put(
      'qb',
      ids.toReversed().map((id) => billRecord(id, {})),
    )
    await books.put('other', [billRecord('3', {})])
    await books.put('qb', [{ kind: 'bill', external_id: '2', updated_at: LATER }])
    const told: string[] = []
    for (let page = await books.documentIds('qb', 'bill', '', 2); page.length > 0; ) {
      told.push(...page)
      page = await books.documentIds('qb', 'bill', told.at(-1) ?? '', 2)
    }
    expect(told).toEqual(ids.filter((id) => id !== '2'))
    expect(await books.documentIds('qb', 'expense', '', 2)).toEqual([])
  })

  it('takes no replay and nothing older for a change', async () => {
    const books = freshBooks()
    const kept = [vendorRecord('v', 'Acme', LATER), purchaseRecord('1', { updated_at: LATER, lines: [lineRecord('a', 100)] })]
    await books.put('qb', kept)
    expect(await books.put('qb', kept)).toEqual(noChanges())
    expect(await books.put('qb', [purchaseRecord('1', { lines: [lineRecord('a', 7)] })])).toEqual(noChanges())
    expect(await amounts(books)).toEqual([['1', 'a', 100]])
  })

  it('takes the version that says the same later for newer than what comes late', async () => {
    const books = freshBooks()
    await books.put('qb', [vendorRecord('v', 'Acme', '2026-01-01T00:00:00.000Z')])
    expect(await books.put('qb', [vendorRecord('v', 'Acme', LATER)])).toEqual(noChanges())
    await books.put('qb', [vendorRecord('v', 'Between', AT)])
    expect((await books.vendors(ALL)).rows.map(({ name }) => name)).toEqual(['Acme'])
  })

  it('of two versions of one instant keeps the one that came later', async () => {
    const books = freshBooks()
    await books.put('qb', [vendorRecord('v', 'First')])
    await books.put('qb', [vendorRecord('v', 'Second')])
    expect((await books.vendors(ALL)).rows.map(({ name }) => name)).toEqual(['Second'])
  })

  it('books the lines of an item where the item is, whenever it comes and moves', async () => {
    const books = freshBooks()
    const line = lineRecord('a', 100, { item_external_id: 'i', account_external_id: 'own' })
    const accountOfLine = async () => (await books.lines(ALL)).rows.map(({ account_id }) => account_id)
    await books.put('qb', [billRecord('1', { lines: [line] })])
    expect(await accountOfLine()).toEqual(['own'])
    await books.put('qb', [itemRecord('i', 'first')])
    expect(await accountOfLine()).toEqual(['first'])
    await books.put('qb', [purchaseRecord('2', { lines: [line] })])
    await books.put('qb', [itemRecord('i', null, LATER), itemRecord('other', 'elsewhere')])
    expect(await accountOfLine()).toEqual([null, null])
  })

  it('keeps what is deleted with its history, and lists and counts it no more', async () => {
    const books = freshBooks()
    await books.put('qb', [
      billRecord('1', {
        vendor_external_id: 'v',
        balance_cents: 100,
        metadata: { sync_token: '3' },
        lines: [lineRecord('a', 100)],
      }),
      vendorRecord('v', 'Acme'),
    ])
    const deletion = { kind: 'bill', external_id: '1', updated_at: LATER } as const
    expect(await books.put('qb', [deletion])).toEqual({ ...noChanges(), bill: 1 })
    expect(await books.put('qb', [deletion])).toEqual(noChanges())
    expect(await amounts(books)).toEqual([])
    expect((await books.bills(ALL)).total).toBe(0)
    expect((await books.vendors(ALL)).rows[0]?.payables).toEqual([])
    expect(await books.hasDocuments()).toBe(true)
    // It is told apart from what never was: a newer version brings it back.
    await books.put('qb', [billRecord('1', { updated_at: '2026-03-01T00:00:00.000Z', lines: [lineRecord('a', 5)] })])
    expect(await amounts(books)).toEqual([['1', 'a', 5]])
  })

  it('takes back a deletion when what was deleted comes again as it was', async () => {
    const books = freshBooks()
    const bill = billRecord('1', { lines: [lineRecord('a', 100)] })
    await books.put('qb', [bill])
    await books.put('qb', [{ kind: 'bill', external_id: '1', updated_at: '2026-01-20T00:00:00.000Z' }])
    expect(await amounts(books)).toEqual([])
    await books.put('qb', [{ ...bill, updated_at: LATER }])
    expect((await books.bills(ALL)).rows).toMatchObject([{ id: '1' }])
    await books.put('qb', [{ kind: 'bill', external_id: '1', updated_at: '2026-03-01T00:00:00.000Z' }])
    expect(await amounts(books)).toEqual([])
  })

  it('counts a deletion that came before what it deletes', async () => {
    const books = freshBooks()
    await books.put('qb', [{ kind: 'expense', external_id: '1', updated_at: LATER }])
    expect(await books.put('qb', [purchaseRecord('1', { lines: [lineRecord('a', 100)] })])).toEqual({
      ...noChanges(),
      expense: 1,
    })
    expect(await amounts(books)).toEqual([])
  })

  it('counts voided documents no more, and nothing is owed on them', async () => {
    const books = freshBooks()
    const lines = [lineRecord('a', 100)]
    await books.put('qb', [
      billRecord('1', { status: 'voided', balance_cents: 100, lines }),
      purchaseRecord('2', { is_voided: true, lines }),
    ])
    expect(await amounts(books)).toEqual([])
    expect((await books.bills(ALL)).rows.map(({ payable }) => payable.cents)).toEqual([0])
  })

  const named = (record: ExpenseRecord, column: string, value: unknown) => ({ ...record, [column]: value }) as ExpenseRecord
  it.each([
    [named(accountRecord('x', null), 'account_type', 'Expense'), 'account', 'account_type', 'Expense'],
    [named(billRecord('x'), 'status', 'Paid'), 'bill', 'status', 'Paid'],
    [named(billRecord('x'), 'bill_kind', 'credit'), 'bill', 'bill_kind', 'credit'],
    [named(billRecord('x'), 'bill_kind', null), 'bill', 'bill_kind', null],
    [named(purchaseRecord('x'), 'payment_type', 'CreditCard'), 'expense', 'payment_type', 'CreditCard'],
    [
      named(
        {
          ...{
            kind: 'bill_payment',
            external_id: 'x',
            updated_at: AT,
            is_deleted: false,
            metadata: {},
            vendor_external_id: null,
          },
          ...{ payment_date: '2026-01-01', currency: 'USD', home_currency: null, exchange_rate: null, amount_cents: 1 },
          ...{ payment_type: null, is_voided: false, applied: [] },
        },
        'payment_type',
        'wire',
      ),
      'bill_payment',
      'payment_type',
      'wire',
    ],
  ])('refuses %o before anything is written', async (record, relation, column, value) => {
    const books = freshBooks()
    const error = await books.put('qb', [vendorRecord('v', 'Acme'), record]).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({ code: 'canonical_enum_violation', context: { relation, column, value } })
    expect((await books.vendors(ALL)).total).toBe(0)
  })

  it.each([
    ['a day that is none', billRecord('x', { document_date: '2026-02-30' })],
    ['an amount that is no whole number', billRecord('x', { lines: [lineRecord('a', 0.5)] })],
    ['a line twice', billRecord('x', { lines: [lineRecord('a', 1), lineRecord('a', 2)] })],
    ['no id', billRecord('')],
    ['an id that no database can hold', billRecord('\0')],
    ['an id that one database takes for another', billRecord('x ')],
    ['a rate that is none', billRecord('x', { exchange_rate: '1e3' })],
    ['an instant of another form', billRecord('x', { updated_at: '2026-01-01' })],
  ])('refuses a record with %s', async (_what, record) => {
    const books = freshBooks()
    await expect(books.put('qb', [vendorRecord('v', 'Acme'), record])).rejects.toThrow(/^bill/)
    expect((await books.vendors(ALL)).total).toBe(0)
  })

  it('writes nothing of a change that breaks off', async () => {
    const books = freshBooks()
    await books.put('qb', [billRecord('1', { lines: [lineRecord('a', 1)] })])
    const broken = books.change(async (writer) => {
      await writer.put('qb', [billRecord('1', { updated_at: LATER, lines: [lineRecord('b', 2)] }), vendorRecord('v', 'Acme')])
      await writer.touchSource({ id: 'qb', type: 'csv', name: 'qb' }, AT, AT)
      throw new Error('the process ends here')
    })
    await expect(broken).rejects.toThrow()
    expect(await amounts(books)).toEqual([['1', 'a', 1]])
    expect((await books.vendors(ALL)).total).toBe(0)
  })

  it('keeps texts unchanged, without characters that no database can hold', async () => {
    const books = freshBooks()
    const texts = [...HOSTILE_TEXTS.map((text) => text.slice(0, 400)), ...NOT_STORABLE]
    const lines = texts.map((description, index) =>
      lineRecord(`${index}`, 1, { description, dimensions: { class: description } }),
    )
    await books.put('qb', [billRecord('1', { lines, metadata: { texts } })])
    const kept = (await books.lines(ALL)).rows
    expect(kept.map((line) => line.description)).toEqual(texts.map((text) => text.replaceAll('\0', '\ufffd')))
    for (const [index, text] of HOSTILE_TEXTS.entries()) {
      const filters = new Map([['class', [text.slice(0, 400)]]])
      expect((await books.lines({ ...ALL, filters })).rows.map(({ line_id }) => line_id)).toContain(`${index}`)
    }
    for (const search of HOSTILE_TEXTS) await books.lines({ ...ALL, search })
  })

  it('shows nothing of one workspace to another, whose sources may have the same ids', async () => {
    const [one, two] = [freshBooks(), freshBooks()]
    await one.put('qb', [billRecord('1', { lines: [lineRecord('a', 1)] }), vendorRecord('v', 'One'), itemRecord('i', 'one')])
    await two.put('qb', [billRecord('1', { lines: [lineRecord('a', 2, { item_external_id: 'i' })], vendor_external_id: 'v' })])
    expect([await amounts(one), await amounts(two)]).toEqual([[['1', 'a', 1]], [['1', 'a', 2]]])
    expect((await two.lines(ALL)).rows).toMatchObject([{ vendor_name: null, account_id: null }])
    expect((await two.vendors(ALL)).total).toBe(0)
    await two.put('qb', [{ kind: 'bill', external_id: '1', updated_at: LATER }])
    expect(await amounts(one)).toEqual([['1', 'a', 1]])
  })

  it('keeps the books of two sources apart', async () => {
    const books = freshBooks()
    await books.put('a', [purchaseRecord('1', { lines: [lineRecord('l', 1)] })])
    await books.put('b', [purchaseRecord('1', { lines: [lineRecord('l', 2)] })])
    expect((await books.lines({ ...ALL, source_id: 'b' })).rows.map(({ amount }) => amount.cents)).toEqual([2])
    expect((await books.lines(ALL)).total).toBe(2)
    expect(await books.lines({ ...ALL, source_id: 'c' })).toEqual({ total: 0, rows: [] })
  })

  it('narrows and pages a list', async () => {
    const books = freshBooks()
    const day = (index: number) => `2026-01-${String(index + 1).padStart(2, '0')}`
    const bills = Array.from({ length: 20 }, (_, index) =>
      billRecord(`b${index}`, {
        number: `No ${index}`,
        document_date: day(index),
        vendor_external_id: index % 2 === 0 ? 'v' : 'unknown',
        status: index % 4 === 0 ? 'paid' : 'open',
        lines: [lineRecord('l', index, { account_external_id: index % 5 === 0 ? 'cogs' : 'none' })],
      }),
    )
    await books.put('qb', [...bills, vendorRecord('v', 'Ägypten 100%_ GmbH'), accountRecord('cogs', 'cogs')])
    const ids = async (query: Partial<typeof ALL>) => (await books.bills({ ...ALL, ...query })).rows.map(({ id }) => id)
    expect(await ids({ limit: 3, offset: 1 })).toEqual(['b18', 'b17', 'b16'])
    expect(await books.bills({ ...ALL, limit: 1, offset: 100 })).toEqual({ total: 20, rows: [] })
    expect(await ids({ start: day(3), end: day(4) })).toEqual(['b4', 'b3'])
    expect(await ids({ search: 'no 1', limit: 2 })).toEqual(['b19', 'b18'])
    expect((await ids({ search: '100%_ g' })).length).toBe(10)
    expect((await ids({ search: 'äGYPTEN 100' })).length).toBe(10)
    for (const none of ['100__', '*', '[a]', '?']) expect(await ids({ search: none })).toEqual([])
    expect((await ids({ filters: new Map([['status', ['paid', 'voided']]]) })).length).toBe(5)
    const byType = async (type: string | null) =>
      (await books.lines({ ...ALL, filters: new Map([['account_type', [type]]]) })).rows.map(({ amount }) => amount.cents)
    expect(await byType('cogs')).toEqual([15, 10, 5, 0])
    expect((await byType(null)).length).toBe(16)
  })

  it('knows the worth of a document in the currency of the books', async () => {
    const books = freshBooks()
    const foreign = { currency: 'EUR', home_currency: 'USD', exchange_rate: '1.005' }
    await books.put('qb', [
      purchaseRecord('1', { ...foreign, lines: [lineRecord('a', 100), lineRecord('b', -100), lineRecord('c', 9_007_199_254)] }),
      purchaseRecord('2', { home_currency: 'USD', lines: [lineRecord('a', 3)] }),
      purchaseRecord('3', { currency: 'EUR', home_currency: 'USD', lines: [lineRecord('a', 3)] }),
    ])
    const worths = (await books.lines(ALL)).rows.map(({ amount }) => amount.home_cents)
    expect(worths).toEqual([101, -101, 9_052_235_250, 3, null])
  })
})
