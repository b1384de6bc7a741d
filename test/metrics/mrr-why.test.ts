import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { readExample } from '../support/data/example-tables.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import { toldPlans } from '../support/product/plans-in-sentences.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

const RATES = join(packageRoot(), 'fixtures', 'killbill', 'worked-example', 'fx.csv')
const SPRING = { query_type: 'why', start: '2025-03-01', end: '2025-05-31' }

everyEngine('why MRR changed in the worked example (definitions.md 17)', (target) => {
  let engine: Engine
  beforeAll(async () => {
    const { database } = await fillDatabase(target, readExample('worked-example').given)
    const store = await ratesOnly(readFileSync(RATES, 'utf8'))
    engine = await engineOver(database, { now: new Date('2025-06-05T00:00:00Z'), store })
  })
  const ask = async (params: Record<string, unknown>, spec: Record<string, unknown> = {}) =>
    (await engine.query('mrr', params, spec)).data as Record<string, unknown>

  it('the sentence ends on the last day that has begun', async () => {
    const { sentences } = await ask({ ...SPRING, end: '2025-12-31' })
    expect((sentences as string[])[0]).toMatch(/^MRR rose by [\d.]+ USD from 2025-03-01 to 2025-06-05, from 288\.33 to /)
  })

  it('kinds and plans add up to the change, and the largest movements come first (D36, D37)', async () => {
    const { movers, sentences, ...figures } = await ask({ ...SPRING, limit: '3' })
    expect(figures).toEqual({
      start_mrr: 28833,
      end_mrr: 33433,
      change: 4600,
      by_movement: { new: 0, expansion: 13600, contraction: -100, churn: -17900, reactivation: 9000, transfer: 0, fx_effect: 0 },
      // 100.00 EUR at 1.20 in place of 1.10.
      rate_parts: { expansion: 1000, contraction: 0 },
      by_plan: [
        { plan_id: 'seat', amount_base: 8200 },
        { plan_id: 'plus', amount_base: -5000 },
        { plan_id: 'lite', amount_base: 4000 },
        { plan_id: 'team', amount_base: -2900 },
        { plan_id: 'meter', amount_base: 300 },
      ],
    })
    expect(movers).toMatchObject([
      { movement_type: 'expansion', plan_id: 'seat', occurred_at: '2025-04-01T12:00:00.000Z', amount_base: 8200 },
      { movement_type: 'churn', plan_id: 'business', occurred_at: '2025-05-24T12:00:00.000Z', amount_base: -7900 },
      { movement_type: 'churn', plan_id: 'plus', occurred_at: '2025-03-20T12:00:00.000Z', amount_base: -5000 },
    ])
    expect((movers as { text: string }[]).map(({ text }) => text)).toEqual([
      'Customer C changed the quantity of seat on 2025-04-01: +82.00 USD (+72.00 by the customer, +10.00 by the exchange rate).',
      'Customer B cancelled business on 2025-05-24: -79.00 USD.',
      'Customer F paused plus on 2025-03-20: -50.00 USD.',
    ])
    expect(sentences).toEqual([
      'MRR rose by 46.00 USD from 2025-03-01 to 2025-05-31, from 288.33 to 334.33 USD.',
      'Cancellations, ends and pauses took 179.00 USD, mostly from plus: 2 of 3 movements.',
      'Expansion added 136.00 USD (customers added 126.00 USD, exchange rates added 10.00 USD), mostly from seat: 1 of 4 movements.',
      'Returning customers and resumed subscriptions added 90.00 USD, mostly from plus: 1 of 2 movements.',
      'Contraction took 1.00 USD, all from meter: 1 movement.',
      'The plan that moved most is seat: +82.00 USD.',
    ])
  })

  it('the numbers of a sentence are those of the breakdown by plan, which its rows are', async () => {
    const { sentences } = await ask(SPRING)
    const params = { ...SPRING, query_type: 'breakdown' }
    const rows = (await engine.query('mrr', params, { dimensions: ['plan_id'] })).data as Record<string, unknown>[]
    const told = toldPlans(sentences as string[])
    expect(told.length).toBe(4)
    for (const { movement_type, plan_id, events, all_events } of told) {
      const moved = rows.filter((row) => row['movement_type'] === movement_type)
      expect(moved.reduce((sum, row) => sum + Number(row['event_count']), 0)).toBe(all_events)
      expect(moved.find((row) => row['plan_id'] === plan_id)?.['event_count']).toBe(events)
    }
  })

  it('every movement has the words of its reason', async () => {
    const { movers } = await ask({ ...SPRING, start: '2025-01-01' })
    const texts = (movers as { text: string }[]).map(({ text }) => text.replace(/ on 2025.*/, ''))
    expect(texts).toEqual([
      'Customer C started seat',
      'Customer A started pro-annual',
      'Customer C changed the quantity of seat',
      'Customer B cancelled business',
      'Customer F started plus',
      'Customer F paused plus',
      'Customer B changed to business',
      'Customer F resumed plus',
      'Customer F cancelled plus',
      'Customer F came back with lite',
    ])
    const usage = await ask(SPRING, { filters: { movement_source: 'usage' } })
    expect((usage['movers'] as { text: string }[]).map(({ text }) => text)).toEqual([
      'Customer E used more on meter on 2025-04-02: +2.50 USD.',
      'Customer E used more on meter on 2025-03-03: +1.50 USD.',
      'Customer E used less on meter on 2025-05-04: -1.00 USD.',
    ])
    expect(usage).toMatchObject({ start_mrr: 600, end_mrr: 900, change: 300 })
  })

  it('entries into a filter without a movement are told apart', async () => {
    const spec = { filters: { plan_id: 'business' } }
    const answer = await ask({ ...SPRING, end: '2025-04-30' }, spec)
    expect(answer).toMatchObject({
      start_mrr: 0,
      end_mrr: 7900,
      change: 7900,
      by_movement: { expansion: 5000, transfer: 2900 },
      by_plan: [{ plan_id: 'business', amount_base: 7900 }],
    })
    expect(answer['sentences']).toContain('What entered or left the filters added 29.00 USD.')
  })

  it('nothing moved is no change, also of a range to come (D3)', async () => {
    const nothing = { change: 0, by_plan: [], movers: [] }
    expect(await ask({ ...SPRING, start: '2025-02-10', end: '2025-02-20' })).toMatchObject({
      ...nothing,
      start_mrr: 28833,
      sentences: ['MRR stayed at 288.33 USD from 2025-02-10 to 2025-02-20.'],
    })
    expect(await ask({ ...SPRING, start: '2026-01-01', end: '2026-01-31' })).toMatchObject({ ...nothing, start_mrr: 33433 })
  })

  it('all errors come at once', async () => {
    const wrong = ask({ query_type: 'why', start: '2025-03-01', limit: '0' }, { dimensions: ['plan_id'], filters: { nope: 1 } })
    await expect(wrong).rejects.toMatchObject({
      issues: expect.arrayContaining(
        [
          { code: 'invalid_range', where: 'params.end' },
          { code: 'invalid_value', where: 'params.limit' },
          { code: 'unknown_dimension', where: 'spec.dimensions' },
          { code: 'unknown_filter', where: 'spec.filters.nope' },
        ].map((issue) => expect.objectContaining(issue)),
      ),
    })
  })
})
