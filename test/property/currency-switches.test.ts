import { expect, it } from 'vitest'
import type { FxRate } from '../../src/core/currency.ts'
import { type Dice, dice } from '../support/data/histories/seeded-dice.ts'
import { PROPERTY_FACTOR } from '../support/data/property-runs.ts'
import { exampleConnector, span } from '../support/data/worked-example.ts'
import { retention, revenueChurn } from '../support/oracles/fold/churn-and-retention.ts'
import type { FoldedCustomer } from '../support/oracles/fold/fold-tables.ts'
import { ledgerOf, rangeOf } from '../support/oracles/fold/ledger-figures.ts'
import { breakdownOf } from '../support/oracles/fold/levels.ts'
import { movementsOf } from '../support/oracles/killbill/fold/movements.ts'
import { baseCents, rateTable } from '../support/oracles/killbill/fold/rates.ts'
import type { Span } from '../support/oracles/killbill/fold/span.ts'
import { describeExample } from '../support/product/example-engine.ts'

type Cells = ReturnType<typeof span>

const DAYS = ['2025-01-05', '2025-02-10', '2025-03-10', '2025-03-20', '2025-04-10', '2025-05-15'] as const
const RATES: readonly FxRate[] = [
  { date: '2025-01-01', from: 'EUR', to: 'USD', rate: '1.10' },
  { date: '2025-01-01', from: 'GBP', to: 'USD', rate: '1.31' },
  { date: '2025-03-15', from: 'EUR', to: 'USD', rate: '0.97' },
  { date: '2025-04-01', from: 'GBP', to: 'USD', rate: '1.44' },
]
const RANGES = [
  ['2025-03-01', '2025-03-31'],
  ['2025-02-01', '2025-05-31'],
] as const
const CUSTOMERS = [1, 2, 3, 4, 5, 6]
const ROUNDS = 12 * PROPERTY_FACTOR

describeExample('customers that switch currencies, beside loops over their spans (D85)', (engineOf) => {
  it('have the movements and the rates of the rule', async () => {
    let switches = 0
    for (let round = 0; round < ROUNDS; round++) {
      const drawn = drawSpans(dice(4_200 + round))
      const lines = new Map(drawn.shared.map((id) => [id, 'same']))
      const ledger = ledgerOf(
        CUSTOMERS.map((key) =>
          customerOf(
            drawn.cells.filter((cells) => cells['customer_key'] === key),
            lines,
          ),
        ),
        '2025-06-05 00:00:00',
      )
      switches += ledger.movements.filter(({ is_switch }) => is_switch).length
      const engine = engineOf({
        connector: exampleConnector({
          spans: drawn.cells,
          sameLine: drawn.shared,
          rates: RATES,
        }),
      })
      for (const [start, end] of RANGES) {
        const range = rangeOf(start, end, '2025-06-05 00:00:00')
        const ask = async (metric: string, query_type: string) => {
          const { data } = await engine.query(metric, { query_type, start, end }, { dimensions: ['source'] })
          return data as readonly Readonly<Record<string, unknown>>[]
        }
        const known = retention(ledger, range)
        const label = `round ${round}, ${start}`
        const types = await ask('mrr', 'breakdown')
        expect(
          Object.fromEntries(
            types.flatMap((row) => (row['amount_base'] === 0 ? [] : [[row['movement_type'], row['amount_base']]])),
          ),
          label,
        ).toEqual(
          Object.fromEntries(
            Object.entries(breakdownOf(ledger.movements, range.from, range.to ?? '')).filter(([, sum]) => sum !== 0),
          ),
        )
        for (const [query, rate] of [
          ['nrr', known.nrr],
          ['grr', known.grr],
        ] as const) {
          const [row] = await ask('retention', query)
          expect([row?.['retention_rate'] ?? null, row?.['churn'] ?? 0], `${label} ${query}`).toEqual([
            rounded(rate),
            known.churn,
          ])
        }
        const [lost] = await ask('churn', 'revenue')
        expect(lost?.['revenue_lost'] ?? 0, label).toBe(revenueChurn(ledger, range).revenue_lost)
      }
    }
    expect(switches).toBeGreaterThan(20)
  })
})

/** Spans of some subscriptions of each customer, which often begin and end at the same instants, and those of them in one bundle line. */
function drawSpans(random: Dice): {
  readonly cells: readonly Cells[]
  readonly shared: readonly string[]
} {
  const cells: Cells[] = []
  const shared: string[] = []
  for (const customer of CUSTOMERS) {
    const count = 2 + random.below(4)
    for (let index = 0; index < count; index++) {
      const id = `S${customer}-${index}`
      if (random.chance(30)) shared.push(id)
      const currency = random.pick(['USD', 'EUR', 'EUR', 'GBP'])
      const first = random.below(4)
      const last = first + 1 + random.below(DAYS.length - first)
      const cuts = [first, ...(last - first > 1 && random.chance(40) ? [first + 1] : []), last]
      for (const [piece, from] of cuts.slice(0, -1).entries()) {
        const isLast = piece === cuts.length - 2
        const status = random.chance(85) ? 'active' : piece === 0 ? 'trialing' : 'paused'
        const until = DAYS[cuts[piece + 1] ?? DAYS.length] ?? null
        cells.push(
          span(id, customer, DAYS[from] ?? '', until, 4, {
            currency,
            status,
            subscription_mrr_cents: status === 'active' ? 1000 * (1 + random.below(5)) + 1 : 0,
            start_reason: piece === 0 ? 'start' : status === 'paused' ? 'pause' : 'plan',
            end_reason: isLast && until !== null ? 'cancel' : null,
          }),
        )
      }
    }
  }
  return { cells, shared }
}

function customerOf(cells: readonly Cells[], shared: ReadonlyMap<string, string>): FoldedCustomer {
  const rates = rateTable(RATES, 'USD')
  const spans = cells.map((cell) => {
    const { subscription_mrr_cents, currency, subscription_fixed_on } = cell as unknown as Span
    const base = baseCents(subscription_mrr_cents, currency, subscription_fixed_on, rates)
    return {
      ...cell,
      subscription_mrr_base_cents: base,
      usage_mrr_base_cents: 0,
      mrr_base_cents: base,
    } as unknown as Span
  })
  const lines = new Map(spans.map(({ subscription_id: id }) => [id, shared.get(id) ?? id]))
  return {
    spans,
    lines,
    movements: movementsOf(spans, lines),
    logo_churn: [],
  } as unknown as FoldedCustomer
}

function rounded(rate: number | null): number | null {
  return rate === null ? null : Number(rate.toFixed(6))
}
