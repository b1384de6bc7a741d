import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { calendarOf } from '../../src/core/calendar.ts'
import { cents, count, quotient } from '../../src/metrics/columns.ts'
import { defineMetric, type MetricContext, type MetricQuery } from '../../src/metrics/define-metric.ts'
import { defineFigure, defineList } from '../../src/metrics/define-query.ts'
import type { PeriodGroup } from '../../src/metrics/readings/groups.ts'
import { PLAN_DIMENSIONS } from '../../src/query/dimensions/plan.ts'
import type { Field } from '../../src/query/field.ts'
import { type QueryInputs, RANGE_INPUTS } from '../../src/query/inputs.ts'
import { pointAt, rangeOf, type Timeframe } from '../../src/query/timeframe.ts'

const NOW = new Date('2025-06-05T00:00:00Z')
const WHOLE = rangeOf('2025-01-01', '2025-02-28', undefined, NOW)
const MONTHS = rangeOf('2025-01-01', '2025-02-28', 'month', NOW)
const PLAN = PLAN_DIMENSIONS.filter(({ key }) => key === 'plan_id')

const INPUTS: QueryInputs = { ...RANGE_INPUTS, step: 'granularity', dimensions: PLAN, can_group: true, compare: 'rows' }
const mean = quotient('Mean amount; null of nothing')
const sum = cents('Sum of amounts')
const DOCS = { formula: '', assumptions: [], edge_cases: [], example: { text: '', params: {}, answer: null } }

function contextOf(time: Timeframe, dimensions: readonly Field[] = [], compared: readonly string[] = []): MetricContext {
  const refuse = () => {
    throw new Error('nothing is run here')
  }
  return {
    request: {
      time,
      at: undefined,
      until: undefined,
      is_forecast: false,
      dimensions,
      conditions: [],
      audience: undefined,
      compared,
      limit: undefined,
      unit: 'base',
      money: 'cents',
      warnings: [],
    },
    now: NOW,
    calendar: calendarOf('UTC', NOW),
    connector: 'none',
    data_through: null,
    isSupplied: () => true,
    definitions: {} as MetricContext['definitions'],
    limits: { max_rows: 3 },
    run: refuse,
    warn: refuse,
    ask: refuse,
    inStore: refuse,
    engineRates: refuse,
  }
}

function keysOf(query: MetricQuery): readonly string[] {
  return Object.keys(query.row.shape)
}

describe('a figure', () => {
  interface Measured {
    readonly events: number
    readonly mean: number | null
    readonly sum: number
  }
  const found: PeriodGroup<Measured> = { values: ['pro'], measures: [{ events: 2, mean: 50, sum: 100 }] }
  const nobody: PeriodGroup<Measured> = { values: ['team'], measures: [{ events: 0, mean: null, sum: 0 }] }
  const define = (inputs: QueryInputs, groups: readonly PeriodGroup<Measured>[] = [found, nobody]) =>
    defineFigure({ summary: '', inputs, measures: { mean, sum }, plain: 'mean', read: async () => groups })

  it('has the columns of its measures, with a period where there can be some', () => {
    expect(keysOf(define(INPUTS))).toEqual(['period', 'mean', 'sum'])
    expect(define(INPUTS).row.safeParse({ mean: 1, sum: 1 }).success).toBe(true)
    expect(keysOf(define({ ...INPUTS, step: 'none' }))).toEqual(['mean', 'sum'])
    const series = define({ ...INPUTS, step: 'interval' })
    expect(keysOf(series)).toEqual(['period', 'mean', 'sum'])
    expect(series.row.safeParse({ mean: 1, sum: 1 }).success).toBe(false)
    const level = define({ ...INPUTS, dates: 'point_or_range', step: 'interval' })
    expect([keysOf(level), Object.keys(level.series_row?.shape ?? {})]).toEqual([
      ['mean', 'sum'],
      ['period', 'mean', 'sum'],
    ])
  })

  it('is plainly one measure, or the object of all', async () => {
    const total = [{ values: [], measures: found.measures }]
    expect(await define(INPUTS, total).run(contextOf(WHOLE))).toEqual({ kind: 'scalar', field: 'mean', value: 50 })
    const all = defineFigure({ summary: '', inputs: INPUTS, measures: { sum, mean }, read: async () => total })
    expect(await all.run(contextOf(WHOLE))).toEqual({ kind: 'object', columns: ['sum', 'mean'], value: { sum: 100, mean: 50 } })
    expect(all.plain.safeParse({ sum: 100, mean: 50 }).success).toBe(true)
  })

  it('of nothing is null where the measure may be, else 0', async () => {
    const all = defineFigure({ summary: '', inputs: INPUTS, measures: { sum, mean }, read: async () => [] })
    expect(await all.run(contextOf(WHOLE))).toMatchObject({ value: { sum: 0, mean: null } })
  })

  it('by group leaves out what other queries show, and groups of nothing', async () => {
    expect(await define(INPUTS).run(contextOf(WHOLE, PLAN))).toEqual({
      kind: 'rows',
      columns: ['plan_id', 'mean', 'sum'],
      rows: [{ plan_id: 'pro', mean: 50, sum: 100 }],
    })
  })

  it('by period has a row for each, the period first', async () => {
    const measures = [...found.measures, ...nobody.measures]
    expect(await define(INPUTS, [{ values: ['pro'], measures }]).run(contextOf(MONTHS, PLAN))).toEqual({
      kind: 'rows',
      columns: ['period', 'plan_id', 'mean', 'sum'],
      rows: [
        { period: '2025-01-01', plan_id: 'pro', mean: 50, sum: 100 },
        { period: '2025-02-01', plan_id: 'pro', mean: null, sum: 0 },
      ],
    })
  })

  it('can read periods in another way', async () => {
    const level = defineFigure({
      summary: '',
      inputs: { ...INPUTS, dates: 'point_or_range', step: 'interval' },
      measures: { sum },
      plain: 'sum',
      read: async () => [{ values: [], measures: [{ sum: 7 }] }],
      series: {
        measures: { sum: sum.nullable(), net: cents('Net') },
        read: async () => [
          { order: ['2025-01-01'], keys: { period: '2025-01-01' }, values: [], measures: { net: 1, sum: null } },
        ],
      },
    })
    expect(await level.run(contextOf(pointAt('2025-01-31', NOW)))).toMatchObject({ value: 7 })
    expect(await level.run(contextOf(MONTHS))).toMatchObject({
      columns: ['period', 'sum', 'net'],
      rows: [{ period: '2025-01-01', sum: null, net: 1 }],
    })
  })
})

describe('a list', () => {
  const row = (plan: string, events: number, period: string | null) => ({
    order: [period, -events],
    keys: { period, plan_id: plan },
    values: [],
    measures: { events, other: 1 },
  })
  const define = (time: 'cut' | 'whole', names = ['a', 'b']) =>
    defineList({
      summary: '',
      inputs: INPUTS,
      keys: { plan_id: z.string().describe('Plan') },
      measures: { events: count('Events') },
      read: async () => names.map((name, index) => row(name, index, time === 'cut' ? '2025-01-01' : null)),
    })

  it('follows the order of its rows, with a period where there is one', async () => {
    expect(keysOf(define('whole'))).toEqual(['period', 'plan_id', 'events'])
    const rows = [
      { plan_id: 'b', events: 1 },
      { plan_id: 'a', events: 0 },
    ]
    expect(await define('whole').run(contextOf(WHOLE))).toEqual({ kind: 'rows', columns: ['plan_id', 'events'], rows })
    expect(await define('cut').run(contextOf(MONTHS))).toEqual({
      kind: 'rows',
      columns: ['period', 'plan_id', 'events'],
      rows: rows.map((each) => ({ period: '2025-01-01', ...each })),
    })
  })

  it('is not grouped once more by its keys', () => {
    expect(define('whole').inputs.key_columns).toEqual(['plan_id'])
  })

  it('of too many rows is refused', async () => {
    await expect(define('whole', ['a', 'b', 'c', 'd']).run(contextOf(WHOLE))).rejects.toMatchObject({ code: 'result_too_large' })
  })
})

describe('a metric', () => {
  const query = (summary: string, inputs: QueryInputs = INPUTS) =>
    defineFigure({ summary, inputs, measures: { sum }, plain: 'sum', read: async () => [] })
  const base = { name: 'm', summary: '', depends_on: [], reads: [], time_fields: [], docs: DOCS }

  it('answers its first query where none is named', () => {
    const metric = defineMetric({ ...base, queries: { b: query('B'), a: query('A') }, routes: [] })
    expect([metric.choose(undefined, {}, {}), metric.choose('a', {}, {})]).toEqual(['b', 'a'])
  })

  it('has routes and commands that follow from the queries', () => {
    const metric = defineMetric({
      ...base,
      queries: { total: query('Total'), by_day: query('By day', { ...INPUTS, step: 'interval' }) },
      routes: [
        { path: 'm', command: { description: 'The total', also_named: 'total' } },
        { path: 'm/by-day', query_type: 'by_day' },
        { path: 'm/raw', summary: 'Raw', command: false },
      ],
    })
    const range = ['start', 'end']
    const rows = ['order', 'limit', 'offset', 'rest']
    const named = { dimensions: ['plan_id'], filters: ['plan_id'] }
    const segments = ['granularity', 'segment', 'compare_segments']
    const rest = ['compare_to', 'dimensions', 'filter', 'format', 'money', 'definitions', 'explain']
    const scope = ['range', ...segments, ...rows, ...rest]
    expect(metric.routes.map(({ path, query_type, summary, command }) => ({ path, query_type, summary, command }))).toEqual([
      {
        path: 'm',
        query_type: undefined,
        summary: 'Total',
        command: { names: ['m', 'total'], description: 'The total', ...named, parameters: [...range, ...scope], required: range },
      },
      {
        path: 'm/by-day',
        query_type: 'by_day',
        summary: 'By day',
        command: {
          ...named,
          names: ['m by-day'],
          description: 'By day',
          parameters: [...range, 'interval', 'range', ...segments, ...rest],
          required: range,
        },
      },
      { path: 'm/raw', query_type: undefined, summary: 'Raw', command: undefined },
    ])
    expect(metric.routes[0]?.params.map(({ name }) => name)).toEqual([...range, ...scope])
  })

  it('without a query for a route is refused', () => {
    expect(() => defineMetric({ ...base, queries: {}, routes: [{ path: 'm' }] })).toThrow('"m" names no query')
  })
})
