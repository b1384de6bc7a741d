import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExpenseRecord } from '../../src/core/expense.ts'
import { AT, billRecord, lineRecord, purchaseRecord, vendorRecord } from '../support/data/book-records.ts'
import { isInTurn, oneEngineInRotation } from '../support/databases/rotation.ts'
import { ownedIn, type StoreKind } from '../support/databases/store-places.ts'
import { type RealService, realService } from '../support/product/recorded-service.ts'

const CSV = `id,date,vendor,account,account_type,amount,currency,kind,status
E1,2026-01-05,Acme,Hosting,cogs,120.5,USD,,
B1,2026-01-10,Lawyers,Legal,expense,1000,EUR,bill,open
B1,2026-01-10,Lawyers,Legal,expense,-50.25,EUR,bill,open
B2,2026-01-11,Lawyers,,,8,XAU,bill,open
E9,2099-01-01,Acme,Hosting,cogs,1,USD,,
B9,2099-01-01,Lawyers,Legal,expense,70,USD,bill,open
`

oneEngineInRotation('books over HTTP', (target) => {
  // `test/store` shows each kind of store, so one kind is enough here.
  const kinds: readonly StoreKind[] = ['sqlite', target.name]
  describe.each(kinds.filter((_, index, { length }) => isInTurn(index, length)))('in a store on %s', (storeKind) => {
    let service: RealService
    beforeAll(async () => {
      service = await realService(target, { storeKind, workspace: 'books' })
    })
    afterAll(() => service.close())

    const rowsOf = async (path: string) => (await service.ask('GET', path)).body.rows

    it('imports a file and lists what is in it, each amount with its worth in the base currency', async () => {
      expect(await service.upload(CSV, { source: 'bank' }, 'expenses/import')).toMatchObject({
        status: 200,
        body: { source_id: 'csv-bank', rows_read: 6, documents: 5, changed: { vendor: 2, account: 2, bill: 3, expense: 2 } },
      })
      const [b2, b1] = await rowsOf('bills')
      expect(b2).toMatchObject({ id: 'B2', currency: 'XAU', payable_cents: 800, payable_base_cents: null })
      expect(b1).toMatchObject({ id: 'B1', kind: 'bill', status: 'open', bill_date: '2026-01-10', total_cents: 94_975 })
      // The newest rate on or before the bill's date.
      const rates = await service.store.fxRates.ratesInto('USD')
      const rate = rates.filter(({ from, date }) => from === 'EUR' && date <= '2026-01-10').at(-1)?.rate ?? ''
      expect(b1.payable_base_cents).toBe(Math.round((94_975 * Number(rate) * 1e6) / 1e6))
      expect(await rowsOf('vendors?search=LAW')).toMatchObject([
        { name: 'Lawyers', open_bills: 2, currency: null, payable_cents: null, payable_base_cents: null },
      ])
      // Bills that are dated after now are neither owed nor listed.
      expect((await rowsOf('bills')).map(({ id }: { id: string }) => id)).toEqual(['B2', 'B1'])
      const lines = await rowsOf('expenses/lines')
      expect(lines.map((line: { document_id: string }) => line.document_id)).toEqual(['B2', 'B1', 'B1', 'E1'])
      expect(lines.at(-1)).toMatchObject({
        txn_date: '2026-01-05',
        account_type: 'cogs',
        amount_cents: 12_050,
        amount_base_cents: 12_050,
      })
      expect(await rowsOf('expenses/lines?filter=account_type=unknown')).toMatchObject([{ document_id: 'B2', account_id: null }])
      expect(await rowsOf('expenses/lines?start=2026-01-06&end=2026-01-10&filter=currency=eur&limit=1&offset=1')).toMatchObject([
        { line_id: '2', amount_cents: -5025 },
      ])
    })

    it('uses the rate of a document where the books are kept in the base currency', async () => {
      const document = { currency: 'EUR', home_currency: 'USD', exchange_rate: '2', vendor_external_id: 'v' }
      await ownedIn(service.store, { name: 'books', source_ids: [] }).expenses.put('quickbooks-1', [
        vendorRecord('v', 'Rated'),
        billRecord('1', { ...document, balance_cents: 150, total_cents: 150, lines: [lineRecord('a', 150)] }),
        billRecord('2', { ...document, bill_kind: 'vendor_credit', balance_cents: -50, total_cents: -50 }),
        purchaseRecord('3', { ...document, exchange_rate: null, updated_at: AT }),
      ])
      expect(await rowsOf('bills?source_id=quickbooks-1')).toMatchObject([
        { kind: 'bill', payable_base_cents: 300 },
        { kind: 'vendor_credit', payable_cents: -50, payable_base_cents: -100 },
      ])
      expect(await rowsOf('vendors?search=rated')).toMatchObject([
        { open_bills: 2, currency: 'EUR', payable_cents: 100, payable_base_cents: 200 },
      ])
    })

    it('says a value that no record has, in metrics and lists', async () => {
      type Asked = readonly [name: 'bills' | 'lines' | 'vendors' | 'expenses', params: object, filters: object]
      const warningOf = async ([name, params, filters]: Asked) => {
        const { engine } = service
        const spec = { filters }
        const answer = await (name === 'expenses'
          ? engine.query(name, { ...params }, spec)
          : engine.expenses.list(name, { ...params }, spec))
        return answer.meta.warnings.find(({ code }) => code === 'unknown_value')?.message
      }
      const byVendor = { query_type: 'by_vendor', start: '2026-01-01', end: '2026-12-31' }
      const unknown: readonly (readonly [asked: Asked, said: string])[] = [
        [['bills', {}, { vendor_id: 'nobody' }], 'No row has vendor_id=nobody.'],
        [['bills', { currency: 'jpy' }, {}], 'No row has currency=JPY. It has 3 values: '],
        [['bills', { source_id: 'csv-bnk' }, {}], 'No row has source_id=csv-bnk. Did you mean csv-bank?'],
        [['lines', {}, { account_id: 'nothing' }], 'No row has account_id=nothing.'],
        [['lines', {}, { department: ['Sales'] }], 'No row has department=Sales. It has no values.'],
        [['vendors', { source_id: 'nowhere' }, {}], 'No row has source_id=nowhere.'],
        [['expenses', {}, { vendor_name: 'Nobody' }], 'No row has vendor_name=Nobody.'],
        [['expenses', {}, { source: 'CSV' }], 'No row has source=CSV. Did you mean csv?'],
        [['expenses', byVendor, { currency: { 'not in': ['JPY', 'XAU'] } }], 'No row has currency=JPY.'],
      ]
      for (const [asked, said] of unknown) expect(await warningOf(asked), JSON.stringify(asked)).toContain(said)
      const known: readonly Asked[] = [
        ['bills', { currency: 'eur', start: '2020-01-01', end: '2020-12-31' }, {}],
        ['vendors', { source_id: 'csv-bank' }, {}],
        ['expenses', {}, { vendor_name: ['Lawyers', '(unassigned)'], source: 'csv', currency: { '!=': 'XAU' } }],
        ['expenses', {}, { account_type: 'income', txn_date: '2001-01-01', vendor_name: { contains: 'nobody' } }],
      ]
      for (const asked of known) expect(await warningOf(asked), JSON.stringify(asked)).toBeUndefined()
    })

    it('knows a vendor that was merged with another one by its documents, and a named one by its name alone', async () => {
      const merged = { ...vendorRecord('gone', 'Merged Co'), is_deleted: true } as ExpenseRecord
      const lines = [lineRecord('a', 700)]
      await ownedIn(service.store, { name: 'books', source_ids: [] }).expenses.put('quickbooks-1', [
        merged,
        purchaseRecord('of-gone', { vendor_external_id: 'gone', currency: 'USD', home_currency: 'USD', lines }),
      ])
      const byVendor = { query_type: 'by_vendor', start: '2026-01-01', end: '2026-11-20' }
      const ask = (vendor_name: string) => service.engine.query('expenses', byVendor, { filters: { vendor_name } })
      const found = await ask('Merged Co')
      expect(found.data).toMatchObject([{ vendor_name: 'Merged Co' }])
      expect(found.meta.warnings).toEqual([])
      expect((await ask('gone')).meta.warnings).toMatchObject([{ code: 'unknown_value' }])
    })

    it('reports everything that is wrong with a request', async () => {
      const { status, body } = await service.ask('GET', 'bills?filter=status=opn&filter=nothing=1&limit=0&start=x')
      expect(status).toBe(400)
      expect(body.issues.map(({ code, where }: { code: string; where: string }) => [code, where]).sort()).toEqual([
        ['invalid_value', 'query.filter'],
        ['invalid_value', 'query.limit'],
        ['invalid_value', 'query.start'],
        ['unknown_filter', 'query.filter'],
      ])
      expect((await service.ask('GET', 'expenses/lines?filter=account_type=costs')).body.issues).toMatchObject([
        { code: 'invalid_value', value: 'costs' },
      ])
      expect((await service.ask('GET', 'vendors?filter=name=x')).body.code).toBe('unknown_filter')
      expect((await service.ask('GET', 'bills?name=x')).body.code).toBe('invalid_value')
    })

    it('refuses a file with its problems by row and column, and one without a name', async () => {
      const { status, body } = await service.upload(CSV.replace('120.5', 'much'), { source: 'bank' }, 'expenses/import')
      expect([status, body.code, body.row, body.column]).toEqual([400, 'invalid_csv', 1, 'amount'])
      expect(body.issues).toMatchObject([{ where: 'body.file[1].amount', value: 'much' }])
      expect((await service.upload(CSV, {}, 'expenses/import')).body).toMatchObject({
        code: 'validation_failed',
        issues: [{ where: 'body.source' }],
      })
      expect((await service.upload(CSV, { source: 'a b' }, 'expenses/import')).body.code).toBe('invalid_value')
    })
  })
})
