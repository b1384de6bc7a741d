import { expect, it } from 'vitest'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { ledgerRows } from '../support/data/ledger-rows.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { directAndCached } from '../support/product/direct-and-cached.ts'

oneEngineInRotation('the ledger beside a cache', (target) => {
  it('answers the same, straight from the replica', async () => {
    const items = [{ type: 'RECURRING', amount: '120.00', days: ['2025-01-15', '2025-04-15'] as const }]
    const { database } = await fillDatabase(target, ledgerRows([{ currency: 'USD' }], [{ account: 1, on: '2025-01-15', items }]))
    const { direct, cached } = await directAndCached(database, () => '2025-07-05 00:00:00')
    const range = { start: '2025-01-01', end: '2025-04-30' }
    for (const query_type of ['revenue', 'movements', 'cash', 'credits', 'waterfall', 'receivables', 'trial_balance']) {
      const asked = { query_type, ...range }
      const { data } = await direct.query('ledger', asked, {})
      expect(data, query_type).not.toEqual([])
      const sources: string[] = []
      const onOrigin = ({ source }: { readonly source: string }) => sources.push(source)
      expect((await cached.engine.query('ledger', asked, {}, { onOrigin })).data, query_type).toEqual(data)
      expect(sources).toEqual(['replica'])
    }
    // A verification asks the cache for no row of the ledger, which would fail there and send the whole check to the replica.
    const before = cached.cache.answered()
    const check = ['rows_sum_to_numbers', 'groups_add_up', 'books_roll_forward', 'books_balance']
    const report = await cached.engine.verification.run({ ...range, check, time_limit_s: 280 })
    expect(report.checks.map(({ name, ok, is_complete }) => [name, ok, is_complete])).toEqual(
      check.map((name) => [name, true, true]),
    )
    expect(cached.cache.failures()).toEqual([])
    expect(cached.cache.answered() - before).toBe(2)
  })
})
