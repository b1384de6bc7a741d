import { expect, it } from 'vitest'
import { createRegistry } from '../../src/metrics/registry.ts'
import { CHECKS } from '../../src/trust/verify/list.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { mainMetrics } from '../support/product/billing-metrics.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

const RANGE = { start: '2025-11-21', end: '2026-11-20' }
/** All but the ledger, which has none of the options of MRR and no zone, and whose checks take long. */
const REGISTRY = createRegistry(mainMetrics())
const OTHERS = CHECKS.map(({ name }) => name).filter((name) => !name.startsWith('books_'))
/** Checks that count what is missing. */
const OF_GAPS = ['rates_complete', 'prices_complete']

firstEngineAndOneOther('verification of the recorded data', (target) => {
  it('holds in every check, from the cache', async () => {
    const options = { tenant: ['alpha'], definitions: { allow_unpriced: true } }
    const { engine } = await cachedEngineOver(await sharedReal(target), options)
    const seen: string[] = []
    try {
      const report = await engine.verification.run(
        { time_limit_s: 280 },
        { onProgress: (_done, _all, check) => check && seen.push(check.name) },
      )
      const bad = report.checks.filter(({ name, ok, count }) => ok !== true || (count === 0 && !OF_GAPS.includes(name)))
      expect(bad).toEqual([])
      expect(seen).toEqual(CHECKS.map(({ name }) => name))
      expect(report).toMatchObject({ ok: true, start: '2025-11-22', end: '2026-11-21', data_through: '2026-11-21T00:00:00.000Z' })
      const named = (name: string) => report.checks.find((check) => check.name === name)
      expect(named('waterfall_closes')).toMatchObject({ expected: 5114837, actual: 5114837, difference: 0, ids: [] })
      expect(named('history_agrees')?.count).toBe(8799)
    } finally {
      await engine.close()
    }
  }, 300_000)

  it('holds in every check of MRR with the other values of the options', async () => {
    const options = {
      fx: 'period_end',
      grain: 'customer',
      pause: 'keep',
      nrr_reactivation: 'include',
      swap_window: 10_080,
      reactivation_window: 30,
      time_zone: 'America/Los_Angeles',
    } as const
    const definitions = { allow_unpriced: true, ...options }
    const { engine } = await cachedEngineOver(await sharedReal(target), { tenant: ['all'], definitions, registry: REGISTRY })
    try {
      const check = OTHERS.filter((name) => name !== 'history_agrees')
      const report = await engine.verification.run({ ...RANGE, check })
      expect(report.checks.filter(({ ok }) => ok !== true)).toEqual([])
      const rows = (await engine.query('mrr', { query_type: 'waterfall', ...RANGE })).data as readonly Record<string, number>[]
      expect(rows.filter(({ fx_effect }) => fx_effect !== 0).length).toBeGreaterThan(3)
    } finally {
      await engine.close()
    }
  }, 300_000)

  it.each(['America/Los_Angeles', 'Asia/Kolkata'])(
    'holds in every check with the days of %s (D84)',
    async (time_zone) => {
      const options = { definitions: { allow_unpriced: true, time_zone }, sets: { usual: { time_zone: 'UTC' } } }
      const { engine } = await cachedEngineOver(await sharedReal(target), { tenant: ['alpha'], registry: REGISTRY, ...options })
      try {
        const report = await engine.verification.run({ ...RANGE, check: OTHERS })
        const bad = report.checks.filter(({ name, ok, count }) => ok !== true || (count === 0 && !OF_GAPS.includes(name)))
        expect(bad).toEqual([])
        const asked = { query_type: 'series', interval: 'day', ...RANGE }
        const [zoned, usual] = [await engine.query('mrr', asked), await engine.query('mrr', { ...asked, definitions: 'usual' })]
        expect([zoned.meta.time_zone, usual.meta.time_zone]).toEqual([time_zone, undefined])
        expect(zoned.data).not.toEqual(usual.data)
      } finally {
        await engine.close()
      }
    },
    300_000,
  )

  it('runs the named checks alone, and says why one does not apply', async () => {
    const engine = await engineOver(await sharedReal(target), { tenant: ['alpha'], definitions: { allow_unpriced: true } })
    try {
      const report = await engine.verification.run({ ...RANGE, check: ['cached_equals_direct', 'lost_revenue_listed'] })
      expect(report.checks.map(({ name, ok }) => [name, ok])).toEqual([
        ['cached_equals_direct', null],
        ['lost_revenue_listed', true],
      ])
      expect(report.checks[0]?.message).toBe(
        'not checked: There is no cache: cache.mode is off, or the database is embedded or on Trino.',
      )
      expect(report.ok).toBe(true)
      const controller = new AbortController()
      controller.abort(new Error('left'))
      await expect(engine.verification.run(RANGE, { signal: controller.signal })).rejects.toThrow('left')
      // The next verification does not wait for the cancelled one.
      expect((await engine.verification.run({ ...RANGE, check: 'trials_add_up' })).ok).toBe(true)
    } finally {
      await engine.close()
    }
  })
})
