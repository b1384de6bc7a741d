import { beforeAll, expect, it } from 'vitest'
import type { Engine, ListName } from '../../src/engine/engine.ts'
import { LISTS } from '../../src/engine/shapes.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { recordsOf } from '../support/oracles/record-loops.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Row = Readonly<Record<string, unknown>>
interface Page {
  readonly total: number
  readonly rows: readonly Row[]
}

const expected = recordsOf('alpha')
const NAMES: readonly ListName[] = ['customers', 'subscriptions', 'invoices']
const ORDERS: Readonly<Record<ListName, readonly string[]>> = {
  customers: ['-mrr_base_cents,name', 'country,-created_at'],
  subscriptions: ['-pending_cancellation,customer_name', 'plan_id,-ended_at'],
  invoices: ['-paid_at,balance_cents', 'customer_name,-total_cents'],
}
const TODAY = '2026-11-21'

/** By the fields in turn, null last whatever the direction, texts by code point; what is equal stays as it was. */
function sorted(rows: readonly Row[], terms: readonly string[]): Row[] {
  return rows.toSorted((a, b) => {
    for (const term of terms) {
      const field = term.replace(/^-/, '')
      const [one, other] = [a[field] ?? null, b[field] ?? null] as [string | number | null, string | number | null]
      if (one === other) continue
      if (one === null || other === null) return one === null ? 1 : -1
      return one < other === term.startsWith('-') ? 1 : -1
    }
    return 0
  })
}

oneEngineInRotation('order and plain filters of the lists compared with loops over the recorded tables', (target) => {
  let engine: Engine
  beforeAll(async () => {
    engine = await engineOver(await sharedReal(target), { tenant: ['alpha'] })
  })
  const pageOf = async (name: ListName, params: Row, spec: Row = {}) => (await engine.list(name, params, spec)).data as Page
  const idsOf = (rows: readonly Row[]) => rows.map((row) => row['id'])

  it.each(NAMES)('%s sorted by their fields, null last, page by page', async (name) => {
    const fields = Object.keys(LISTS[name].order)
    expect(fields.length).toBeGreaterThan(10)
    // All at once: what is sorted by later is there, whether or not it decides.
    const all = fields.toReversed().map((field, index) => (index % 2 === 0 ? `-${field}` : field))
    const orders = sampleOf(target, [...ORDERS[name], all.join()], { first: 1, others: 3, shift: NAMES.indexOf(name) })
    for (const order of orders) {
      const wanted = idsOf(sorted(expected[name], order.split(',')))
      expect(idsOf((await pageOf(name, { order, limit: '1000' })).rows), order).toEqual(wanted.slice(0, 1000))
    }
    const order = '-status,currency'
    const wanted = idsOf(sorted(expected[name], order.split(',')))
    const last = await pageOf(name, { order, limit: 50, offset: wanted.length - 20 })
    expect([last.total, idsOf(last.rows)]).toEqual([wanted.length, wanted.slice(-20)])
  })

  it('a field as a separate parameter is the filter', async () => {
    const euro = { status: 'active', currency: 'EUR' }
    expect(await pageOf('subscriptions', euro)).toEqual(await pageOf('subscriptions', {}, { filters: euro }))
    const some = await pageOf('invoices', { status: ['open', 'void'] }, { filters: { currency: 'EUR' } })
    const wanted = expected.invoices.filter(
      (row) => row['currency'] === 'EUR' && ['open', 'void'].includes(String(row['status'])),
    )
    expect(idsOf(some.rows)).toEqual(idsOf(wanted).slice(0, 100))
    expect(some.total).toBeGreaterThan(0)
    expect(await pageOf('customers', { status: 'free' }, { filters: { status: 'free' } })).toEqual(
      await pageOf('customers', { status: 'free' }),
    )
  })

  it('invoices open for some days are those of that age that nobody paid, or whose money went back', async () => {
    for (const days of [0, 30]) {
      const before = new Date(Date.parse(TODAY) - days * 86_400_000).toISOString().slice(0, 10)
      const wanted = expected.invoices.filter((row) => row['days_open'] !== null && String(row['invoice_date']) <= before)
      const page = await pageOf('invoices', { open_for_days: String(days), limit: 1000 })
      expect([days, page.total, idsOf(page.rows)]).toEqual([days, wanted.length, idsOf(wanted).slice(0, 1000)])
      expect(page.total).toBeGreaterThan(0)
    }
  })

  it('all errors come at once, each under the name it was given by', async () => {
    const wrong = engine.list(
      'customers',
      { status: 'nope', currency: 'EUR', order: 'cohort_month', open_for_days: '3', plan_id: 'x' },
      { filters: { currency: 'USD' } },
    )
    await expect(wrong).rejects.toMatchObject({
      issues: expect.arrayContaining(
        ['params.status', 'params.currency', 'params.order', 'params.open_for_days', 'params.plan_id'].map((where) =>
          expect.objectContaining({ code: 'invalid_value', where }),
        ),
      ),
    })
  })
})
