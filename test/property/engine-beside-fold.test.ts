import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { type Filled, fillDatabase } from '../support/data/histories/filled-database.ts'
import { GENERATED_RATES, generatedHistory, RATES_CSV, SECOND_CURRENCY } from '../support/data/histories/generated-history.ts'
import { HISTORIES } from '../support/data/histories/history-seeds.ts'
import { firstEngineAndOneOther, sampleOf } from '../support/databases/rotation.ts'
import { foldTables } from '../support/oracles/fold/fold-tables.ts'
import { breakdown, type Ledger, ledgerOf, mrrOf, rangeOf, spansOn, waterfall } from '../support/oracles/fold/ledger-figures.ts'
import { planFacts } from '../support/oracles/fold/relation-differences.ts'
import { isPartial } from '../support/oracles/running-period.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

const [SEED] = HISTORIES.levels
const NOW = '2025-01-15 00:00:00'
const DAYS = ['2024-01-09', '2024-03-16', '2024-09-30', '2025-01-15']
const RANGES = [
  ['2024-01-01', '2024-12-31'],
  ['2024-03-16', '2024-03-16'],
  ['2024-12-31', '2025-01-15'],
] as const
const TYPES = ['new', 'expansion', 'contraction', 'churn', 'reactivation'] as const
const DIMENSIONS = ['currency', 'plan_id', 'customer_id', 'product_name'] as const
type Dimension = (typeof DIMENSIONS)[number]
type Rows = readonly Readonly<Record<string, string | number | null>>[]

/** Answers by request of the targets that ran before: every target must give the same bytes (I23). */
const answers = new Map<string, string>()

firstEngineAndOneOther(`answers compared with the fold on a generated history, seed ${SEED}`, (target) => {
  let filled: Filled
  let engine: Engine
  let ledger: Ledger
  let groupOf: (dimension: Dimension, row: Grouped) => string

  beforeAll(async () => {
    filled = await fillDatabase(target, generatedHistory(...HISTORIES.levels))
    const options = { tenant: ['all'], now: new Date('2025-01-15T00:00:00Z'), definitions: { allow_unpriced: true } }
    engine = await engineOver(filled.database, { ...options, store: await ratesOnly(RATES_CSV) })
    ledger = ledgerOf(foldTables(filled.tables, { now: NOW, base_currency: 'USD', rates: GENERATED_RATES }), NOW)
    const plans = planFacts(filled.tables)
    const accounts = new Map(filled.tables('accounts').map((row) => [Number(row['record_id']), String(row['id'])]))
    groupOf = (dimension, row) => {
      if (dimension === 'currency') return String(row.currency)
      if (dimension === 'customer_id') return String(accounts.get(row.customer_key))
      const plan = row.plan_key === null ? undefined : plans.get(row.plan_key)
      return String(plan?.[dimension] ?? (dimension === 'plan_id' ? row.plan : null))
    }
  })

  const ask = async (params: Record<string, unknown>, spec: Record<string, unknown> = {}): Promise<unknown> => {
    const { data } = await engine.query('mrr', params, spec)
    const [request, answer] = [JSON.stringify([params, spec]), JSON.stringify(data)]
    expect(answer, `I23 ${request}`).toBe(answers.get(request) ?? answer)
    answers.set(request, answer)
    return data
  }
  const rows = async (...request: Parameters<typeof ask>) => (await ask(...request)) as Rows

  it('levels, components and ARR at single days (D4, D30, I3)', async () => {
    for (const at of sampleOf(target, DAYS, { first: 1, others: DAYS.length })) {
      const level = mrrOf(spansOn(ledger.spans, at, NOW))
      expect(await ask({ at }), at).toBe(level)
      expect(await ask({ query_type: 'arr', at }), at).toBe(12 * level)
      const parts = (await ask({ query_type: 'components', at })) as Record<string, number>
      expect(Number(parts['subscription_mrr']) + Number(parts['usage_mrr']), at).toBe(level)
      expect(parts['mrr']).toBe(level)
    }
    expect(DAYS.map((day) => mrrOf(spansOn(ledger.spans, day, NOW))).filter((level) => level > 0).length).toBe(3)
  })

  it('series, waterfall and breakdown (D36, D37, I2, I4)', async () => {
    for (const [start, end] of sampleOf(target, RANGES, { first: 1, others: RANGES.length })) {
      const range = rangeOf(start, end, NOW)
      const expected = waterfall(ledger, start, end, 'month')
      const found = await rows({ query_type: 'waterfall', start, end })
      const running = (period: string) => (isPartial(period, 'month', NOW) ? { is_partial: true } : {})
      expect(found, start).toEqual(
        expected.map((row) => ({ ...row, month: row.period, transfer: 0, fx_effect: 0, ...running(row.period) })),
      )
      const series = await rows({ query_type: 'series', start, end, interval: 'month' })
      expect(series).toEqual(
        expected.map((row) => ({
          period: row.period,
          mrr: row.ending_mrr,
          amount_base: row.net_change,
          ...running(row.period),
        })),
      )
      const sums = breakdown(ledger.movements, range)
      const types = await rows({ query_type: 'breakdown', start, end })
      expect(types.map((row) => [row['movement_type'], row['amount_base']])).toEqual(TYPES.map((type) => [type, sums[type]]))
      const net = types.reduce((sum, row) => sum + Number(row['amount_base']), 0)
      expect(net).toBe((expected.at(-1)?.ending_mrr ?? 0) - (expected[0]?.starting_mrr ?? 0))
    }
  })

  it('breakdowns of adjacent ranges add up to that of the joined range (I4)', async () => {
    const sums = async (start: string, end: string) =>
      (await rows({ query_type: 'breakdown', start, end })).map((row) => Number(row['amount_base']))
    const [first, second] = [await sums('2024-01-01', '2024-03-16'), await sums('2024-03-17', '2024-12-31')]
    expect(await sums('2024-01-01', '2024-12-31')).toEqual(first.map((amount, index) => amount + (second[index] ?? 0)))
  })

  describe.each(sampleOf(target, DIMENSIONS, { first: 2, others: DIMENSIONS.length }))('by %s', (dimension) => {
    // By currency figures are original cents (D14).
    const [levelCents, movementCents] =
      dimension === 'currency' ? (['mrr_cents', 'amount_cents'] as const) : (['mrr_base_cents', 'amount_base_cents'] as const)

    it('levels: groups are the fold’s, a filter gives the row of its group (D61, I5, I6)', async () => {
      for (const at of DAYS.slice(-2)) {
        const expected = sumBy(
          spansOn(ledger.spans, at, NOW),
          (span) => groupOf(dimension, span),
          (span) => span[levelCents],
        )
        const found = await rows({ at }, { dimensions: [dimension] })
        expect(nonZero(new Map(found.map((row) => [String(row[dimension]), Number(row['mrr'])]))), at).toEqual(nonZero(expected))
      }
      const found = await rows({ at: '2024-09-30' }, { dimensions: [dimension] })
      for (const row of found.slice(0, 2)) {
        const filters = { dimensions: [dimension], filters: { [dimension]: row[dimension] } }
        expect(await rows({ at: '2024-09-30' }, filters)).toEqual([row])
      }
    })

    it('movements: groups are the fold’s and add up to the level of each (D61, I1, I5)', async () => {
      for (const [start, end] of RANGES.slice(1)) {
        const range = rangeOf(start, end, NOW)
        const own = ledger.movements.filter(
          (row) => row.occurred_at >= range.from && (range.to === null || row.occurred_at < range.to),
        )
        const expected = sumBy(
          own,
          (row) => `${groupOf(dimension, row)} ${row.movement_type}`,
          (row) => row[movementCents],
        )
        const found = await rows({ query_type: 'breakdown', start, end }, { dimensions: [dimension] })
        const flows = found.filter((row) => row['movement_type'] !== 'transfer')
        const sums = new Map(flows.map((row) => [`${row[dimension]} ${row['movement_type']}`, Number(row['amount_base'])]))
        expect(nonZero(sums), start).toEqual(nonZero(expected))
      }
    })
  })

  it('a tenant of one currency has equal base and original cents and needs no rate (D10, I19)', async () => {
    const options = { tenant: ['two'], now: new Date('2025-01-15T00:00:00Z') }
    const alone = await engineOver(filled.database, {
      ...options,
      definitions: { allow_unpriced: true, base_currency: undefined },
      store: await ratesOnly('date,from,to,rate\n'),
    })
    const own = new Set(
      filled.tables('accounts').flatMap((row) => (Number(row['tenant_record_id']) === 2 ? [Number(row['record_id'])] : [])),
    )
    for (const at of sampleOf(target, DAYS, { first: 2, others: DAYS.length, shift: 1 })) {
      const spans = spansOn(ledger.spans, at, NOW).filter((span) => own.has(span.customer_key))
      const original = spans.reduce((sum, span) => sum + span.mrr_cents, 0)
      expect((await alone.query('mrr', { at })).data, at).toBe(original)
      const grouped = (await alone.query('mrr', { at }, { dimensions: ['currency'] })).data as Rows
      expect(grouped.filter((row) => row['mrr'] !== 0)).toEqual(
        original === 0 ? [] : [{ currency: SECOND_CURRENCY, mrr: original }],
      )
    }
  })
})

interface Grouped {
  readonly currency: string | null
  readonly customer_key: number
  readonly plan_key: number | null
  readonly plan: string
}

function sumBy<T>(items: readonly T[], keyOf: (item: T) => string, centsOf: (item: T) => number | null): Map<string, number> {
  const sums = new Map<string, number>()
  for (const item of items) sums.set(keyOf(item), (sums.get(keyOf(item)) ?? 0) + (centsOf(item) ?? Number.NaN))
  return sums
}

/** An absent group and one of 0 say the same. */
function nonZero(sums: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...sums].filter(([, cents]) => cents !== 0).sort())
}
