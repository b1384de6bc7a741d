import { beforeAll, expect, it } from 'vitest'
import { sqlNow } from '../../src/core/periods.ts'
import { type Filled, fillDatabase } from '../support/data/histories/filled-database.ts'
import { GENERATED_RATES, generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { HISTORIES } from '../support/data/histories/history-seeds.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { isFirst } from '../support/databases/targets.ts'
import { foldTables } from '../support/oracles/fold/fold-tables.ts'
import { COMPARED, differences, foldRows } from '../support/oracles/fold/relation-differences.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'
import { relationRows } from '../support/product/relation-rows.ts'
import { sharpenColumns, withFractions } from './history-fractions.ts'

const [SEED, ACCOUNTS] = HISTORIES.fractions
/** Seconds in which rows lie: all of them count. */
const NOWS = ['2024-03-16T12:00:00Z', '2024-06-01T23:59:59Z', '2025-01-15T00:00:00Z']
const RANGE = { start: '2024-01-01', end: '2025-01-15' }
const METRICS = [
  ['mrr', { query_type: 'current' }],
  ['mrr', { query_type: 'breakdown', ...RANGE }],
  ['mrr', { query_type: 'series', interval: 'day', ...RANGE }],
  ['churn', { query_type: 'detail', ...RANGE }],
  ['retention', { query_type: 'cohort_matrix', ...RANGE }],
  ['retention', { query_type: 'revenue_cohort_matrix', ...RANGE }],
  ['ltv', { query_type: 'cohort', ...RANGE }],
  ['trials', { query_type: 'series', ...RANGE }],
  ['usage_revenue', { query_type: 'total', ...RANGE }],
] as const

oneEngineInRotation(`instants with fractions of a second, seed ${SEED}`, (target) => {
  let filled: Filled
  beforeAll(async () => {
    filled = await fillDatabase(target, {})
    await sharpenColumns(filled.database)
    for (const [table, rows] of Object.entries(generatedHistory(SEED, ACCOUNTS, withFractions(SEED))))
      await filled.add(table, rows)
  })

  // The second engine is asked as of one of the seconds, in turns.
  const nows = sampleOf(target, NOWS, { first: 1, others: NOWS.length })

  it.each(nows)('relations and fold say the same as of the second %s (D1, D2)', async (at) => {
    const { database, tables } = filled
    const now = new Date(at)
    const request = { now, rates: GENERATED_RATES, tenant: ['all'], params: { usage_invoices_only: false } }
    const sql = await relationRows(database, COMPARED, request)
    const fold = foldRows(foldTables(tables, { now: sqlNow(now), base_currency: 'USD', rates: GENERATED_RATES }))
    expect(fold.mrr_span.filter(({ valid_from }) => String(valid_from).includes('.')).length).toBeGreaterThan(50)
    expect(COMPARED.flatMap((name) => differences(name, sql[name], fold[name], tables) || []).join('\n\n')).toBe('')
  })

  // A cache is filled for each second, so that every engine is asked as of one of them, in turns.
  const filledAt = sampleOf(target, NOWS, { first: NOWS.length, others: NOWS.length, shift: isFirst(target) ? 0 : 1 })

  it.each(filledAt)('cached answers are the direct ones as of the second %s', async (at) => {
    const options = {
      tenant: ['all'],
      now: new Date(at),
      definitions: { allow_unpriced: true },
      store: await ratesOnly(RATES_CSV),
    }
    const direct = await engineOver(filled.database, options)
    const { engine: cached, cache } = await cachedEngineOver(filled.database, options)
    const asked = sampleOf(target, METRICS, { first: 2, others: 3 })
    for (const [metric, params] of asked) {
      const [one, other] = [await direct.query(metric, params), await cached.query(metric, params)]
      expect(other.data, JSON.stringify([metric, params])).toEqual(one.data)
    }
    for (const list of ['customers', 'subscriptions'] as const) {
      const [one, other] = [await direct.list(list, { limit: '1000' }), await cached.list(list, { limit: '1000' })]
      expect(other.data, list).toEqual(one.data)
    }
    expect([cache.failures(), cache.answered()]).toEqual([[], asked.length + 2])
    await Promise.all([direct.close(), cached.close()])
  })
})
