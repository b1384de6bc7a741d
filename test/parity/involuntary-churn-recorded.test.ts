import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { END_OF_PAYMENTS, paymentRows, paymentsDatabase } from '../support/data/killbill/payments-database.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { collectedOf } from '../support/oracles/collection-loops.ts'
import { troubleAt } from '../support/oracles/trouble-loops.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Row = Record<string, string | number | null>
interface Behind {
  readonly sum: number
  readonly rows: readonly Row[]
}

const RANGE = { start: '2025-03-03', end: '2025-06-06', granularity: 'day' }

firstEngineAndOneOther('involuntary churn of a recorded server (R28)', (target) => {
  let engine: Engine
  beforeAll(async () => {
    engine = await engineOver(await paymentsDatabase(target), { tenant: ['all'], now: END_OF_PAYMENTS })
  }, 300_000)
  const invoices = collectedOf(paymentRows, '2025-06-07 01:02:00')
  const judge = (row: Row) =>
    troubleAt(paymentRows, invoices, String(row['customer_id']), String(row['occurred_at']).replace('T', ' ').slice(0, 19))
  const series = async (metric: string, query_type: string) =>
    (await engine.query(metric, { query_type, ...RANGE })).data as Row[]
  const behind = async (metric: string, cell: Record<string, string>) =>
    (await engine.metricRows(metric, { ...RANGE, limit: '1000', ...cell })).data as unknown as Behind

  it.each([
    { query_type: 'logo', all: 'churn_count', own: 'involuntary_count', share: 'involuntary_share' },
    { query_type: 'revenue', all: 'revenue_lost', own: 'involuntary_lost', share: 'involuntary_mrr_share' },
  ])(
    'is the churn of those that did not pay, by plain loops, on each day: $query_type',
    async ({ query_type, all, own, share }) => {
      const days = (await series('churn', query_type)).filter((row) => row[all] !== 0)
      const found = await series('involuntary_churn', query_type)
      const causes: (string | null)[] = []
      for (const { period, [all]: total } of days) {
        const lost = await behind('churn', { query_type, period: String(period), measure: all })
        const judged = lost.rows.map((row) => ({ cause: judge(row), amount: Number(row['amount_base_cents'] ?? row['count']) }))
        const wanted = judged.filter(({ cause }) => cause !== null).reduce((sum, { amount }) => sum + amount, 0)
        causes.push(...judged.map(({ cause }) => cause))
        expect(
          found.find((row) => row['period'] === period),
          `${period}`,
        ).toMatchObject({ [all]: total, [own]: wanted, [share]: Math.round((1e6 * wanted) / Number(total)) / 1e6 })
        if (wanted === 0) continue
        const rows = await behind('involuntary_churn', { query_type, period: String(period), measure: own })
        expect(rows.sum).toBe(wanted)
        expect(rows.rows.map((row) => [row['customer_id'], row['reason']]).sort()).toEqual(
          lost.rows.flatMap((row) => (judge(row) === null ? [] : [[row['customer_id'], judge(row)]])).sort(),
        )
      }
      expect(days.length).toBeGreaterThan(query_type === 'logo' ? 2 : 10)
      if (query_type === 'revenue') expect(new Set(causes)).toEqual(new Set(['overdue', 'failed_payment', null]))
    },
  )
})
