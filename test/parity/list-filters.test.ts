import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { firstEngineAndOneOther, sampleOf } from '../support/databases/rotation.ts'
import type { Target } from '../support/databases/targets.ts'
import { recordsOf } from '../support/oracles/record-loops.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Cells = Readonly<Record<string, unknown>>

interface Page {
  readonly total: number
  readonly rows: readonly Cells[]
}

/** The subscriptions of the recorded tenant by plain loops. */
const EXPECTED = recordsOf('alpha').subscriptions

/** Fields of a subscription that its row shows. */
const SHOWN = [
  ...['plan_id', 'plan_name', 'plan_interval', 'billing_period', 'product_name', 'product_category'],
  ...['price_list', 'phase_type', 'collection_method', 'currency', 'pending_cancellation'],
]

/** Further fields by which the metric can be grouped. */
const GROUPED = [
  ...['pricing_model', 'usage_type', 'mrr_band', 'arr_band', 'customer_country', 'cohort_month'],
  ...['customer_created_month', 'tenure_months', 'source', 'tenant'],
]

/** Further fields of the subscription that renews. */
const RENEWING = ['product_name', 'price_list', 'phase_type', 'mrr_band', 'pending_cancellation', 'subscription.status']

const SHARE = { first: 5, others: 7 }

const sumOf = (rows: readonly Cells[], field = 'mrr_base_cents') => rows.reduce((sum, row) => sum + Number(row[field]), 0)
const idsOf = (rows: readonly Cells[], field = 'id') => rows.map((row) => row[field]).sort()
/** The filter for a value of a field. A group without a value is the rows that lack it. */
const filterOf = (field: string, value: unknown) => ({
  filters: { [field]: value === null ? { is_empty: true } : typeof value === 'object' ? value : String(value) },
})

/** A few values of a field, from its first to its last, and those without one. */
function someOf(values: Iterable<unknown>): readonly unknown[] {
  const all = [...values]
  return all.filter((value, index) => value === null || index % Math.ceil(all.length / 4) === 0)
}

firstEngineAndOneOther('a filter on a field of the rows chooses rows', (target) => {
  describe('straight', () => cases(target, engineOver))
  describe('from the cache', () => cases(target, async (...given) => (await cachedEngineOver(...given)).engine))
})

function cases(target: Target, open: (...given: Parameters<typeof engineOver>) => Promise<Engine>): void {
  let engine: Engine
  beforeAll(async () => {
    engine = await open(await sharedReal(target), { tenant: ['alpha'] })
  })
  afterAll(() => engine.close())

  const whole = async (read: (page: Cells) => Promise<{ readonly data: unknown }>): Promise<Page> => {
    const rows: Cells[] = []
    for (;;) {
      const page = (await read({ limit: 1000, offset: rows.length })).data as Page
      rows.push(...page.rows)
      if (rows.length >= page.total) return { total: page.total, rows }
    }
  }
  const subscriptions = (spec: Cells) => whole((page) => engine.list('subscriptions', page, spec))
  const renewals = (spec: Cells = {}) => whole((page) => engine.renewals({ ...page, range: 'next-3-months' }, spec))
  const mrr = async (spec: Cells) => (await engine.query('mrr', {}, spec)).data

  it('subscriptions billed by the year are those of the metric', async () => {
    const { rows } = await subscriptions({ filters: { billing_period: 'ANNUAL' } })
    expect(idsOf(rows)).toEqual(idsOf(EXPECTED.filter((row) => row['billing_period'] === 'ANNUAL')))
    expect(sumOf(rows)).toBe(689_702)
    expect(await mrr({ filters: { billing_period: 'ANNUAL' } })).toBe(689_702)
  })

  it.each(sampleOf(target, SHOWN, SHARE))(
    '%s of a subscription is what the row shows, and adds up to the metric',
    async (field) => {
      const values = new Set(EXPECTED.map((row) => row[field] ?? null))
      expect(values.size).toBeGreaterThan(0)
      for (const value of someOf(values)) {
        const { rows } = await subscriptions(filterOf(field, value))
        expect(idsOf(rows), `${field}=${String(value)}`).toEqual(idsOf(EXPECTED.filter((row) => (row[field] ?? null) === value)))
        expect(await mrr(filterOf(field, value)), `${field}=${String(value)}`).toBe(sumOf(rows))
      }
    },
  )

  it.each(sampleOf(target, GROUPED, SHARE))('subscriptions by %s add up to the metric', async (field) => {
    const groups = (await mrr({ dimensions: [field] })) as readonly Cells[]
    expect(groups.length).toBeGreaterThan(0)
    for (const value of someOf(groups.map((group) => group[field]))) {
      const { rows } = await subscriptions(filterOf(field, value))
      expect(sumOf(rows), `${field}=${String(value)}`).toBe(groups.find((group) => group[field] === value)?.['mrr'])
    }
  })

  it.each([
    ['parts of a text', { plan_name: { contains: 'month' } }],
    ['a list of values', { plan_interval: ['year', 'week'], customer_country: { 'not in': ['DE', 'US'] } }],
    ['no such value', { billing_period: { '!=': 'MONTHLY' }, currency: 'EUR' }],
    ['an attribute of the customer', { 'attr.tier': { is_not_empty: true }, phase_type: 'evergreen' }],
    ['a field of the customer', { 'customer.currency': 'USD', product_category: 'BASE' }],
  ])('%s narrows list and metric alike', async (_, filters) => {
    const { rows, total } = await subscriptions({ filters })
    expect(total).toBeGreaterThan(0)
    expect(total).toBeLessThan(EXPECTED.length)
    expect(sumOf(rows)).toBe(await mrr({ filters }))
  })

  it('names with “subscription.” mean the row too, also its status and currency', async () => {
    for (const [field, value] of [
      ['status', 'canceled'],
      ['currency', 'EUR'],
      ['plan_id', EXPECTED[0]?.['plan_id']],
    ] as const) {
      const { rows } = await subscriptions(filterOf(`subscription.${field}`, value))
      expect(idsOf(rows)).toEqual(idsOf(EXPECTED.filter((row) => row[field] === value)))
    }
    const { rows } = await subscriptions({ filters: { 'subscription.trial_end': { is_not_empty: true } } })
    expect(idsOf(rows)).toEqual(idsOf(EXPECTED.filter((row) => row['trial_end'] !== null)))
  })

  it('customers are those with such a subscription, and a segment stays about customers', async () => {
    const running = EXPECTED.filter(({ status }) => ['active', 'trialing', 'paused'].includes(String(status)))
    const annual = running.filter((row) => row['billing_period'] === 'ANNUAL').map((row) => row['customer_id'])
    const customers = await whole((page) => engine.list('customers', page, { filters: { billing_period: 'ANNUAL' } }))
    expect(idsOf(customers.rows)).toEqual([...new Set(annual)].sort())
    const segment = JSON.stringify({ root: { op: 'and', conditions: [{ field: 'billing_period', op: '=', value: 'ANNUAL' }] } })
    const { rows } = await subscriptions({ segment })
    expect(rows.length).toBe(84)
    expect(sumOf(rows)).toBe(1_110_753)
  })

  it.each(['billing_period', 'plan_id', 'currency', 'quantity'])('%s of a renewal is that of the row', async (field) => {
    const all = await renewals()
    const name = field === 'quantity' ? 'subscription.quantity' : field
    for (const value of someOf(new Set(all.rows.map((row) => row[field])))) {
      const { rows } = await renewals(filterOf(name, value))
      expect(rows).toEqual(all.rows.filter((row) => row[field] === value))
    }
  })

  it('renewals by other fields of the subscription are parts of all', async () => {
    const all = await renewals()
    for (const field of sampleOf(target, RENEWING, SHARE)) {
      const groups = field.includes('.') ? ['active'] : ((await mrr({ dimensions: [field] })) as Cells[]).map((row) => row[field])
      const parts = await Promise.all(groups.map((value) => renewals(filterOf(field, value))))
      expect(
        idsOf(
          parts.flatMap(({ rows }) => rows),
          'subscription_id',
        ),
      ).toEqual(idsOf(all.rows, 'subscription_id'))
    }
  })

  it('findings of billing health are those of the plan, and so are its sums', async () => {
    const read = (spec: Cells) => whole((page) => engine.billingFindings(page, spec))
    const all = await read({})
    const plans = new Set(all.rows.map((row) => row['plan_id']))
    expect(plans.size).toBeGreaterThan(2)
    for (const plan of someOf(plans)) {
      const { rows } = await read(filterOf('plan_id', plan))
      expect(rows).toEqual(all.rows.filter((row) => row['plan_id'] === plan))
    }
    const sums = async (spec: Cells) => (await engine.billingHealth({}, spec)).data as Cells
    const periods = new Set(EXPECTED.map((row) => row['billing_period'] ?? null))
    const parts = await Promise.all([...periods].map((value) => sums(filterOf('billing_period', value))))
    const { agreed_base_cents, billed_base_cents } = await sums({})
    expect([sumOf(parts, 'agreed_base_cents'), sumOf(parts, 'billed_base_cents')]).toEqual([agreed_base_cents, billed_base_cents])
  })

  it('notices about a subscription are those of the plan', async () => {
    const read = (spec: Cells) => whole((page) => engine.billingNotices(page, spec))
    const all = (await read({})).rows.filter((row) => row['subscription_id'] !== null)
    expect(all.length).toBeGreaterThan(0)
    for (const plan of someOf(new Set(all.map((row) => row['plan_id'])))) {
      const { rows } = await read(filterOf('plan_id', plan))
      const own = rows.filter((row) => row['subscription_id'] !== null)
      expect(own).toEqual(all.filter((row) => row['plan_id'] === plan))
    }
  })
}
