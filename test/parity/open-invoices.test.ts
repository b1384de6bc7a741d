import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { recordsOf } from '../support/oracles/record-loops.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Row = Readonly<Record<string, unknown>>
interface Page {
  readonly total: number
  readonly rows: readonly Row[]
}

const { customers, subscriptions, invoices } = recordsOf('alpha')
const LIVE = ['trialing', 'active', 'paused']

/** Number and balance of some open invoices by age, by a loop over the recorded rows. */
function agesOf(rows: readonly Row[]): readonly Row[] {
  return ['0-30', '31-60', '61-90', 'over-90'].map((age) => {
    const own = rows.filter((row) => row['age'] === age)
    return { age, invoices: own.length, balance_base_cents: own.reduce((sum, row) => sum + Number(row['balance_base_cents']), 0) }
  })
}

function of(isWanted: (customer: Row) => boolean): readonly Row[] {
  const ids = new Set(customers.filter(isWanted).map(({ id }) => id))
  return invoices.filter((row) => row['days_open'] !== null && ids.has(row['customer_id']))
}

const isOnPlan = (customer: Row) =>
  subscriptions.some(
    (row) => row['customer_id'] === customer['id'] && row['plan_id'] === PLAN && LIVE.includes(String(row['status'])),
  )
const PLAN = 'pro-monthly'
const BY_COUNTRY = { root: { op: 'and', conditions: [{ field: 'customer.country', op: '=', value: 'US' }] } }

/** Filters on customers, and the open invoices that they leave. */
const CASES: readonly (readonly [name: string, params: Row, filters: Row, wanted: readonly Row[]])[] = [
  ['all', {}, {}, of(() => true)],
  ['a country', {}, { customer_country: 'DE' }, of(({ country }) => country === 'DE')],
  ['a currency', { currency: 'EUR' }, {}, of(({ currency }) => currency === 'EUR')],
  ['a plan', {}, { plan_id: PLAN }, of(isOnPlan)],
  [
    'a plan and a country',
    {},
    { plan_id: PLAN, 'customer.country': 'US' },
    of((one) => isOnPlan(one) && one['country'] === 'US'),
  ],
  ['an age', { age: ['31-60', 'over-90'] }, {}, of(() => true).filter(({ age }) => age === '31-60' || age === 'over-90')],
  [
    'a segment and a plan',
    { segment: JSON.stringify(BY_COUNTRY) },
    { plan_id: PLAN },
    of((one) => isOnPlan(one) && one['country'] === 'US'),
  ],
  ['its tenant', { tenant: 'alpha' }, {}, of(() => true)],
  ['another source', {}, { source_id: ['nowhere'] }, []],
]

firstEngineAndOneOther('open invoices compared with loops over the recorded tables', (target) => {
  let engine: Engine
  beforeAll(async () => {
    engine = await engineOver(await sharedReal(target), { tenant: ['alpha'] })
  })
  const open = async ({ segment, ...params }: Row, filters: Row) => {
    const all = { ...params, open_for_days: 0, order: '-balance_base_cents', limit: 1000 }
    return (await engine.list('invoices', all, { filters, segment })).data as Page
  }

  it.each(CASES)('%s: rows by their balance in the base currency, and their ages', async (_name, params, filters, wanted) => {
    const page = await open(params, filters)
    const { segment, ...rest } = params
    const bySize = wanted.toSorted((a, b) => Number(b['balance_base_cents']) - Number(a['balance_base_cents']))
    expect(page.total).toBe(wanted.length)
    expect(page.rows.map((row) => [row['id'], row['balance_base_cents'], row['age']])).toEqual(
      bySize.map((row) => [row['id'], row['balance_base_cents'], row['age']]),
    )
    const { data, meta } = await engine.invoiceAges(rest, { filters, segment })
    expect(data).toEqual(agesOf(wanted))
    const unknown = {
      code: 'unknown_value',
      count: 1,
      message: 'No row has source_id=nowhere. It has 1 value: 0ba4791f-9345-4786-882c-5ed7b8247834.',
    }
    expect(meta.warnings).toEqual('source_id' in filters ? [unknown] : [])
  })

  it('invoices that were paid and whose money went back are open with their balance', async () => {
    const { rows } = await open({}, {})
    const reopened = rows.filter((row) => row['status'] === 'paid')
    const sum = reopened.reduce((total, row) => total + Number(row['balance_base_cents']), 0)
    expect([reopened.length, sum]).toEqual([8, 85_603])
    expect(reopened.every(({ age, paid_at }) => age !== null && paid_at !== null)).toBe(true)
  })

  it('the cases have several ages and currencies, so that the sums convert', () => {
    const [, , , all] = CASES[0] ?? []
    expect(new Set(all?.map(({ currency }) => currency)).size).toBeGreaterThan(1)
    expect(new Set(all?.map(({ age }) => age)).size).toBe(4)
    for (const [name, , , wanted] of CASES.slice(0, -1)) expect([name, wanted.length > 0]).toEqual([name, true])
  })

  it('an attribute as a filter leaves the invoices of the segment with this attribute', async () => {
    const field = `attr.${(await engine.attributes.list()).find(({ type }) => type === 'boolean')?.key}`
    const segment = JSON.stringify({ root: { op: 'and', conditions: [{ field, op: '=', value: true }] } })
    const some = await open({}, { [field]: 'true' })
    expect(some).toEqual(await open({ segment }, {}))
    expect(some.total).toBeGreaterThan(0)
    expect(some.total).toBeLessThan(of(() => true).length)
  })

  it('wrong filters are refused together, with the fields that exist', async () => {
    const wrong = engine.invoiceAges(
      { age: 'old' },
      { filters: { customer_contry: 'DE', 'attr.nope': 'x', pending_cancellation: 'maybe' } },
    )
    await expect(wrong).rejects.toMatchObject({
      issues: expect.arrayContaining([
        expect.objectContaining({ code: 'invalid_value', where: 'params.age' }),
        expect.objectContaining({ code: 'unknown_filter', where: 'spec.filters.customer_contry' }),
        expect.objectContaining({ code: 'unknown_attribute', where: 'spec.filters.attr.nope' }),
        expect.objectContaining({ code: 'invalid_value', where: 'spec.filters.pending_cancellation' }),
      ]),
    })
    await expect(engine.invoiceAges({ status: 'paid' })).rejects.toMatchObject({ code: 'invalid_value' })
  })
})
