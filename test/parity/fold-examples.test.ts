import { describe, expect, it } from 'vitest'
import { roundFraction } from '../../src/core/money.ts'
import { readExample } from '../support/data/example-tables.ts'
import { logoChurn, retention, revenueChurn } from '../support/oracles/fold/churn-and-retention.ts'
import { foldTables } from '../support/oracles/fold/fold-tables.ts'
import {
  breakdown,
  ledgerOf,
  movementsIn,
  mrrOf,
  netOf,
  quickRatio,
  rangeOf,
  snapshotOf,
  spansOn,
  waterfall,
} from '../support/oracles/fold/ledger-figures.ts'
import { baseCents, rateTable } from '../support/oracles/killbill/fold/rates.ts'
import type { Span } from '../support/oracles/killbill/fold/span.ts'

type Cells = Readonly<Record<string, unknown>>

interface Worked {
  readonly movements: readonly Cells[]
  readonly months: readonly Cells[]
  readonly mrr_at: Readonly<Record<string, number>>
  readonly at_2025_05_31: Readonly<Record<'mrr' | 'by_currency' | 'by_plan' | 'by_mrr_band', Cells>>
  readonly range_2025_03_01_to_2025_05_31: Readonly<
    Record<'breakdown' | 'logo_churn' | 'revenue_churn' | 'nrr' | 'grr' | 'quick_ratio', Cells>
  >
  readonly by_month: Readonly<Record<string, Cells>>
  readonly arpu: Readonly<Record<string, Cells>>
  readonly trials: { readonly events: readonly Cells[] }
  readonly usage_revenue: { readonly total: Cells; readonly months: Readonly<Record<string, number>> }
}

interface EngineExample {
  readonly movements: readonly Cells[]
  readonly trials: readonly Cells[]
  readonly invoices: readonly Cells[]
}

const day = (at: string | null): string | null => at?.slice(0, 10) ?? null
const rounded = (rate: number | null): number | null => (rate === null ? null : Math.round(rate * 1e6) / 1e6)

function sumBy(spans: readonly Span[], keyOf: (span: Span) => string, amountOf: (span: Span) => number): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const span of spans) sums[keyOf(span)] = (sums[keyOf(span)] ?? 0) + amountOf(span)
  return sums
}

describe('the worked example (definitions.md 17)', () => {
  const now = '2025-06-05 00:00:00'
  const { tables, expected, rates } = readExample<Worked>('worked-example')
  const customers = foldTables(tables, { now, base_currency: 'USD', rates })
  const ledger = ledgerOf(customers, now)
  const keyOf = new Map(tables('subscriptions').map((row) => [row['id'], String(row['external_key'])]))
  const customerOf = new Map(
    customers.map((customer) => [Number(customer.account['record_id']), String(customer.account['external_key'])]),
  )
  const range = rangeOf('2025-03-01', '2025-05-31', now)

  it('movements with their running total', () => {
    let total = 0
    const actual = [...ledger.movements]
      .sort((a, b) => (a.occurred_at < b.occurred_at ? -1 : 1))
      .map((movement) => {
        total += movement.amount_base_cents ?? Number.NaN
        return {
          date: day(movement.occurred_at),
          subscription: keyOf.get(movement.subscription_id),
          type: movement.movement_type,
          source: movement.movement_source,
          amount_base_cents: movement.amount_base_cents,
          total_after: total,
        }
      })
    expect(actual).toEqual(expected.movements)
    expect(ledger.movements.find((movement) => day(movement.occurred_at) === '2025-04-01')?.amount_cents).toBe(6000)
    expect(ledger.movements.find((movement) => day(movement.occurred_at) === '2025-01-24')?.reason).toBe('phase')
  })

  it('months and single days', () => {
    const months = waterfall(ledger, '2025-01-01', '2025-05-31', 'month').map(
      ({ period, starting_mrr: _start, ending_mrr, net_change, ...sums }) => ({
        month: period,
        at_month_end: ending_mrr,
        net: net_change,
        ...sums,
      }),
    )
    expect(months).toEqual(expected.months)
    for (const [date, mrr] of Object.entries(expected.mrr_at)) expect(mrrOf(spansOn(ledger.spans, date, now)), date).toBe(mrr)
  })

  it('2025-05-31 by component, currency, plan and band', () => {
    const spans = spansOn(ledger.spans, '2025-05-31', now)
    const { subscription_base_cents, usage_base_cents, mrr_base_cents, by_currency_cents } = snapshotOf(ledger, '2025-05-31')
    expect({ arr: 12 * mrr_base_cents, subscription: subscription_base_cents, usage: usage_base_cents }).toEqual(
      expected.at_2025_05_31.mrr,
    )
    expect(by_currency_cents).toEqual(expected.at_2025_05_31.by_currency)
    const base = (span: Span): number => span.mrr_base_cents ?? Number.NaN
    expect(sumBy(spans, (span) => span.plan, base)).toEqual(expected.at_2025_05_31.by_plan)
    expect(sumBy(spans, (span) => (base(span) < 10_000 ? '<$100' : '$100-$500'), base)).toEqual(
      expected.at_2025_05_31.by_mrr_band,
    )
  })

  it('March to May', () => {
    const figures = expected.range_2025_03_01_to_2025_05_31
    const sums = breakdown(ledger.movements, range)
    expect({ ...sums, net: netOf(sums) }).toEqual(figures.breakdown)
    const logo = logoChurn(ledger, range)
    expect({ churned: logo.churn_count, active_at_start: logo.active_at_start, rate: logo.logo_churn_rate }).toEqual({
      churned: figures.logo_churn['churned'],
      active_at_start: figures.logo_churn['active_at_start'],
      rate: figures.logo_churn['rate'],
    })
    const churnedOn = customers.flatMap((customer) =>
      customer.logo_churn.map((at) => [String(customer.account['external_key']), day(at)]),
    )
    expect(Object.fromEntries(churnedOn)).toEqual(figures.logo_churn['churned_on'])
    const revenue = revenueChurn(ledger, range)
    expect({ lost: revenue.revenue_lost, start: revenue.start_mrr, rate: rounded(revenue.revenue_churn_rate) }).toEqual({
      lost: figures.revenue_churn['lost'],
      start: figures.revenue_churn['start'],
      rate: figures.revenue_churn['rate'],
    })
    const churn = movementsIn(ledger.movements, range).filter((movement) => movement.movement_type === 'churn')
    const lostBy: Record<string, number> = {}
    for (const { customer_key, amount_base_cents } of churn) {
      const key = customerOf.get(customer_key) ?? ''
      lostBy[key] = (lostBy[key] ?? 0) - (amount_base_cents ?? 0)
    }
    expect(lostBy).toEqual(figures.revenue_churn['by_customer'])
    const kept = retention(ledger, range)
    expect({ numerator: kept.nrr_numerator, denominator: kept.start_mrr, rate: rounded(kept.nrr) }).toEqual(figures.nrr)
    expect({ numerator: kept.grr_numerator, denominator: kept.start_mrr, rate: rounded(kept.grr) }).toEqual(figures.grr)
    expect(rounded(quickRatio(ledger, range))).toBe(figures.quick_ratio['rate'])
  })

  it('month by month', () => {
    const last = { '2025-03': '2025-03-31', '2025-04': '2025-04-30', '2025-05': '2025-05-31' }
    const actual = Object.entries(last).map(([month, end]) => {
      const inMonth = rangeOf(`${month}-01`, end, now)
      const [logo, revenue, kept] = [logoChurn(ledger, inMonth), revenueChurn(ledger, inMonth), retention(ledger, inMonth)]
      const figures = {
        logo_churn: [logo.churn_count, logo.active_at_start],
        revenue_churn: [revenue.revenue_lost, revenue.start_mrr],
        nrr: rounded(kept.nrr),
        grr: rounded(kept.grr),
      }
      return [month, figures]
    })
    expect(Object.fromEntries(actual)).toEqual(expected.by_month)
    for (const [date, figures] of Object.entries(expected.arpu)) {
      const { mrr_base_cents: mrr, paying_customers } = snapshotOf(ledger, date)
      expect({ mrr, paying_customers, arpu: roundFraction(BigInt(mrr), BigInt(paying_customers), 2) }, date).toEqual(figures)
    }
  })

  it('trials and usage revenue', () => {
    const trials = customers
      .flatMap((customer) => customer.trials)
      .map((trial) => ({
        subscription: keyOf.get(trial.subscription_id),
        started_on: day(trial.started_at),
        converted_on: day(trial.converted_at),
        expired_on: day(trial.expired_at),
      }))
    expect(trials).toEqual(expected.trials.events)
    const charges = customers.flatMap((customer) => customer.usage_charges)
    const cents = charges.map((charge) => ({
      month: charge.service_month,
      base: baseCents(charge.cents, charge.currency, charge.paid_at.slice(0, 10), rateTable(rates, 'USD')) ?? Number.NaN,
    }))
    expect(cents.reduce((sum, charge) => sum + charge.base, 0)).toBe(expected.usage_revenue.total['cents'])
    for (const [month, total] of Object.entries(expected.usage_revenue.months)) {
      expect(
        cents.filter((charge) => charge.month === month).reduce((sum, charge) => sum + charge.base, 0),
        month,
      ).toBe(total)
    }
  })
})

describe('the engine’s example (KB 12)', () => {
  const now = '2024-12-02 00:00:00'
  const { tables, expected } = readExample<EngineExample>('engine-example')
  const customers = foldTables(tables, { now, base_currency: 'USD', rates: [] })
  const keyOf = new Map(tables('subscriptions').map((row) => [row['id'], String(row['external_key'])]))

  it('timeline', () => {
    const perSubscription = new Map<string, number>()
    let total = 0
    const movements = customers.flatMap((customer) => customer.movements).sort((a, b) => (a.occurred_at < b.occurred_at ? -1 : 1))
    const actual = movements.map(({ occurred_at, subscription_id, movement_type, amount_base_cents }) => {
      const mrr = (perSubscription.get(subscription_id) ?? 0) + (amount_base_cents ?? Number.NaN)
      perSubscription.set(subscription_id, mrr)
      total += amount_base_cents ?? Number.NaN
      return {
        date: day(occurred_at),
        subscription: keyOf.get(subscription_id),
        type: movement_type,
        amount_base_cents,
        subscription_mrr: mrr,
        total_after: total,
      }
    })
    expect(actual).toEqual(expected.movements)
    const reasons = movements.map((movement) => [keyOf.get(movement.subscription_id), movement.reason])
    expect(reasons).toContainEqual(['S3', 'base_end'])
    expect(reasons).toContainEqual(['S1', 'price'])
  })

  it('trials', () => {
    const trials = customers
      .flatMap((customer) => customer.trials)
      .map((trial) => ({
        subscription: keyOf.get(trial.subscription_id),
        started_on: day(trial.started_at),
        converted_on: day(trial.converted_at),
        expired_on: day(trial.expired_at),
      }))
    expect(trials).toEqual(expected.trials)
  })

  it('invoices: paid late, in parts, by credit, void', () => {
    const paid = customers.flatMap((customer) => customer.paid_invoices)
    const actual = tables('invoices').map((row, index) => {
      const invoice = paid.find((candidate) => candidate.invoice_id === row['id'])
      return { invoice: index + 1, paid_on: day(invoice?.paid_at ?? null), amount: invoice?.amount.toFixed() ?? null }
    })
    expect(actual).toEqual(expected.invoices)
  })
})
