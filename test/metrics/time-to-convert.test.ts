import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { trap } from '../support/data/catalogs/trap-catalog.ts'
import type { Happening } from '../support/data/scenario-tables.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { directAndCached } from '../support/product/direct-and-cached.ts'
import { trapDatabase } from '../support/product/trap-engines.ts'

type Row = Record<string, string | number | boolean | null>

const trial = (start: string, ...more: readonly Happening[]) => ({ events: [[start, 'CREATE', 'try-trial'] as const, ...more] })

/** Days until the conversion: 14, 3, 14, none (cancelled), 2 in the next month, none yet. */
const SCENARIO = trap({
  subscriptions: {
    A: trial('2026-01-01', ['2026-01-15', 'PHASE', 'try-evergreen']),
    B: trial('2026-01-03', ['2026-01-06', 'CHANGE', 'gold-evergreen']),
    C: trial('2026-01-04', ['2026-01-18', 'PHASE', 'try-evergreen']),
    D: trial('2026-01-05', ['2026-01-10', 'CANCEL']),
    E: trial('2026-01-31', ['2026-02-02', 'CHANGE', 'silver-evergreen']),
    F: trial('2026-02-20', ['2026-03-06', 'PHASE', 'try-evergreen']),
  },
})

const JANUARY = { query_type: 'time_to_convert', start: '2026-01-01', end: '2026-01-31' }

oneEngineInRotation('days from a trial to its conversion, worked out by hand (D95)', (target) => {
  let engines: readonly Engine[]
  beforeAll(async () => {
    const { direct, cached } = await directAndCached(await trapDatabase(target, { all: SCENARIO }), () => '2026-03-01 00:00:00')
    engines = [direct, cached.engine]
  })
  const expectAnswer = async (spec: Record<string, unknown>, wanted: unknown, params: Row = {}) => {
    for (const engine of engines) expect((await engine.query('trials', { ...JANUARY, ...params }, spec)).data).toEqual(wanted)
  }

  it('have a mean, and a share of the trials', async () => {
    await expectAnswer({ dimensions: ['source'] }, [
      { source: 'killbill', conversion_rate: 0.8, converted: 4, average_days: 8.25, all_started: 5 },
    ])
    await expectAnswer({}, 8.25)
  })

  it('have a distribution, whose groups share the trials that began', async () => {
    await expectAnswer({ dimensions: ['days_to_convert'] }, [
      { days_to_convert: 2, conversion_rate: 0.2, converted: 1, average_days: 2, all_started: 5 },
      { days_to_convert: 3, conversion_rate: 0.2, converted: 1, average_days: 3, all_started: 5 },
      { days_to_convert: 14, conversion_rate: 0.4, converted: 2, average_days: 14, all_started: 5 },
    ])
  })

  it('have the share that converted within some days, as a filter on the numerator', async () => {
    const within = (days: number) => ({ dimensions: ['source'], filters: { days_to_convert: { '<=': days } } })
    await expectAnswer(within(7), [{ source: 'killbill', conversion_rate: 0.4, converted: 2, average_days: 2.5, all_started: 5 }])
    await expectAnswer(within(1), [{ source: 'killbill', conversion_rate: 0, converted: 0, average_days: null, all_started: 5 }])
    await expectAnswer(within(14), [
      { source: 'killbill', conversion_rate: 0.8, converted: 4, average_days: 8.25, all_started: 5 },
    ])
  })

  it('belong to the period in which the trial began', async () => {
    const months = { granularity: 'month', end: '2026-02-28' }
    await expectAnswer(
      { dimensions: ['plan_id'] },
      [
        { period: '2026-01-01', plan_id: 'try', conversion_rate: 0.8, converted: 4, average_days: 8.25, all_started: 5 },
        { period: '2026-02-01', plan_id: 'try', conversion_rate: 0, converted: 0, average_days: null, all_started: 1 },
      ],
      months,
    )
  })

  it('have the trials behind a group', async () => {
    for (const engine of engines) {
      const cell = { ...JANUARY, measure: 'converted', group: ['days_to_convert=14'] }
      const { sum, rows } = (await engine.metricRows('trials', cell, { dimensions: ['days_to_convert'] })).data as {
        sum: number
        rows: readonly Row[]
      }
      expect([sum, rows.map((row) => String(row['subscription_id']).slice(2)).sort()]).toEqual([2, ['A', 'C']])
    }
  })
})
