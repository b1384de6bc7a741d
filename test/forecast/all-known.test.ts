import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { horizonOf } from '../../src/query/forecast.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { HISTORIES } from '../support/data/histories/history-seeds.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

const NOW = new Date('2024-06-15T10:00:00Z')
const RANGE = { start: '2024-01-01', end: '2026-12-31' }

type Rows = readonly Readonly<Record<string, unknown>>[]

/** A history whose rows were all written before the first of them takes effect. */
function writtenAhead(): ReturnType<typeof generatedHistory> {
  const known = (rows: Rows = []) => rows.map((row) => ({ ...row, created_date: '2000-01-01 00:00:00' }))
  const history = generatedHistory(...HISTORIES.levels)
  return {
    ...history,
    subscription_events: known(history['subscription_events']),
    blocking_states: known(history['blocking_states']),
  }
}

// Nothing else happens than what was written down, so the forecast is right. Amounts are in original cents, because rates are not
// written ahead, and without usage, because it is held.
firstEngineAndOneOther('a forecast of a generated history that is written ahead (D80)', (target) => {
  let ahead: Engine
  let later: Engine
  beforeAll(async () => {
    const { database } = await fillDatabase(target, writtenAhead())
    const given = {
      tenant: ['all'],
      definitions: { mrr_usage: 'off', allow_unpriced: true },
      store: await ratesOnly(RATES_CSV),
    } as const
    ahead = await engineOver(database, { ...given, now: NOW })
    later = await engineOver(database, { ...given, now: horizonOf(NOW) })
  })

  it.each([
    ['level of every month', { query_type: 'series' }, ['currency']],
    ['level of every plan and phase', { query_type: 'series' }, ['currency', 'plan_id', 'phase_type']],
    ['movement of every month', { query_type: 'breakdown', granularity: 'month' }, ['currency', 'plan_id']],
    ['bridge of every week', { query_type: 'waterfall', interval: 'week' }, ['currency']],
  ] as const)('is what happens: the %s', async (_, params, dimensions) => {
    const answer = async (engine: Engine, more: object = {}) =>
      (await engine.query('mrr', { ...params, ...RANGE, ...more }, { dimensions: [...dimensions] })).data as Rows
    const marked = await answer(ahead, { forecast: 'true' })
    const isAhead = ({ period }: Rows[number]) =>
      String(period) >= (params.query_type === 'waterfall' ? '2024-06-10' : '2024-06-01')
    expect(marked.filter(({ is_forecast }) => is_forecast === true)).toEqual(marked.filter(isAhead))
    const plain = marked.map(({ is_forecast: _, ...row }) => row)
    expect(plain).toEqual(await answer(later))
    const moved = plain.filter((row) => isAhead(row) && Number(row['amount_base'] ?? row['net_change'] ?? 0) !== 0)
    expect(moved.length, 'rows to come that move').toBeGreaterThan(10)
  })
})
