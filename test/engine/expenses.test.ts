import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Store } from '../../src/ports/store.ts'
import { importFxRates } from '../../src/workspace/exchange-rates/import/csv.ts'
import { bill, EXAMPLE_BOOKS, purchase } from '../support/data/example-books.ts'
import { exampleConnector } from '../support/data/worked-example.ts'
import { ownedIn, type StorePlace, storePlaces } from '../support/databases/store-places.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { emptyEmbedded, exampleEngine, type Overrides } from '../support/product/example-engine.ts'
import { BOOKS, storeAt } from '../support/product/store-with-books.ts'

const RATES = readFileSync(join(packageRoot(), 'fixtures', 'killbill', 'worked-example', 'fx.csv'), 'utf8')
const SPRING = { start: '2025-03-01', end: '2025-05-31' }
const AT = '2025-06-01T00:00:00.000Z'

const of = (name: string) => ({ name, source_ids: [] })
const single = (cents: number) => ({
  line_id: '1',
  account_external_id: null,
  item_external_id: null,
  description: null,
  amount_cents: cents,
  dimensions: {},
  metadata: {},
})

describe.each(storePlaces(['sqlite', 'postgres', 'mariadb']))(
  'expenses of the worked example (definitions.md 17), on %s',
  (_kind, makePlace) => {
    let place: StorePlace
    let store: Store
    let database: TestDatabase
    let engine: Engine
    const engineIn = (workspace: string, overrides: Overrides = {}) =>
      exampleEngine(database.executor(), { store, workspace, ...overrides })
    const ask = async (params: object, spec: object = {}, asked = engine) =>
      (await asked.query('expenses', { ...params }, { ...spec })).data
    const refusal = (params: object, spec: object = {}, asked = engine) =>
      ask(params, spec, asked).then(
        () => expect.fail('it was answered'),
        (error: unknown) => error,
      )

    beforeAll(async () => {
      place = await makePlace()
      store = storeAt(place)
      database = await emptyEmbedded()
      await importFxRates(RATES, store, { maxBytes: 1_000_000 })
      await ownedIn(store, of(BOOKS)).expenses.put('ledger', EXAMPLE_BOOKS)
      engine = engineIn(BOOKS)
    })
    afterAll(async () => {
      await store.close()
      await place.remove()
    })

    it('is what was worked out by hand', async () => {
      expect(await ask(SPRING)).toEqual({ total_base_cents: 197_053, line_count: 6 })
      expect(await ask({})).toEqual({ total_base_cents: 197_053, line_count: 6 })
      expect(await ask({ query_type: 'by_account_type', ...SPRING })).toEqual([
        { account_type: 'asset', amount_base_cents: 120_000, line_count: 1 },
        { account_type: 'expense', amount_base_cents: 40_800, line_count: 2 },
        { account_type: 'cogs', amount_base_cents: 35_000, line_count: 2 },
        { account_type: 'unknown', amount_base_cents: 1_253, line_count: 1 },
      ])
      expect(await ask({ query_type: 'by_vendor', ...SPRING })).toEqual([
        { vendor_id: null, vendor_name: '(unassigned)', amount_base_cents: 121_253, line_count: 2 },
        { vendor_id: 'v2', vendor_name: 'Werbung GmbH', amount_base_cents: 40_800, line_count: 2 },
        { vendor_id: 'v1', vendor_name: 'Hoster', amount_base_cents: 35_000, line_count: 2 },
      ])
      expect(
        await ask(
          { query_type: 'series', start: '2025-03-01', end: '2025-04-30' },
          { filters: { account_type: ['cogs', 'unknown'] } },
        ),
      ).toEqual([
        { period: '2025-03-01', account_type: 'cogs', amount_base_cents: 35_000 },
        { period: '2025-03-01', account_type: 'unknown', amount_base_cents: 0 },
        { period: '2025-04-01', account_type: 'cogs', amount_base_cents: 0 },
        { period: '2025-04-01', account_type: 'unknown', amount_base_cents: 1_253 },
      ])
      expect(
        await ask({ query_type: 'by_account_type', ...SPRING }, { dimensions: ['currency', 'account_type'] }),
      ).toContainEqual({
        account_type: 'expense',
        currency: 'EUR',
        amount_cents: 9_000,
        amount_base_cents: 10_800,
        line_count: 1,
      })
    })

    it('a type of account that there is not is refused, and the types are named', async () => {
      const types = ['expense', 'cogs', 'income', 'asset', 'liability', 'equity', 'other', 'unknown']
      for (const filter of ['cgos', ['cogs', 'cgos'], { '!=': 'cgos' }, { in: ['cgos'] }])
        expect(await refusal(SPRING, { filters: { account_type: filter } })).toMatchObject({
          code: 'invalid_value',
          issues: [
            {
              where: 'spec.filters.account_type',
              value: 'cgos',
              did_you_mean: ['cogs'],
            },
          ],
          context: { available: types },
        })
      const holding = await ask(SPRING, {
        filters: { account_type: { starts_with: 'co' } },
      })
      expect(holding).toEqual({ total_base_cents: 35_000, line_count: 2 })
    })

    it('a document dated after now counts nowhere, and later than now is said to be (D3)', async () => {
      const { data, meta } = await engine.query('expenses', { start: '2025-06-01', end: '2025-12-31' })
      expect(data).toEqual({ total_base_cents: 0, line_count: 0 })
      expect(meta.warnings).toMatchObject([{ code: 'future_clamped' }])
      expect(await ask({ query_type: 'series', start: '2025-07-01', end: '2025-12-31' })).toEqual([])
    })

    it('there are no customers to narrow by', async () => {
      expect(await refusal({ ...SPRING, segment: 'x' })).toMatchObject({ code: 'invalid_value' })
      expect(await refusal(SPRING, { compare: ['x'] })).toMatchObject({ code: 'invalid_value' })
      expect(await refusal(SPRING, { filters: { 'attr.tier': 'gold' } })).toMatchObject({ code: 'unknown_filter' })
      expect(await refusal(SPRING, { filters: { 'customer.email': 'a' } })).toMatchObject({ code: 'unknown_filter' })
      expect(await refusal(SPRING, { dimensions: ['plan_id'], granularity: 'month' })).toMatchObject({
        issues: [{ code: 'invalid_interval' }, { code: 'unknown_dimension' }],
      })
      expect(await refusal({ query_type: 'series', start: '2025-01-01' })).toMatchObject({ code: 'invalid_range' })
    })

    it('accepted inputs are listed, with or without books', async () => {
      const { data } = await engine.fields('expenses')
      expect(data.dimensions.map(({ key }) => key)).toEqual([
        'account_type',
        'class',
        'currency',
        'department',
        'project',
        'source',
        'source_id',
        'vendor_id',
        'vendor_name',
      ])
      expect(data.time_dimensions).toEqual([{ key: 'txn_date', label: 'Txn date' }])
      expect(data.query_types).toEqual(['by_account_type', 'by_vendor', 'series', 'total'])
      expect(data.attributes).toEqual([])
    })

    it('is refused where nothing was connected or imported, and says what to do', async () => {
      expect(await refusal(SPRING, {}, engineIn('nobody'))).toMatchObject({
        code: 'unsupported_by_connector',
        message: expect.stringMatching(/QuickBooks.*plumbline expenses import/),
      })
      expect(await refusal(SPRING, {}, exampleEngine(database.executor()))).toMatchObject({
        code: 'unsupported_by_connector',
        context: { missing: ['store'] },
      })
    })

    it('is 0 where a source is connected and has sent nothing yet', async () => {
      const connected = { config: {}, status: 'connected', created_at: AT, last_synced_at: null, cursor: null } as const
      await ownedIn(store, of('new')).sources.create({ id: 'quickbooks-1', type: 'quickbooks', name: 'Books', ...connected })
      expect(await ask(SPRING, {}, engineIn('new'))).toEqual({ total_base_cents: 0, line_count: 0 })
      await ownedIn(store, of('new')).expenses.put('quickbooks-1', [purchase('p', '2025-03-05', single(100))])
      expect(await ask(SPRING, { dimensions: ['source', 'source_id'] }, engineIn('new'))).toEqual([
        { source: 'quickbooks', source_id: 'quickbooks-1', total_base_cents: 100, line_count: 1 },
      ])
    })

    it("a missing rate is loud, with the currency and its first day; a line of 0 and the document's own rate need none (D14)", async () => {
      const { expenses } = ownedIn(store, of('unrated'))
      const foreign = (id: string, day: string, cents: number, changed: object = {}) =>
        bill(id, day, single(cents), { currency: 'CHF', home_currency: 'CHF', ...changed })
      await expenses.put('ledger', [
        foreign('own', '2025-01-05', 1_000, { home_currency: 'USD', exchange_rate: '1.1' }),
        foreign('zero', '2025-01-06', 0),
      ])
      expect(await ask({}, {}, engineIn('unrated'))).toEqual({ total_base_cents: 1_100, line_count: 2 })
      await expenses.put('ledger', [foreign('late', '2025-03-09', 500), foreign('early', '2025-02-07', 500)])
      expect(await refusal({}, {}, engineIn('unrated'))).toMatchObject({
        code: 'missing_fx_rate',
        context: { currency: 'CHF', base_currency: 'USD', date: '2025-02-07', count: 2 },
      })
      expect(await refusal({}, { dimensions: ['currency'] }, engineIn('unrated'))).toMatchObject({
        code: 'missing_fx_rate',
        context: { count: 2, pairs: [{ from: 'CHF', first_day: '2025-02-07', last_day: '2025-03-09' }] },
      })
      // Rates of lines that a filter leaves out are not needed.
      expect(await ask({ end: '2025-02-06' }, {}, engineIn('unrated'))).toEqual({ total_base_cents: 1_100, line_count: 2 })
      expect(await ask({}, { filters: { account_type: 'cogs' } }, engineIn('unrated'))).toEqual({
        total_base_cents: 0,
        line_count: 0,
      })
      const own = exampleConnector({ rates: [{ date: '2025-02-07', from: 'CHF', to: 'USD', rate: '2' }] })
      expect(await ask({}, {}, engineIn('unrated', { connector: own }))).toEqual({ total_base_cents: 3_100, line_count: 4 })
    })

    it('a sum that cannot be counted to the cent is refused, the largest one that can is not', async () => {
      const { expenses } = ownedIn(store, of('large'))
      const large = (id: string) => purchase(id, `2025-03-${id.length === 3 ? '05' : '06'}`, single(Number.MAX_SAFE_INTEGER))
      await expenses.put('ledger', [large('0')])
      expect(await ask({}, {}, engineIn('large'))).toEqual({
        total_base_cents: Number.MAX_SAFE_INTEGER,
        line_count: 1,
      })
      const tooLarge = {
        code: 'result_too_large',
        status: 422,
        message: expect.stringContaining('shorter range'),
      }
      for (const count of [2, 1_100]) {
        await expenses.put(
          'ledger',
          Array.from({ length: count }, (_, index) => large(String(index))),
        )
        expect(await refusal({}, {}, engineIn('large'))).toMatchObject(tooLarge)
        expect(await refusal({ query_type: 'series', ...SPRING }, {}, engineIn('large'))).toMatchObject(tooLarge)
      }
    })

    it('workspaces see nothing of each other', async () => {
      await ownedIn(store, of('apart')).expenses.put('ledger', [purchase('e1', '2025-03-28', single(7))])
      expect(await ask({}, {}, engineIn('apart'))).toEqual({ total_base_cents: 7, line_count: 1 })
      expect(await ask({})).toEqual({ total_base_cents: 197_053, line_count: 6 })
    })

    it('all statements of an answer see one moment of the store', async () => {
      const { expenses } = ownedIn(store, of('moving'))
      await expenses.put('ledger', [bill('b', '2025-03-15', single(100), { currency: 'EUR', home_currency: null })])
      let count = 0
      const withSnapshot: Store['withSnapshot'] = (work, options) =>
        store.withSnapshot?.(async (snapshot) => {
          const query: typeof snapshot.query = async (statement) => {
            const rows = await snapshot.query(statement)
            // Between the statements somebody else adds a line and a rate.
            await expenses.put('ledger', [purchase(`p${count++}`, '2025-03-16', single(1))])
            return rows
          }
          return work({ ...snapshot, query })
        }, options) ?? Promise.reject(new Error('no snapshots'))
      expect(await ask(SPRING, {}, engineIn('moving', { store: { ...store, withSnapshot } }))).toEqual({
        total_base_cents: 120,
        line_count: 1,
      })
      expect(count).toBe(4)
      expect(await ask(SPRING, {}, engineIn('moving'))).toEqual({ total_base_cents: 124, line_count: 5 })
    })

    it('its statements can be shown', async () => {
      const statements = await engine.compile('expenses', { query_type: 'series', ...SPRING })
      expect(statements.map(({ label }) => label.replace(/\/\w+$/, ''))).toEqual([
        'expenses.sources store',
        'expenses.totals store',
        'expenses.rates store',
        'expenses.lines store',
      ])
    })

    describe('margins of the summary', () => {
      const margins = async (params: object, spec: object = {}, asked = engine) => {
        const { data, meta } = await asked.summary({ ...params }, { ...spec })
        const { gross_margin, operating_margin } = data as Record<string, unknown>
        return { gross_margin, operating_margin, warnings: meta.warnings.map(({ code }) => code) }
      }
      const NONE = { gross_margin: null, operating_margin: null, warnings: [] }

      it('are null without books, without costs, without revenue, and of some customers only', async () => {
        expect(await margins(SPRING, {}, engineIn('nobody'))).toEqual(NONE)
        expect(await margins(SPRING, {}, exampleEngine(database.executor()))).toEqual(NONE)
        expect(await margins({ start: '2025-02-01', end: '2025-02-28' })).toEqual(NONE)
        expect(await margins(SPRING, { filters: { customer_country: 'DE' } })).toEqual(NONE)
      })

      it('are left out with a warning when the store is out, and everything else is answered', async () => {
        const out = () => Promise.reject(new AppError('connector_unavailable', 'The store cannot be reached.'))
        const answered = await margins(SPRING, {}, engineIn(BOOKS, { store: { ...store, withSnapshot: out } }))
        expect(answered).toEqual({ ...NONE, warnings: ['partial'] })
      })

      it('fail the summary for a cost without a rate, and for no other line', async () => {
        const { expenses } = ownedIn(store, of('costs'))
        const unrated = { currency: 'NOK', home_currency: null }
        await expenses.put('ledger', [...EXAMPLE_BOOKS, bill('n1', '2025-04-01', single(5), unrated)])
        await expect(margins(SPRING, {}, engineIn('costs'))).resolves.toMatchObject({ warnings: [] })
        const cost = { ...single(5), account_external_id: 'hosting' }
        await expenses.put('ledger', [bill('n2', '2025-04-02', cost, unrated)])
        await expect(margins(SPRING, {}, engineIn('costs'))).rejects.toMatchObject({
          code: 'missing_fx_rate',
          context: { currency: 'NOK' },
        })
      })
    })
  },
)
