import { describe, expect, it } from 'vitest'
import type { Interval } from '../../src/core/periods.ts'
import { markForecast, markPeriods } from '../../src/execution/answer/mark-periods.ts'
import { horizonOf } from '../../src/query/forecast.ts'
import { pointAt, rangeOf } from '../../src/query/timeframe.ts'

/** The periods that are marked, of a series over the range at `now`. */
async function markedOf(start: string, end: string, interval: Interval, now: string): Promise<readonly unknown[]> {
  const instant = new Date(now)
  const time = rangeOf(start, end, interval, instant)
  const rows = time.periods.flatMap(({ period }) => [
    { period, plan_id: 'a', mrr: 1 },
    { period, plan_id: 'b', mrr: 0 },
  ])
  const result = await markPeriods(
    { kind: 'rows', columns: ['period', 'plan_id', 'mrr'], rows },
    { time, until: undefined },
    instant,
  )
  if (result.kind !== 'rows') throw new Error(result.kind)
  expect(result.columns).toEqual(['period', 'plan_id', 'mrr', 'is_partial'])
  expect(result.rows.every((row) => !('is_partial' in row) || row['is_partial'] === true)).toBe(true)
  const marked = result.rows.filter((row) => 'is_partial' in row)
  const periods = [...new Set(marked.map((row) => (row as Record<string, unknown>)['period']))]
  expect(marked.length, 'every group of a marked period').toBe(2 * periods.length)
  return periods
}

describe('rows of a period that is not over', () => {
  it.each([
    ['the running month', '2026-09-01', '2026-11-20', 'month', '2026-11-20T10:00:00Z', ['2026-11-01']],
    ['no month after the last second of one', '2026-09-01', '2026-10-31', 'month', '2026-11-01T00:00:00Z', []],
    ['the month in its last second', '2026-09-01', '2026-10-31', 'month', '2026-10-31T23:59:59Z', ['2026-10-01']],
    ['the month in its first second', '2026-10-01', '2026-11-01', 'month', '2026-11-01T00:00:00Z', ['2026-11-01']],
    ['the leap day’s month', '2024-01-01', '2024-02-29', 'month', '2024-02-29T00:00:00Z', ['2024-02-01']],
    ['today', '2026-11-18', '2026-11-20', 'day', '2026-11-20T23:59:59Z', ['2026-11-20']],
    ['the week, on its Sunday', '2026-11-09', '2026-11-22', 'week', '2026-11-22T12:00:00Z', ['2026-11-16']],
    ['the week, on its Monday', '2026-11-09', '2026-11-23', 'week', '2026-11-23T00:00:00Z', ['2026-11-23']],
    ['the quarter', '2026-01-01', '2026-11-20', 'quarter', '2026-11-20T12:00:00Z', ['2026-10-01']],
    ['the year', '2025-01-01', '2026-11-20', 'year', '2026-11-20T12:00:00Z', ['2026-01-01']],
    // The range cuts October, but October is over.
    ['no past month that the range cuts', '2026-09-10', '2026-10-15', 'month', '2026-11-20T12:00:00Z', []],
    // The range ends before today, in the running month.
    ['the running month that the range cuts', '2026-11-01', '2026-11-10', 'month', '2026-11-20T12:00:00Z', ['2026-11-01']],
    ['the running year that the range cuts', '2026-02-01', '2026-03-31', 'year', '2026-11-20T12:00:00Z', ['2026-01-01']],
  ] as const)('are those of %s', async (_, start, end, interval, now, periods) => {
    expect(await markedOf(start, end, interval, now)).toEqual(periods)
  })

  it('need a series: a point and a list without periods are unchanged', async () => {
    const now = new Date('2026-11-20T12:00:00Z')
    const scalar = { kind: 'scalar', field: 'mrr', value: 1 } as const
    const list = { kind: 'rows', columns: ['plan_id', 'mrr'], rows: [{ plan_id: 'a', mrr: 1 }] } as const
    const asked = { time: rangeOf('2026-11-01', '2026-11-20', 'month', now), until: undefined }
    for (const result of [scalar, list]) {
      expect(await markPeriods(result, asked, now)).toBe(result)
      expect(await markForecast(result, asked, now)).toBe(result)
    }
  })
})

describe('rows of a forecast (D80)', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const until = horizonOf(now)
  const columns = ['period', 'mrr']
  const marks = async (start: string, end: string) => {
    const time = rangeOf(start, end, 'month', until)
    const rows = time.periods.map(({ period }) => ({ period, mrr: 1 }))
    return markPeriods({ kind: 'rows', columns, rows }, { time, until }, now)
  }

  it('are those whose period ends after now, also the running one', async () => {
    expect(await marks('2026-10-01', '2026-12-31')).toEqual({
      kind: 'rows',
      columns: [...columns, 'is_partial', 'is_forecast'],
      rows: [
        { period: '2026-10-01', mrr: 1 },
        { period: '2026-11-01', mrr: 1, is_forecast: true },
        { period: '2026-12-01', mrr: 1, is_forecast: true },
      ],
    })
  })

  it('are partial if the range ends before now', async () => {
    expect(await marks('2026-11-01', '2026-11-19')).toMatchObject({ rows: [{ period: '2026-11-01', mrr: 1, is_partial: true }] })
  })

  it('without periods are all marked or none, and a number never is', async () => {
    const list = { kind: 'rows', columns: ['plan_id', 'mrr'], rows: [{ plan_id: 'a', mrr: 1 }] } as const
    const object = { kind: 'object', columns: ['mrr'], value: { mrr: 1 } } as const
    const scalar = { kind: 'scalar', field: 'mrr', value: 1 } as const
    const ahead = { time: pointAt('2026-12-31', until), until }
    expect(await markForecast(list, ahead, now)).toMatchObject({
      columns: ['plan_id', 'mrr', 'is_forecast'],
      rows: [{ plan_id: 'a', mrr: 1, is_forecast: true }],
    })
    expect(await markForecast(object, ahead, now)).toMatchObject({ value: { mrr: 1, is_forecast: true } })
    expect(await markForecast(scalar, ahead, now)).toBe(scalar)
    const past = { time: pointAt('2026-11-19', until), until }
    expect(await markForecast(list, past, now)).toEqual({ ...list, columns: ['plan_id', 'mrr', 'is_forecast'] })
  })
})
