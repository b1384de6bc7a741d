import { expect, it } from 'vitest'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { BOOKS } from '../../src/connector-kit/capabilities.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { ledgerRows } from '../support/data/ledger-rows.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { directAndCached } from '../support/product/direct-and-cached.ts'

oneEngineInRotation('the ledger beside a cache', (target) => {
  it('answers the same from the cache, and attempts straight from the replica', async () => {
    const items = [{ type: 'RECURRING', amount: '120.00', days: ['2025-01-15', '2025-04-15'] as const }]
    const { database } = await fillDatabase(
      target,
      ledgerRows(
        [{ currency: 'USD' }],
        [{ account: 1, on: '2025-01-15', items, tried: [['2025-01-15', '120.00', 'PAYMENT_FAILURE']] }],
      ),
    )
    const { direct, cached } = await directAndCached(database, () => '2025-07-05 00:00:00')
    const range = { start: '2025-01-01', end: '2025-04-30' }
    for (const query_type of [
      'revenue',
      'movements',
      'cash',
      'credits',
      'waterfall',
      'receivables',
      'trial_balance',
      'collections',
    ]) {
      const asked = { query_type, ...range }
      const { data } = await direct.query('ledger', asked, {})
      expect(data, query_type).not.toEqual([])
      const sources: string[] = []
      const onOrigin = ({ source }: { readonly source: string }) => sources.push(source)
      expect((await cached.engine.query('ledger', asked, {}, { onOrigin })).data, query_type).toEqual(data)
      expect(sources, query_type).toEqual([query_type === 'collections' ? 'replica' : 'cache'])
    }
    // A list of one name is that name.
    const named = { query_type: ['collections'], ...range }
    expect((await cached.engine.query('ledger', named)).data).toEqual((await direct.query('ledger', named)).data)
    const kinds = await direct.fieldValues('ledger', 'charge_kind')
    expect(await cached.engine.fieldValues('ledger', 'charge_kind')).toEqual(kinds)
    expect(JSON.stringify(kinds)).toContain('recurring')
    expect(cached.cache.failures()).toEqual([])
    // A verification asks the cache for no row of the collections, which would fail there and send the whole check to the replica.
    const before = cached.cache.answered()
    const check = ['rows_sum_to_numbers', 'groups_add_up', 'books_roll_forward', 'books_balance']
    const report = await cached.engine.verification.run({ ...range, check, time_limit_s: 280 })
    expect(report.checks.map(({ name, ok, is_complete }) => [name, ok, is_complete])).toEqual(
      check.map((name) => [name, true, true]),
    )
    expect(cached.cache.failures()).toEqual([])
    expect(cached.cache.answered() - before).toBe(4)
  })

  it('leaves to the replica what a connector does not let it hold', async () => {
    const items = [{ type: 'RECURRING', amount: '120.00', days: ['2025-01-15', '2025-04-15'] as const, phase: 'gold-evergreen' }]
    const rows = ledgerRows([{ currency: 'USD' }], [{ account: 1, on: '2025-01-15', items }])
    const { database } = await fillDatabase(target, rows)
    const killbill = createKillbillConnector({ tenant: ['all'], catalog: [] })
    if (killbill.mirror === undefined) throw new Error('Kill Bill has a mirror')
    const connector = { ...killbill, mirror: { ...killbill.mirror, straight: BOOKS } }
    const now = new Date('2025-07-05T00:00:00Z')
    const { engine, cache } = await cachedEngineOver(database, { connector, now })
    await cache.ready()
    for (const field of ['plan', 'subscription_id', 'invoice_id']) {
      const before = cache.answered()
      const values = await engine.fieldValues('ledger', field)
      expect(cache.answered(), field).toBe(before)
      if (field !== 'subscription_id') expect(JSON.stringify(values)).toMatch(/gold|00000020-/)
    }
    const { data } = await engine.query('ledger', { query_type: 'revenue', start: '2025-01-01', end: '2025-01-31' })
    expect(data).toMatchObject([{ billed: 12000, recognized: 2267 }])
    expect(cache.failures()).toEqual([])
  })
})
