import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { readExample } from '../support/data/example-tables.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

interface Page {
  readonly total: number
  readonly sum: number
  readonly measure: string
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

const RATES = join(packageRoot(), 'fixtures', 'killbill', 'worked-example', 'fx.csv')
const RANGE = { start: '2025-03-01', end: '2025-05-31' }

everyEngine('rows behind the numbers of the worked example', (target) => {
  let engine: Engine
  beforeAll(async () => {
    const { database } = await fillDatabase(target, readExample('worked-example').given)
    engine = await engineOver(database, {
      now: new Date('2025-06-05T00:00:00Z'),
      store: await ratesOnly(readFileSync(RATES, 'utf8')),
    })
  })

  const rowsOf = async (metric: string, params: object, spec: object = {}): Promise<Page> => {
    const { data } = await engine.metricRows(metric, { ...params }, { ...spec })
    return data as Page
  }

  it('lists the four expansions, with the subscription before and after, the largest first', async () => {
    const page = await rowsOf('mrr', { query_type: 'breakdown', ...RANGE, movement_type: 'expansion' })
    expect(page).toMatchObject({ total: 4, sum: 13600, measure: 'amount_base' })
    const amounts = page.rows.map(({ amount_base_cents }) => Number(amount_base_cents))
    expect(amounts).toEqual([...amounts].sort((a, b) => b - a))
    expect(amounts.reduce((sum, one) => sum + one)).toBe(13600)
    for (const row of page.rows) {
      expect(row).toMatchObject({ movement_type: 'expansion', count: 1 })
      expect(Number(row['mrr_after_cents']) - Number(row['mrr_before_cents'])).toBe(row['amount_cents'])
    }
  })

  it('counts movements and customers with one row each', async () => {
    const events = await rowsOf('mrr', { query_type: 'breakdown', ...RANGE, movement_type: 'churn', measure: 'event_count' })
    expect(events).toMatchObject({ total: 3, sum: 3 })
    const lost = await rowsOf('churn', { ...RANGE, granularity: 'month', period: '2025-04-01', measure: 'churn_count' })
    expect(lost).toMatchObject({ total: 1, sum: 1 })
    expect(String(lost.rows[0]?.['occurred_at'])).toMatch(/^2025-04-20T/)
    const live = await rowsOf('churn', { ...RANGE, granularity: 'month', period: '2025-05-01', measure: 'active_at_start' })
    expect(live).toMatchObject({ total: 4, sum: 4 })
  })

  it('counts all periods of a range as one: flows add up, a level is that of the end', async () => {
    const asked = { query_type: 'waterfall', ...RANGE, period: 'all' }
    const sums = { net_change: 4600, starting_mrr: 28833, ending_mrr: 33433, expansion: 13600, churn: -17900 }
    for (const [measure, sum] of Object.entries(sums)) expect(await rowsOf('mrr', { ...asked, measure })).toMatchObject({ sum })
    const lost = await rowsOf('churn', { ...RANGE, granularity: 'month', period: 'all', measure: 'churn_count' })
    expect(lost.sum).toBe((await rowsOf('churn', { ...RANGE, measure: 'churn_count' })).sum)
  })

  it('lists who left a cohort: those of its size that are not active', async () => {
    const asked = { query_type: 'cohort_matrix', start: '2025-01-01', end: '2025-05-31', cohort_month: '2025-01-01' }
    const { data } = await engine.query('retention', { query_type: asked.query_type, start: asked.start, end: asked.end })
    const cells = (data as readonly Readonly<Record<string, unknown>>[]).filter(
      (row) => row['cohort_month'] === asked.cohort_month,
    )
    expect(cells.map((row) => Number(row['cohort_size']) - Number(row['active_count']))).toContain(1)
    for (const { active_month, cohort_size, active_count } of cells) {
      const names = async (measure: string) => {
        const { rows } = await rowsOf('retention', { ...asked, active_month, measure })
        return rows.map(({ customer_id }) => customer_id)
      }
      const left = await names('left_count')
      expect(left.length).toBe(Number(cohort_size) - Number(active_count))
      expect([...left, ...(await names('active_count'))].sort()).toEqual((await names('cohort_size')).sort())
    }
  })

  it('gives the same sum on every page, also after the last', async () => {
    const params = { at: '2025-05-31' }
    const whole = await rowsOf('mrr', params)
    expect(whole.sum).toBe(33433)
    const paged = await Promise.all(
      whole.rows.map((_, offset) => rowsOf('mrr', { ...params, limit: '1', offset: String(offset) })),
    )
    expect(paged.map(({ rows }) => rows[0])).toEqual(whole.rows)
    for (const page of [...paged, await rowsOf('mrr', { ...params, offset: '999' })])
      expect([page.sum, page.total]).toEqual([33433, whole.total])
    expect((await rowsOf('mrr', { ...params, money: 'units' })).sum).toBe('334.33')
  })

  it('adds up to the number of the definition set that the request names', async () => {
    const sums = new Map<string, unknown>()
    for (const definitions of ['default', 'killbill-analytics']) {
      const params = { at: '2025-05-31', definitions }
      const { sum } = await rowsOf('mrr', params)
      expect(sum).toBe((await engine.query('mrr', params)).data)
      sums.set(definitions, sum)
    }
    expect(sums.get('default')).toBe(33433)
    expect(sums.get('killbill-analytics')).not.toBe(33433)
    await expect(engine.metricRows('mrr', { definitions: 'other' })).rejects.toMatchObject({ code: 'invalid_value' })
  })

  it('counts the months of a cohort and the charges of a month', async () => {
    const usage = await rowsOf('usage_revenue', {
      query_type: 'series',
      start: '2025-01-01',
      end: '2025-05-31',
      period: '2025-03-01',
    })
    expect(usage).toMatchObject({ total: 1, sum: 1500 })
    const [row] = (await engine.query('usage_revenue', { query_type: 'by_customer', ...RANGE })).data as Record<string, unknown>[]
    const [customer_id, customer_name] = [`customer_id=${row?.['customer_id']}`, `customer_name=${row?.['customer_name']}`]
    for (const group of [[customer_id], [customer_id, customer_name]]) {
      const listed = await rowsOf('usage_revenue', { query_type: 'by_customer', ...RANGE, group })
      expect(listed.sum).toBe(row?.['revenue'])
    }
    const other = { query_type: 'by_customer', ...RANGE, group: [customer_id, 'customer_name=Nobody'] }
    expect(await rowsOf('usage_revenue', other)).toMatchObject({ total: 0, sum: 0 })
    const trials = await rowsOf('trials', { query_type: 'funnel', start: '2025-01-01', end: '2025-03-31', measure: 'expired' })
    expect(trials).toMatchObject({ total: 1, sum: 1 })
    expect(String(trials.rows[0]?.['occurred_at'])).toMatch(/^2025-03-01T/)
  })

  it.each([
    ['an unknown measure', { measure: 'arr' }, 'params.measure', ['mrr']],
    ['a period of a day', { period: '2025-05-01' }, 'params.period', []],
    ['all periods of a day', { period: 'all' }, 'params.period', []],
    ['a movement type of a level', { movement_type: 'new' }, 'params.movement_type', []],
    ['an unknown dimension as a group', { group: ['colour=red'] }, 'params.group', undefined],
    ['two values of a group', { group: ['plan_id=gold', 'plan_id=silver'] }, 'params.group', undefined],
    ['an order', { order: 'mrr' }, 'params.order', undefined],
    ['a page of too many rows', { limit: '1001' }, 'params.limit', undefined],
  ])('refuses %s and names what is allowed', async (_, params, where, available) => {
    const error = await engine.metricRows('mrr', { at: '2025-05-31', ...params }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ status: 400 })
    expect(error).toHaveProperty('issues', expect.arrayContaining([expect.objectContaining({ where })]))
    if (available !== undefined) expect(error).toHaveProperty('context.available', available)
  })

  it('refuses a number that its keys do not name, and a query without rows', async () => {
    const missing = { query_type: 'breakdown', ...RANGE, granularity: 'month' }
    await expect(engine.metricRows('mrr', missing)).rejects.toMatchObject({
      code: 'invalid_value',
      issues: [{ where: 'params.period' }, { where: 'params.movement_type' }],
    })
    await expect(engine.metricRows('mrr', { at: '2025-05-31' }, { dimensions: ['plan_id'] })).rejects.toMatchObject({
      issues: [{ where: 'params.group' }],
    })
    await expect(engine.metricRows('mrr', { query_type: 'why', ...RANGE })).rejects.toMatchObject({ code: 'invalid_value' })
    await expect(engine.metricRows('summary')).rejects.toMatchObject({ code: 'unknown_metric' })
  })
})
