import { describe, expect, it } from 'vitest'
import { realJson } from '../support/data/recorded/recorded-files.ts'
import { NOW, realTables } from '../support/data/recorded/recorded-tables.ts'
import { logoChurn, retention, revenueChurn } from '../support/oracles/fold/churn-and-retention.ts'
import { foldReal, isoInstant, mapValues, nonZero, ofTenant, sorted } from '../support/oracles/fold/fold-recorded.ts'
import { relationsOf } from '../support/oracles/fold/fold-tables.ts'
import {
  breakdown,
  ledgerOf,
  mrrOf,
  quickRatio,
  rangeOf,
  snapshotOf,
  spansOn,
  waterfall,
} from '../support/oracles/fold/ledger-figures.ts'

const customers = foldReal()
const keyOf = new Map(realTables('subscriptions').map((row) => [String(row['id']), String(row['external_key'])]))
const planFacts = new Map(
  relationsOf(realTables)
    .filter((relation) => relation.name === 'plan')
    .flatMap((relation) =>
      relation.rows.map((row) => [
        row[0],
        Object.fromEntries(relation.columns.map((column, index) => [column.name, row[index]])),
      ]),
    ),
)

type Figures = Readonly<Record<string, unknown>>
type ByRange<T> = Readonly<Record<string, T>>

interface Metrics {
  readonly mrr_at: Record<string, number>
  readonly snapshot_at: Record<string, Figures>
  readonly series: Record<'month' | 'week' | 'quarter' | 'year', ByRange<{ period: string; mrr: number; net: number }[]>>
  readonly breakdown: ByRange<Figures>
  readonly waterfall: ByRange<Figures[]>
  readonly quick_ratio: ByRange<number | null>
  readonly logo_churn: ByRange<Figures>
  readonly revenue_churn: ByRange<Figures>
  readonly retention: ByRange<Figures>
  readonly mrr_by: Record<string, Record<string, Record<string, number>>>
  readonly breakdown_by: Record<string, ByRange<Record<string, Figures>>>
}

/** `start..end`, or a month, as range and as days. */
function parseRange(key: string) {
  const [start = '', end = ''] = key.includes('..') ? key.split('..') : [`${key}-01`, lastDay(key)]
  return { start, end, range: rangeOf(start, end, NOW) }
}

function lastDay(month: string): string {
  const [year, number] = month.split('-').map(Number)
  return new Date(Date.UTC(year ?? 0, number ?? 0, 0)).toISOString().slice(0, 10)
}

/** Zero currencies are left out on either side: the independent program drops or keeps them without meaning. */
function withoutZeros(snapshot: Figures): Figures {
  const amounts = Object.entries(snapshot['by_currency_cents'] as Record<string, number>).filter(([, cents]) => cents !== 0)
  return { ...snapshot, by_currency_cents: Object.fromEntries(amounts) }
}

describe.each(['alpha', 'beta'] as const)('%s folded beside the independent program', (tenant) => {
  const own = ofTenant(customers, tenant)
  const ledger = ledgerOf(own, NOW)
  const metrics = realJson<Metrics>(`expected/${tenant}/metrics.json.gz`)
  const accountKey = new Map(
    own.map((customer) => [Number(customer.account['record_id']), String(customer.account['external_key'])]),
  )
  const country = new Map(own.map((customer) => [Number(customer.account['record_id']), customer.account['country']]))

  it('spans (D17 to D29)', () => {
    const expected = realJson<Record<string, Figures[]>>(`expected/${tenant}/spans.json.gz`)
    const actual: Record<string, unknown[]> = {}
    for (const span of ledger.spans) {
      const key = keyOf.get(span.subscription_id) ?? ''
      const { plan, currency, quantity, mrr_cents, mrr_base_cents, is_live, is_trial, status, start_reason, end_reason } = span
      const { subscription_mrr_cents, usage_mrr_cents, subscription_mrr_base_cents, usage_mrr_base_cents } = span
      const components = {
        subscription_mrr_cents,
        usage_mrr_cents,
        subscription_mrr_base_cents,
        usage_mrr_base_cents,
        mrr_cents,
        mrr_base_cents,
      }
      const facts = {
        plan,
        phase: `${span.plan}-${span.phase_type}`,
        currency,
        quantity,
        is_live,
        is_trial,
        status,
        start_reason,
        end_reason,
      }
      actual[key] = [
        ...(actual[key] ?? []),
        { valid_from: isoInstant(span.valid_from), valid_to: isoInstant(span.valid_to), ...facts, ...components },
      ]
    }
    const comparable = Object.entries(expected)
      .map(([key, spans]) => [key, spans.map(({ unit_price: _price, billing_period: _period, ...span }) => span)] as const)
      .filter(([, spans]) => spans.length > 0)
    // A start cancelled at its own instant has no life (D18, KB 14 point 10).
    expect(Object.keys(expected).filter((key) => expected[key]?.length === 0)).toEqual(
      tenant === 'alpha' ? ['alpha-sub-00458'] : [],
    )
    expect(actual).toEqual(Object.fromEntries(comparable))
    expect(ledger.spans.length).toBeGreaterThan(tenant === 'alpha' ? 1000 : 50)
  })

  it('movements (D31 to D34)', () => {
    const expected = realJson<Figures[]>(`expected/${tenant}/movements.json.gz`)
    const actual = ledger.movements.map((movement) => ({
      occurred_at: isoInstant(movement.occurred_at),
      subscription: keyOf.get(movement.subscription_id),
      customer: accountKey.get(movement.customer_key),
      type: movement.movement_type,
      source: movement.movement_source,
      amount_cents: movement.amount_cents,
      amount_base_cents: movement.amount_base_cents,
      currency: movement.currency,
      reason: movement.reason,
      swap: movement.is_swap,
    }))
    expect(sorted(actual)).toEqual(sorted(expected))
  })

  it('levels and counts of every day (D4, D30)', () => {
    const expected = realJson<(Figures & { date: string })[]>(`expected/${tenant}/mrr_daily.json.gz`)
    expect(expected.length).toBeGreaterThan(700)
    expect(expected.map(({ date }) => withoutZeros({ date, ...snapshotOf(ledger, date) }))).toEqual(expected.map(withoutZeros))
  })

  it('levels of single days', () => {
    expect(mapValues(metrics.mrr_at, (day) => mrrOf(spansOn(ledger.spans, day, NOW)))).toEqual(metrics.mrr_at)
    expect(mapValues(metrics.snapshot_at, (day) => withoutZeros(snapshotOf(ledger, day)))).toEqual(
      mapValues(metrics.snapshot_at, (_, row) => withoutZeros(row)),
    )
  })

  it('series, waterfall, breakdown, quick ratio (D36, D37)', () => {
    for (const interval of ['month', 'week', 'quarter', 'year'] as const) {
      for (const [key, expected] of Object.entries(metrics.series[interval])) {
        const rows = waterfall(ledger, parseRange(key).start, parseRange(key).end, interval)
        expect(rows.map((row) => ({ period: row.period, mrr: row.ending_mrr, net: row.net_change }))).toEqual(expected)
      }
    }
    const months = mapValues(metrics.waterfall, (key) =>
      waterfall(ledger, parseRange(key).start, parseRange(key).end, 'month').map(({ period, ...row }) => ({
        month: period,
        ...row,
      })),
    )
    expect(months).toEqual(metrics.waterfall)
    expect(mapValues(metrics.breakdown, (key) => breakdown(ledger.movements, parseRange(key).range))).toEqual(metrics.breakdown)
    expect(mapValues(metrics.quick_ratio, (key) => quickRatio(ledger, parseRange(key).range))).toEqual(metrics.quick_ratio)
  })

  it('logo churn, revenue churn, NRR, GRR (D39 to D45)', () => {
    const events = own.flatMap((customer) =>
      customer.logo_churn.map((at) => ({ occurred_at: isoInstant(at), customer: String(customer.account['external_key']) })),
    )
    expect(sorted(events)).toEqual(sorted(realJson<Figures[]>(`expected/${tenant}/logo_churn_events.json.gz`)))
    expect(mapValues(metrics.logo_churn, (key) => logoChurn(ledger, parseRange(key).range))).toEqual(metrics.logo_churn)
    expect(mapValues(metrics.revenue_churn, (key) => revenueChurn(ledger, parseRange(key).range))).toEqual(metrics.revenue_churn)
    expect(mapValues(metrics.retention, (key) => retention(ledger, parseRange(key).range))).toEqual(metrics.retention)
  })

  it('levels and movements by dimension (D61)', () => {
    const group = (
      dimension: string,
      row: {
        readonly plan_key: number | null
        readonly customer_key: number
        readonly currency: string | null
        readonly plan: string
      },
    ): string => {
      if (dimension === 'currency') return row.currency ?? 'None'
      if (dimension === 'customer_country') return String(country.get(row.customer_key) ?? 'None')
      return String(planFacts.get(row.plan_key)?.[dimension] ?? 'None')
    }
    for (const [dimension, byDay] of Object.entries(metrics.mrr_by)) {
      const actual = mapValues(byDay, (day) => {
        const sums: Record<string, number> = {}
        for (const span of spansOn(ledger.spans, day, NOW)) {
          const key = group(dimension, span)
          sums[key] = (sums[key] ?? 0) + ((dimension === 'currency' ? span.mrr_cents : span.mrr_base_cents) ?? 0)
        }
        return nonZero(sums)
      })
      expect(actual, dimension).toEqual(mapValues(byDay, (_, sums) => nonZero(sums)))
    }
    for (const [dimension, byRange] of Object.entries(metrics.breakdown_by)) {
      const rows =
        dimension === 'currency'
          ? ledger.movements.map((row) => ({ ...row, amount_base_cents: row.amount_cents }))
          : ledger.movements
      const actual = mapValues(byRange, (key) => {
        const groups = new Set(
          breakdownGroups(rows, parseRange(key).range.from, parseRange(key).range.to, (row) => group(dimension, row)),
        )
        return Object.fromEntries(
          [...groups].map((name) => [
            name,
            breakdown(
              rows.filter((row) => group(dimension, row) === name),
              parseRange(key).range,
            ),
          ]),
        )
      })
      expect(actual, dimension).toEqual(byRange)
    }
  })

  it('trials (D56, D57)', () => {
    const expected = realJson<Figures[]>(`expected/${tenant}/trials.json.gz`)
    const actual = own
      .flatMap((customer) => customer.trials)
      .map((trial) => ({
        subscription: keyOf.get(trial.subscription_id),
        started_at: isoInstant(trial.started_at),
        converted_at: isoInstant(trial.converted_at),
        expired_at: isoInstant(trial.expired_at),
      }))
    expect(sorted(actual)).toEqual(sorted(expected))
  })
})

function breakdownGroups<T extends { readonly occurred_at: string }>(
  rows: readonly T[],
  from: string,
  to: string | null,
  nameOf: (row: T) => string,
): string[] {
  return rows.filter((row) => row.occurred_at >= from && (to === null || row.occurred_at < to)).map(nameOf)
}
