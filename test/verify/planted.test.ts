import { beforeAll, expect, it } from 'vitest'
import { send } from '../../src/cache/held/held-tables.ts'
import { sql, value } from '../../src/connector-kit/query-runner.ts'
import type { MetricContext, MetricDefinition, MetricResult } from '../../src/metrics/define-metric.ts'
import { createRegistry } from '../../src/metrics/registry.ts'
import type { CacheDatabase } from '../../src/ports/cache-database.ts'
import type { Row } from '../../src/ports/rows.ts'
import { VERIFY_CHECKS } from '../../src/trust/verify/list.ts'
import { loadReal } from '../support/data/killbill/load-killbill.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { firstEngineAndOneOther, sampleOf } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { mainMetrics } from '../support/product/billing-metrics.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { type EngineOptions, engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

const DAYS = { start: '2025-11-21', end: '2026-11-20' }
const OPTIONS: EngineOptions = { tenant: ['alpha'], definitions: { allow_unpriced: true } }

type Change = (row: Row, context: MetricContext) => Row

/** Checks that ask each metric for itself. They take minutes over all of them. */
const OF_EACH_METRIC = ['groups_add_up', 'filter_gives_group', 'rows_sum_to_numbers']

/** The metrics that a check is run over for a defect of one of them: all, or this one with those that it needs. */
function metricsFor(check: string, metric = ''): readonly MetricDefinition[] {
  const all = mainMetrics(metric)
  const needed = [metric, ...(all.find(({ name }) => name === metric)?.depends_on ?? [])]
  return all.filter(({ name }) => needed.includes(name) || !OF_EACH_METRIC.includes(check))
}

/** The metrics for a check, with one query, as `metric.query_type`, in whose last row `change` plants a defect. */
function registryWith(check: string, name: string, change: Change) {
  const [metric, type = ''] = name.split('.')
  const metrics = metricsFor(check, metric).map((definition): MetricDefinition => {
    const own = definition.queries[type]
    if (definition.name !== metric || own === undefined) return definition
    const run: typeof own.run = async (context) => changed(await own.run(context), (row) => change(row, context))
    return { ...definition, queries: { ...definition.queries, [type]: { ...own, run } } }
  })
  return createRegistry(metrics)
}

function changed(result: MetricResult, change: (row: Row) => Row): MetricResult {
  switch (result.kind) {
    case 'scalar':
      return result
    case 'object':
      return { ...result, value: change(result.value as Row) }
    case 'rows':
      return { ...result, rows: [...result.rows.slice(0, -1), ...result.rows.slice(-1).map((row) => change(row as Row))] }
  }
}

/** Adds to a measure. */
const more =
  (measure: string, isPlanted: (context: MetricContext) => boolean = () => true, by = 1): Change =>
  (row, context) =>
    isPlanted(context) ? { ...row, [measure]: Number(row[measure]) + by } : row

const isBy = (key: string) => (context: MetricContext) => context.request.dimensions.some((field) => field.key === key)

/** Checks, the query with the defect, the defect, and the first offending id. */
const PLANTED: readonly (readonly [check: string, query: string, change: Change, id: string])[] = [
  ['mrr_adds_up', 'mrr.arr', more('arr'), ''],
  ['breakdown_is_net_change', 'mrr.breakdown', more('amount_base'), ''],
  ['movements_explain_customers', 'mrr.breakdown', more('amount_base'), ''],
  ['arpu_times_customers', 'mrr.current', more('mrr'), ''],
  ['groups_add_up', 'churn.logo', more('churn_count', isBy('source_id')), 'churn.logo by source_id'],
  ['filter_gives_group', 'mrr.current', more('mrr', ({ request }) => request.conditions.length > 0), ''],
  ['segment_splits_total', 'mrr.current', more('mrr', ({ request }) => request.audience !== undefined), 'mrr'],
  ['retention_in_bounds', 'retention.grr', more('start_mrr'), ''],
  ['churned_customers_listed', 'churn.logo', more('churn_count'), 'churn.detail'],
  ['lost_revenue_listed', 'churn.revenue_events', more('mrr_cents'), 'churn.revenue_events'],
  ['trials_add_up', 'trials.funnel', more('pending'), ''],
  ['cohorts_begin_whole', 'retention.cohort_matrix', more('active_count'), ''],
  ['usage_adds_up', 'usage_revenue.by_customer', more('revenue'), ''],
  ['base_currency_unchanged', 'mrr.current', more('mrr', isBy('source')), 'mrr.current USD'],
  ['summary_agrees', 'summary.headline', more('mrr'), 'summary mrr'],
  ['books_roll_forward', 'ledger.credits', more('credits_issued'), ''],
  ['books_roll_forward', 'ledger.waterfall', more('recognized'), ''],
  ['books_balance', 'ledger.receivables', more('balance'), 'receivables by age all'],
  ['books_add_up', 'ledger.cash', more('net'), 'cash all'],
  ['books_add_up', 'ledger.revenue', more('recognized'), 'revenue all'],
  ['books_add_up', 'ledger.trial_balance', more('debit', ({ request }) => request.ledger?.known_at !== undefined), ''],
  ['books_by_record', 'ledger.credits', more('closing_credits', isBy('customer_id'), -1e9), ''],
  // The check may have no time left for later queries. Of the first one it takes the largest row, so the changed one becomes it.
  ['rows_sum_to_numbers', 'mrr.current', more('mrr', isBy('plan_id'), 1e9), 'mrr.current mrr'],
]

/** Checks with defects of their own below. */
const OTHERS = ['rates_complete', 'prices_complete', 'history_agrees', 'cached_equals_direct', 'waterfall_closes']

it('each check has a planted defect', () => {
  expect([...new Set([...PLANTED.map(([check]) => check), ...OTHERS])].sort()).toEqual([...VERIFY_CHECKS].sort())
})

firstEngineAndOneOther('planted defects', (target) => {
  let shared: TestDatabase
  beforeAll(async () => {
    shared = await sharedReal(target)
  })
  const verify = async (database: TestDatabase, options: EngineOptions, check: readonly string[] | string) => {
    const engine = await engineOver(database, { ...OPTIONS, ...options })
    try {
      return await engine.verification.run({ ...DAYS, check })
    } finally {
      await engine.close()
    }
  }

  it('a waterfall that does not close is named with its month', async () => {
    const report = await verify(
      shared,
      { registry: registryWith('waterfall_closes', 'mrr.waterfall', more('ending_mrr')) },
      'waterfall_closes',
    )
    expect(report.ok).toBe(false)
    const [check] = report.checks
    expect(check).toMatchObject({ name: 'waterfall_closes', ok: false, difference: 1 })
    expect(check?.ids[0]).toBe('all 2026-11-01')
    expect(check?.message).toContain('ending MRR of 2026-11-01, all')
  })

  // The checks compare answers, which are those of every engine, so another engine gets few of them.
  it.each(sampleOf(target, PLANTED, { first: 2 }))('%s notices a defect of %s', async (check, query, change, id) => {
    const report = await verify(shared, { registry: registryWith(check, query, change) }, check)
    expect(report.checks).toMatchObject([{ name: check, ok: false }])
    const [found] = report.checks
    expect(found?.ids.length).toBeGreaterThan(0)
    if (id !== '') expect(found?.ids[0]).toBe(id)
    expect(found?.message).not.toContain('could not be finished')
    const registry = createRegistry(metricsFor(check, query.slice(0, query.indexOf('.'))))
    expect((await verify(shared, { registry }, check)).ok).toBe(true)
  })

  it('missing rates are named by pair, and checks in the base currency do not apply', async () => {
    const store = await ratesOnly('date,from,to,rate\n')
    const report = await verify(shared, { store }, ['rates_complete', 'waterfall_closes'])
    const [rates, waterfall] = report.checks
    expect(report.ok).toBe(false)
    expect(rates).toMatchObject({ ok: false, ids: ['JPY/USD', 'EUR/USD', 'GBP/USD'] })
    expect(rates?.actual).toBeGreaterThan(0)
    expect(waterfall?.ok).toBeNull()
    expect(waterfall?.message).toContain('not checked: ')
  })

  it('an event changed by hand is a history row that disagrees, and its plan has no price', async () => {
    const database = await target.createDatabase()
    await loadReal(database)
    const [event] = await database.adminQuery(
      `select e.record_id, e.id from subscription_events e join tenants t on t.record_id = e.tenant_record_id
       where t.external_key = 'alpha' and e.user_type = 'CREATE' and e.phase_name like '%-evergreen' and e.is_active = true
       order by e.record_id desc limit 1`,
    )
    await database.adminQuery(
      `update subscription_events set plan_name = 'ghost', phase_name = 'ghost-evergreen' where record_id = ${event?.['record_id']}`,
    )
    const checks = ['history_agrees', 'prices_complete']
    const report = await verify(database, { definitions: { allow_unpriced: false } }, checks)
    const [prices, history] = report.checks
    expect(history).toMatchObject({ name: 'history_agrees', ok: false, ids: [event?.['id']] })
    expect(history?.message).toBe(
      `subscription_events ${event?.['id']}: plan_name, phase_name differs from the newest row of subscription_event_history`,
    )
    expect(prices).toMatchObject({ name: 'prices_complete', ok: false, ids: ['ghost'] })
    // The configuration may accept that.
    const [accepted] = (await verify(database, {}, 'prices_complete')).checks
    expect(accepted).toMatchObject({ ok: true, count: 1, ids: [] })
    expect(accepted?.message).toMatch(
      /^1 plans without a price \(allow_unpriced counts them as 0: ghost in [A-Z]{3}, 1 subscription\)$/,
    )
  })

  it('a changed row of the cache is named by its customer', async () => {
    let database: CacheDatabase | undefined
    const keep = (opened: CacheDatabase) => {
      database = opened
      return opened
    }
    const { engine } = await cachedEngineOver(shared, OPTIONS, { wrap: keep })
    try {
      // Another day than that of the check: the cache remembers answers as long as nothing changes.
      const levels = (await engine.query('mrr', { query_type: 'current', at: '2026-10-31' }, { dimensions: ['customer_id'] }))
        .data
      const [customer] = (levels as { customer_id: string; mrr: number }[]).filter(({ mrr }) => mrr > 0)
      await database?.write((writer) =>
        send(
          writer,
          sql`update cached_subscription_span set mrr_cents = mrr_cents + 100, subscription_mrr_cents = subscription_mrr_cents + 100
            where customer_key in (select customer_key from cached_customer where customer_id = ${value(customer?.customer_id ?? '', 'text')})`,
        ),
      )
      const report = await engine.verification.run({ ...DAYS, check: 'cached_equals_direct' })
      expect(report.checks).toMatchObject([{ ok: false }])
      expect(report.checks[0]?.ids[0]).toBe(customer?.customer_id)
    } finally {
      await engine.close()
    }
  })
})
