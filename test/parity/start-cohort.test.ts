import { beforeAll, describe, expect, it } from 'vitest'
import { ratio } from '../../src/core/money.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { recordedRows } from '../support/data/recorded/recorded-files.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { isFirst } from '../support/databases/targets.ts'
import { type Group, ratioSums, readRecorded, recordedReasons } from '../support/oracles/cohort-loops.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Row = Record<string, string | number | boolean | null>

const RANGES = [
  { start: '2025-07-01', end: '2025-12-31', from: '2025-07-01T00:00:00Z', to: '2026-01-01T00:00:00Z' },
  { start: '2026-02-10', end: '2026-05-20', from: '2026-02-10T00:00:00Z', to: '2026-05-21T00:00:00Z' },
  { start: '2025-03-15', end: '2026-03-20', from: '2025-03-15T00:00:00Z', to: '2026-03-21T00:00:00Z' },
] as const
const DIMENSIONS = ['plan_id', 'customer_country', 'currency'] as const

oneEngineInRotation('ratios on a start cohort by group, against plain loops', (target) => {
  const recorded = readRecorded('alpha')
  let engine: Engine
  beforeAll(async () => {
    engine = await engineOver(await sharedReal(target), { tenant: ['alpha'] })
  })
  const rows = async (metric: string, params: Record<string, unknown>, spec: Record<string, unknown> = {}): Promise<Row[]> =>
    (await engine.query(metric, params, spec)).data as Row[]

  // The other engines are asked for one dimension, over another range.
  describe.each(sampleOf(target, DIMENSIONS, { first: 1, others: DIMENSIONS.length }))('by %s', (dimension) => {
    // Each dimension leaves out another range.
    const shift = DIMENSIONS.indexOf(dimension)
    it.each(sampleOf(target, RANGES, { first: 3, others: 3, shift: isFirst(target) ? shift : 1 }))(
      '$start to $end (D43, D44, D45, D61)',
      async ({ start, end, from, to }) => {
        const wanted = ratioSums(recorded, [from, to], dimension)
        const byDimension = (metric: string, query_type: string) =>
          rows(metric, { query_type, start, end }, { dimensions: [dimension] })
        const rates = (found: readonly Row[], rate: string) => new Map(found.map((row) => [row[dimension] as Group, row[rate]]))
        const expected = (figure: 'net' | 'gross' | 'lost') =>
          new Map([...wanted].map(([group, sums]) => [group, ratio(sums[figure], sums.start)]))
        // A group without start MRR has no rate; it appears only for what moved in it.
        const known = (map: Map<Group, unknown>) => new Map([...map].filter(([, rate]) => rate !== null))
        expect(known(rates(await byDimension('retention', 'nrr'), 'retention_rate'))).toEqual(known(expected('net')))
        expect(known(rates(await byDimension('retention', 'grr'), 'retention_rate'))).toEqual(known(expected('gross')))
        const lost = await byDimension('churn', 'revenue')
        expect(known(rates(lost, 'revenue_churn_rate'))).toEqual(known(expected('lost')))
        expect(lost.reduce((sum, row) => sum + Number(row['revenue_lost']), 0)).toBe(
          [...wanted.values()].reduce((sum, { lost }) => sum + lost, 0),
        )
      },
    )
  })

  it.each(sampleOf(target, ['customer_country', 'currency', 'cancel_reason'], { first: 1, others: 3 }))(
    'logo churn by %s adds up, a filter is its row (I5, I6, D46)',
    async (dimension) => {
      const { start, end } = RANGES[2]
      const groups = await rows('churn', { query_type: 'logo', start, end }, { dimensions: [dimension] })
      const [total] = await rows('churn', { query_type: 'logo', start, end }, { dimensions: ['source'] })
      expect(groups.length).toBeGreaterThan(2)
      expect(groups.reduce((sum, row) => sum + Number(row['churn_count']), 0)).toBe(total?.['churn_count'])
      for (const row of groups.filter((group) => group[dimension] !== null).slice(0, 3)) {
        const filters = { [dimension]: row[dimension] }
        expect((await engine.query('churn', { query_type: 'logo', start, end }, { filters })).data).toBe(row['logo_churn_rate'])
      }
    },
  )

  it('a churned customer has the reason of its newest cancellation at that instant (D46)', async () => {
    const keyOf = new Map(recordedRows('accounts').map((row) => [row['id'], row['external_key']]))
    const reasons = recordedReasons()
    const found = (await rows('churn', { query_type: 'detail', start: '2025-06-01', end: '2026-11-20' })).filter(
      (row) => row['churned_at'] !== null,
    )
    const key = (row: Row) =>
      `${keyOf.get(String(row['customer_id']))} ${String(row['churned_at']).slice(0, 19).replace('T', ' ')}`
    expect(found.map((row) => [key(row), row['cancel_reason']])).toEqual(
      found.map((row) => [key(row), reasons.get(key(row)) ?? null]),
    )
    expect(new Set(found.map((row) => row['cancel_reason'])).size).toBeGreaterThan(3)
  })

  it('customers live just before each month are those of the recorded spans (D38, D41)', async () => {
    const months = await rows('churn', { query_type: 'logo', start: '2025-01-01', end: '2026-10-31', granularity: 'month' })
    const live = (instant: string) => {
      const owners = [...recorded.spans].flatMap(([subscription, spans]) =>
        spans.some((span) => span.is_live && span.valid_from < instant && (span.valid_to === null || span.valid_to >= instant))
          ? [recorded.ownerOf.get(subscription)]
          : [],
      )
      return new Set(owners).size
    }
    expect(months.map((row) => [row['period'], row['active_at_start']])).toEqual(
      months.map((row) => [row['period'], live(`${row['period']}T00:00:00Z`)]),
    )
  })
})
