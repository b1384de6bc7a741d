import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { realRates, realTables } from '../support/data/recorded/recorded-tables.ts'
import { recordedTenants, shiftOf } from '../support/data/recorded/recorded-tenants.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { foldReal, nonZero, ofTenant } from '../support/oracles/fold/fold-recorded.ts'
import { marked } from '../support/oracles/running-period.ts'
import { slicer, sumsBy } from '../support/oracles/slice-loops.ts'
import { chargesOf } from '../support/oracles/usage-loops.ts'
import { engineOver, expectedNumbers } from '../support/product/recorded-engine.ts'

type Row = Record<string, string | number | null>
interface Usage {
  total_base_cents: number
  series: Record<string, number>
  by_customer: Record<string, number>
  by_currency_cents: Record<string, number>
}

const ASKED_TWICE = ['plan_id', 'customer_country', 'plan_interval', 'price_list', 'tenure_months']
const FULL = { start: '2024-11-20', end: '2026-11-20' }

oneEngineInRotation('usage revenue on the recorded tenants', (target) => {
  const engines = new Map<string, Engine>()
  beforeAll(async () => {
    const database = await sharedReal(target)
    for (const tenant of recordedTenants(target)) engines.set(tenant, await engineOver(database, { tenant: [tenant] }))
  })

  describe.each(recordedTenants(target))('%s', (tenant) => {
    const shift = shiftOf(target, tenant)
    const { usage_revenue: expected } = expectedNumbers<{ usage_revenue: Record<string, Usage> }>(tenant, 'metrics')
    const customers = ofTenant(foldReal(), tenant)
    const charges = chargesOf(customers, realTables, realRates)
    const groupOf = slicer(realTables)
    const keyOf = new Map(customers.map(({ account }) => [String(account['id']), String(account['external_key'])]))
    const ask = async (params: Record<string, unknown>, spec: Record<string, unknown> = {}): Promise<unknown> => {
      const engine = engines.get(tenant)
      if (engine === undefined) throw new Error(`no engine for ${tenant}`)
      return (await engine.query('usage_revenue', params, spec)).data
    }
    const rows = async (...request: Parameters<typeof ask>) => (await ask(...request)) as Row[]

    it('the loops find the charges that the fold finds (D55)', () => {
      const folded = customers.flatMap(({ usage_charges }) => usage_charges.map(({ date, cents }) => `${date} ${cents}`))
      expect(charges.map(({ date, cents }) => `${date} ${cents}`).sort()).toEqual(folded.sort())
    })

    it('has the recorded total, months, customers and currencies of every range (D59, I15)', async () => {
      for (const [key, wanted] of sampleOf(target, Object.entries(expected), { shift })) {
        const [start, end] = key.split('..')
        expect(await ask({ start, end }), key).toBe(wanted.total_base_cents)
        const months = Object.entries(wanted.series).map(([period, revenue]) => marked({ period, revenue }, period))
        expect(await ask({ query_type: 'series', start, end }), key).toEqual(months)
        expect(await ask({ start, end, granularity: 'month' }), key).toEqual(months)
        const table = await rows({ query_type: 'by_customer', start, end })
        const byKey = table.map((row) => [keyOf.get(String(row['customer_id'])), row['revenue']])
        expect(Object.fromEntries(byKey), key).toEqual(nonZero(wanted.by_customer))
        expect(table, key).toEqual([...table].sort(largestFirst))
        const currencies = (await rows({ start, end }, { dimensions: ['currency'] })).map((row) => [
          row['currency'],
          row['revenue'],
        ])
        expect(Object.fromEntries(currencies), key).toEqual(nonZero(wanted.by_currency_cents))
      }
    })

    it('has the recorded revenue of each month asked for alone', async () => {
      for (const [month, revenue] of sampleOf(target, Object.entries(expected['2024-11-20..2026-11-20']?.series ?? {}), {
        first: 5,
        others: 12,
        shift,
      })) {
        expect(await ask({ start: month, end: lastDay(month) }), month).toBe(revenue)
      }
    })

    it('groups by every dimension as plain loops do (D61, I5)', async () => {
      const dimensions = (await engines.get(tenant)?.fields('usage_revenue'))?.data.dimensions ?? []
      expect(dimensions.length).toBe(21)
      for (const [start, end] of [
        [FULL.start, FULL.end],
        ['2026-02-10', '2026-05-20'],
      ] as const) {
        const inRange = charges.filter(({ date }) => date >= start && date <= end)
        const asked = start === FULL.start ? dimensions : dimensions.filter(({ key }) => ASKED_TWICE.includes(key))
        for (const { key } of sampleOf(target, asked, { shift })) {
          const found = (await rows({ start, end }, { dimensions: [key] })).map((row) => [
            JSON.stringify([row[key]]),
            row['revenue'],
          ])
          const wanted = sumsBy(
            inRange,
            (charge) => [groupOf(key, charge)],
            ({ cents, base_cents }) => [key === 'currency' ? cents : base_cents],
          )
          expect(Object.fromEntries(found), `${key} ${start}`).toEqual(single(wanted))
        }
      }
    })

    it('groups within periods, and a filter is the row of its group (I6)', async () => {
      const dimensions = ['plan_id', 'customer_country', 'plan_interval']
      const wanted = sumsBy(
        charges,
        (charge) => [`${charge.date.slice(0, 7)}-01`, ...dimensions.map((key) => groupOf(key, charge))],
        ({ base_cents }) => [base_cents],
      )
      const found = (await rows({ query_type: 'series', ...FULL }, { dimensions }))
        .filter((row) => row['revenue'] !== 0)
        .map((row) => [JSON.stringify([row['period'], ...dimensions.map((name) => row[name])]), row['revenue']])
      expect(Object.fromEntries(found)).toEqual(single(wanted))
      for (const dimension of dimensions) {
        for (const row of sampleOf(target, await rows(FULL, { dimensions: [dimension] }), { shift })) {
          const value = row[dimension] ?? null
          const filters = { [dimension]: value === null ? { is_empty: true } : value }
          expect(await ask(FULL, { filters }), `${dimension} ${value}`).toBe(row['revenue'])
        }
      }
    })

    it('by customer within months and by a further dimension adds up to the same', async () => {
      const table = await rows(
        { query_type: 'by_customer', ...FULL, granularity: 'month' },
        { dimensions: ['plan_id', 'currency'] },
      )
      const wanted = sumsBy(
        charges,
        (charge) => [
          `${charge.date.slice(0, 7)}-01`,
          ...['customer_id', 'plan_id', 'currency'].map((key) => groupOf(key, charge)),
        ],
        ({ cents }) => [cents],
      )
      const keys = ['period', 'customer_id', 'plan_id', 'currency']
      const found = table.map((row) => [JSON.stringify(keys.map((key) => row[key])), row['revenue']])
      expect(Object.fromEntries(found)).toEqual(single(wanted))
      expect(Object.keys(table[0] ?? {})).toEqual(
        table.length === 0 ? [] : ['period', 'customer_id', 'customer_name', 'plan_id', 'currency', 'revenue'],
      )
    })

    it('the month of service narrows the charges (D55)', async () => {
      const filters = { period_start: { between: ['2025-06-01', '2025-08-01'] } }
      const wanted = charges.filter(({ service_month }) => service_month >= '2025-06-01' && service_month <= '2025-08-01')
      expect(await ask(FULL, { filters })).toBe(wanted.reduce((sum, { base_cents }) => sum + base_cents, 0))
    })
  })
})

function single(sums: ReadonlyMap<string, readonly number[]>): Record<string, number> {
  return nonZero(Object.fromEntries([...sums].map(([key, [amount = 0]]) => [key, amount])))
}

function largestFirst(a: Row, b: Row): number {
  return Number(b['revenue']) - Number(a['revenue']) || (String(a['customer_id']) < String(b['customer_id']) ? -1 : 1)
}

function lastDay(month: string): string {
  const [year, number] = month.split('-').map(Number)
  return new Date(Date.UTC(year ?? 0, number ?? 0, 0)).toISOString().slice(0, 10)
}
