import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/contract.ts'
import { paramsForDays } from '../../src/query/inputs.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { isInTurn, oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { BILLING_METRICS } from '../support/product/billing-metrics.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Row = Readonly<Record<string, unknown>>

// A quarter, with the days that compare_to means worked out by hand.
const NOW = { start: '2025-10-01', end: '2025-12-31' }
const EARLIER = {
  previous: { start: '2025-07-01', end: '2025-09-30', at: '2025-11-30', period: '2025-11' },
  year: { start: '2024-10-01', end: '2024-12-31', at: '2024-12-31', period: '2024-12' },
} as const

/** Every query of every metric about customers, grouped by something that it offers, and plain. */
const QUESTIONS = BILLING_METRICS.filter(({ is_overview }) => is_overview !== true).flatMap(({ name, queries }) =>
  Object.entries(queries).flatMap(([query_type, { inputs, is_comparable }]) => {
    const key = ['plan_id', 'customer_country'].find(
      (one) => inputs.can_group && inputs.dimensions.some((field) => field.key === one),
    )
    const days = inputs.dates === 'month' ? { period: '2025-12' } : paramsForDays(inputs, NOW)
    const isOpen = is_comparable !== false
    return [[], ...(key === undefined ? [] : [[key]])].map((dimensions) => ({
      metric: name,
      query_type,
      dimensions,
      days,
      isOpen,
    }))
  }),
)

oneEngineInRotation('rows', (target) => {
  let engine: Engine
  let cached: Awaited<ReturnType<typeof cachedEngineOver>>
  beforeAll(async () => {
    const database = await sharedReal(target)
    engine = await engineOver(database, { tenant: ['all'] })
    cached = await cachedEngineOver(database, { tenant: ['all'] })
  })
  afterAll(async () => {
    await engine.close()
    await cached.engine.close()
  })

  const ask = async (question: (typeof QUESTIONS)[number], params: object, asked = engine) =>
    (
      await asked.query(
        question.metric,
        { query_type: question.query_type, ...params },
        question.dimensions.length === 0 ? {} : { dimensions: question.dimensions },
      )
    ).data

  it('compared are those of both times, asked one by one', { timeout: 240_000 }, async () => {
    let compared = 0
    for (const [place, question] of sampleOf(
      target,
      QUESTIONS.filter(({ isOpen }) => isOpen),
    ).entries()) {
      const to = isInTurn(place, 2) ? 'previous' : 'year'
      // A third of them by the engine itself.
      const asked = isInTurn(place, 3) ? engine : cached.engine
      const { at, period, ...range } = EARLIER[to]
      const earlierDays = 'period' in question.days ? { period } : 'at' in question.days ? { at } : range
      const answer = await ask(question, { ...question.days, compare_to: to }, asked)
      const [now, then] = [await ask(question, question.days, asked), await ask(question, earlierDays, asked)]
      const label = `${question.metric}.${question.query_type} by ${question.dimensions} to ${to}`
      if (now === null || typeof now === 'number') {
        expect(answer, label).toMatchObject({ value: now, previous: then })
        continue
      }
      compared += expectBeside(label, answer, now, then)
    }
    expect(compared).toBeGreaterThan(30)
  })

  it('from the cache are the same', { timeout: 240_000 }, async () => {
    const before = cached.cache.answered()
    const params = {
      query_type: 'breakdown',
      ...NOW,
      compare_to: 'previous',
      order: '-change_amount_base',
      limit: 5,
      rest: 'true',
    }
    const spec = { dimensions: ['plan_id'] }
    const [direct, held] = [await engine.query('mrr', params, spec), await cached.engine.query('mrr', params, spec)]
    expect(held.data).toEqual(direct.data)
    expect([held.total, held.compared_with]).toEqual([direct.total, '2025-07-01/2025-09-30'])
    expect(cached.cache.answered()).toBe(before + 1)
  })

  it('sorted and cut are those that a loop finds, and the rest makes the sum', { timeout: 240_000 }, async () => {
    const question = { metric: 'mrr', query_type: 'current', dimensions: ['plan_id'], days: { at: NOW.end }, isOpen: true }
    const all = (await ask(question, question.days)) as readonly { plan_id: string | null; mrr: number }[]
    expect(all.length).toBeGreaterThan(4)
    const sorted: (typeof all)[number][] = []
    for (const row of all) {
      const place = sorted.findIndex((other) => other.mrr < row.mrr)
      sorted.splice(place < 0 ? sorted.length : place, 0, row)
    }
    expect(await ask(question, { ...question.days, order: '-mrr' })).toEqual(sorted)
    expect(await ask(question, { ...question.days, order: '-mrr', limit: 2, offset: 1 })).toEqual(sorted.slice(1, 3))
    const cut = [...sorted.slice(0, 1), ...sorted.slice(3)].reduce((sum, { mrr }) => sum + mrr, 0)
    const shown = sorted.slice(1, 3).map((row) => ({ is_rest: false, ...row }))
    expect(await ask(question, { ...question.days, order: '-mrr', limit: 2, offset: 1, rest: true })).toEqual([
      ...shown,
      { is_rest: true, plan_id: null, mrr: cut },
    ])

    // Reasons share what they are a share of, so the rates of all rows add up whatever is cut.
    const churn = { metric: 'churn', query_type: 'logo', dimensions: ['cancel_reason'], days: NOW, isOpen: true }
    const reasons = (await ask(churn, { ...NOW, limit: 1, rest: true })) as readonly Row[]
    const whole = (await ask(churn, NOW)) as readonly Row[]
    const lost = whole.slice(1).reduce((sum, row) => sum + Number(row['churn_count']), 0)
    expect(reasons.at(-1)).toMatchObject({ is_rest: true, churn_count: lost, active_at_start: whole[0]?.['active_at_start'] })
    expect(reasons.at(-1)?.['logo_churn_rate']).toBeCloseTo(lost / Number(whole[0]?.['active_at_start']), 5)
  })
})

const PERIODS = ['period', 'month']

// How many rows were held against each other; an object is a row.
function expectBeside(label: string, answer: unknown, now: unknown, then: unknown): number {
  const [rows, current, earlier] = [answer, now, then].map((data) => (Array.isArray(data) ? data : [data]) as readonly Row[])
  const [places, before] = [current, earlier].map((list = []) => [...new Set(list.map((row) => row['period']))])
  const isMeasure = (name: string) => rows?.[0] !== undefined && `previous_${name}` in rows[0]
  const keyOf = (row: Row, periods: readonly unknown[] = []) =>
    JSON.stringify([
      periods.indexOf(row['period']),
      ...Object.entries(row).filter(([name]) => !isMeasure(name) && !PERIODS.includes(name) && !/^(previous|change)_/.test(name)),
    ])
  const keys = new Set([...(current ?? []).map((row) => keyOf(row, places)), ...(earlier ?? []).map((row) => keyOf(row, before))])
  expect(new Set(rows?.map((row) => keyOf(row, places))), label).toEqual(keys)
  expect(rows?.length, label).toBe(keys.size)
  for (const row of rows ?? []) {
    const own = current?.find((one) => keyOf(one, places) === keyOf(row, places))
    const other = earlier?.find((one) => keyOf(one, before) === keyOf(row, places))
    for (const name of Object.keys(row).filter(isMeasure)) {
      const [value, previous] = [row[name], row[`previous_${name}`]]
      if (own !== undefined) expect(value, `${label} ${name}`).toBe(own[name])
      else expect([0, null], `${label} ${name}`).toContain(value)
      if (other !== undefined) expect(previous, `${label} ${name}`).toBe(other[name])
      else expect([0, null], `${label} ${name}`).toContain(previous)
      const change = row[`change_${name}`]
      if (typeof value === 'number' && typeof previous === 'number') expect(change, label).toBeCloseTo(value - previous, 5)
      else expect(change, label).toBeNull()
    }
  }
  return rows?.length ?? 0
}
