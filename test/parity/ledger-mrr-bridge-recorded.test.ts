import Big from 'big.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { groupBy } from '../../src/core/group-by.ts'
import { dayBefore, dayStart, nextPeriod } from '../../src/core/periods.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { NOW, realTables } from '../support/data/recorded/recorded-tables.ts'
import { recordedTenants, shiftOf } from '../support/data/recorded/recorded-tenants.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { judgedDays } from '../support/oracles/billing-health-loops.ts'
import { foldReal, ofTenant } from '../support/oracles/fold/fold-recorded.ts'
import { engineOver, expectedNumbers } from '../support/product/recorded-engine.ts'

type Row = Record<string, string | number | null>

const STEPS = [
  ...['mrr', 'usage_component', 'movements', 'billed_otherwise', 'length_of_months'],
  ...['catch_up', 'usage', 'fixed_and_one_off', 'rates', 'other_income'],
]

const MONTHS = ['2024-12', '2025-02', '2025-05', '2025-08', '2025-11', '2026-01', '2026-03', '2026-06', '2026-08', '2026-10']

/** Kinds of charges by month and currency, worked out apart from this repository. */
interface Expected {
  readonly months: Readonly<Record<string, Readonly<Record<string, { readonly by_kind: Readonly<Record<string, number>> }>>>>
}

const amount = (row: Row | undefined, name: string) => Number(row?.[name] ?? 0)
const stepsOf = (row: Row) => STEPS.reduce((sum, name) => sum + amount(row, name), 0)
const daysOf = (month: string) => {
  const first = `${month}-01`
  const last = dayBefore(nextPeriod(dayStart(first), 'month'))
  return { first, last, count: Number(last.slice(8)) }
}

oneEngineInRotation('the bridge from MRR to revenue of the recorded tenants (R30)', (target) => {
  const engines = new Map<string, Engine>()
  beforeAll(async () => {
    const database = await sharedReal(target)
    for (const tenant of recordedTenants(target)) engines.set(tenant, await engineOver(database, { tenant: [tenant] }))
  })

  describe.each(recordedTenants(target))('%s', (tenant) => {
    const shift = shiftOf(target, tenant)
    const ask = async (metric: string, params: Row, dimensions: readonly string[] = []) => {
      const { data } = (await engines.get(tenant)?.query(metric, params, dimensions.length === 0 ? {} : { dimensions })) ?? {}
      return [data].flat() as (Row | number)[]
    }
    const bridge = async (period: string, dimensions: readonly string[] = []) =>
      (await ask('ledger', { query_type: 'mrr_bridge', period }, dimensions)) as Row[]

    it.each(sampleOf(target, MONTHS, { shift }))(
      'begins at MRR and ends at revenue in %s, for each subscription',
      async (month) => {
        const { first, last } = daysOf(month)
        const [total = {}] = await bridge(month)
        expect(total['mrr']).toBe((await ask('mrr', { query_type: 'current', at: last }))[0])
        const [revenue] = (await ask('ledger', {
          query_type: 'revenue',
          start: first,
          end: last,
        })) as Row[]
        expect(total['recognized']).toBe(revenue?.['recognized'])
        expect(stepsOf(total)).toBe(total['recognized'])
        const rows = await bridge(month, ['customer_id', 'subscription_id'])
        expect(rows.length).toBeGreaterThan(0)
        expect(rows.filter((row) => stepsOf(row) !== row['recognized'])).toEqual([])
        for (const name of [...STEPS, 'recognized'])
          expect(
            rows.reduce((sum, row) => sum + amount(row, name), 0),
            name,
          ).toBe(total[name])
      },
    )

    it.each(sampleOf(target, MONTHS, { shift: shift + 2 }))('has the days that plain loops find in %s (H1)', async (month) => {
      const { first, last, count } = daysOf(month)
      const customers = ofTenant(foldReal(), tenant)
      const days = groupBy(judgedDays(customers, realTables, { first, last, now: NOW }), ({ subscription_id }) => subscription_id)
      const mean = (id: string, name: 'agreed' | 'billed') =>
        Number(
          (days.get(id) ?? [])
            .reduce((sum, day) => sum.plus(day[name]), new Big(0))
            .div(count)
            .round(0, Big.roundHalfUp),
        )
      // In the currency of each subscription, so that no rate is needed.
      const rows = await bridge(month, ['subscription_id', 'currency'])
      const found = new Map(rows.map((row) => [String(row['subscription_id']), row]))
      const wanted = new Map<string, number>()
      for (const id of new Set([...days.keys(), ...found.keys()])) {
        const row = found.get(id)
        const agreed = amount(row, 'mrr') + amount(row, 'usage_component') + amount(row, 'movements')
        expect([agreed, agreed + amount(row, 'billed_otherwise')], id).toEqual([mean(id, 'agreed'), mean(id, 'billed')])
        expect(row?.['rates'] ?? 0).toBe(0)
        const currency = String(row?.['currency'])
        if (row !== undefined) wanted.set(currency, (wanted.get(currency) ?? 0) + mean(id, 'billed'))
      }
      // The recurring revenue that was worked out elsewhere, less what is billed on the days.
      const { months } = expectedNumbers<Expected>(tenant, 'ledger')
      for (const [currency, { by_kind }] of Object.entries(months[month] ?? {})) {
        const own = rows.filter((row) => row['currency'] === currency)
        const length = own.reduce((sum, row) => sum + amount(row, 'length_of_months') + amount(row, 'catch_up'), 0)
        expect(length, currency).toBe((by_kind['recurring'] ?? 0) - (wanted.get(currency) ?? 0))
      }
    })

    it('has the rows of each step, a subscription each', async () => {
      const period = sampleOf(target, MONTHS, { shift: shift + 1 })[0] ?? ''
      const groups = await bridge(period, ['customer_id', 'subscription_id'])
      for (const measure of sampleOf(target, [...STEPS, 'recognized'], {
        shift,
      })) {
        const params = {
          query_type: 'mrr_bridge',
          period,
          measure,
          limit: 1000,
        }
        const page = (await engines.get(tenant)?.metricRows('ledger', params, {}))?.data as { sum: number; rows: Row[] }
        const wanted = groups.filter((row) => row[measure] !== 0)
        expect(page.sum, measure).toBe(wanted.reduce((sum, row) => sum + amount(row, measure), 0))
        expect(page.rows.length, measure).toBe(wanted.length)
        expect(page.rows.map((row) => row['amount_base_cents']).sort(), measure).toEqual(wanted.map((row) => row[measure]).sort())
      }
    })
  })
})
