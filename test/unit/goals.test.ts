import { describe, expect, it } from 'vitest'
import { type ComparedGoal, goalAt, goalDays, goalFor, goalShare, goalText } from '../../src/core/goal.ts'
import { BUILT_IN_METRICS } from '../../src/metrics/built-in.ts'
import { goalSubjects } from '../../src/workspace/goals/subjects.ts'

const goals = ['2026-10', '2026-11', '2026-Q4', '2027-Q1'].map((period, at) => ({ period, value: at + 1 }))
const day = (at: string) => ({ start: at, end: at })

it('a period has its first and its last day', () => {
  expect(['2024-02', '2026-12', '2026-Q1', '2026-Q4'].map(goalDays)).toEqual([
    { start: '2024-02-01', end: '2024-02-29' },
    { start: '2026-12-01', end: '2026-12-31' },
    { start: '2026-01-01', end: '2026-03-31' },
    { start: '2026-10-01', end: '2026-12-31' },
  ])
})

describe('a number is compared with the goal of its days', () => {
  const found = (...given: Parameters<typeof goalFor>) => {
    const match = goalFor(...given)
    return match && [match.goal.period, match.isRunning]
  }
  it.each([
    ['2026-10-31', ['2026-10', false]],
    ['2026-11-20', ['2026-11', true]],
    ['2026-11-30', ['2026-11', false]],
    // No month has a goal, so the quarter has.
    ['2026-12-01', ['2026-Q4', true]],
    ['2026-12-31', ['2026-Q4', false]],
    ['2026-09-30', undefined],
  ] as const)('a level of %s: %j', (at, expected) => {
    expect(found(goals, day(at), true)).toEqual(expected)
  })
  it('a level of days to come is that of the last known day', () => {
    expect(found(goals, { start: '2026-11-01', end: '2026-12-31' }, true, '2026-11-20')).toEqual(['2026-11', true])
  })
  it.each([
    [{ start: '2026-10-01', end: '2026-10-31' }, '2026-11-20', ['2026-10', false]],
    [{ start: '2026-11-01', end: '2026-11-30' }, '2026-11-20', ['2026-11', true]],
    [{ start: '2026-11-01', end: '2026-11-20' }, '2026-11-20', ['2026-11', true]],
    // A part of a month that is not the known one has no goal.
    [{ start: '2026-11-01', end: '2026-11-10' }, '2026-11-20', undefined],
    [{ start: '2026-11-02', end: '2026-11-30' }, '2026-12-20', undefined],
    [{ start: '2026-10-01', end: '2026-12-31' }, '2027-01-20', ['2026-Q4', false]],
    [{ start: '2025-12-01', end: '2026-11-30' }, '2026-12-20', undefined],
  ] as const)('a rate of %j, known to %s: %j', (days, through, expected) => {
    expect(found(goals, days, false, through)).toEqual(expected)
  })
})

describe('a chart has the goal of each place', () => {
  const places = (days: readonly { readonly start: string; readonly end: string }[], isLevel: boolean) =>
    days.map((place) => goalAt(goals, place, isLevel)?.period)
  const months = ['2026-09', '2026-10', '2026-11', '2026-12'].map(goalDays)
  it('months of a level have the goal of the month, or of the quarter', () => {
    expect(places(months, true)).toEqual([undefined, '2026-10', '2026-11', '2026-Q4'])
  })
  it('months of a rate have only goals of months, and quarters those of quarters', () => {
    expect(places(months, false)).toEqual([undefined, '2026-10', '2026-11', undefined])
    expect(places(['2026-Q3', '2026-Q4', '2027-Q1'].map(goalDays), false)).toEqual([undefined, '2026-Q4', '2027-Q1'])
  })
  it('days of a rate have no part of a goal', () => {
    expect(places([day('2026-10-31'), day('2026-10-05')], false)).toEqual([undefined, undefined])
    expect(places([day('2026-10-31'), day('2026-10-05')], true)).toEqual(['2026-10', '2026-10'])
  })
})

describe('the words of a comparison', () => {
  const written = (goal: ComparedGoal) => goalText(goal, (value) => `${value}!`)
  it.each([
    [{ period: '2026-11', value: 100, isRunning: true, share: 0.97 }, '97% of the goal of 2026-11 (running): 100!'],
    [{ period: '2026-10', value: 100, isRunning: false, share: 0.999_9 }, '99% of the goal of 2026-10: 100!'],
    [{ period: '2026-10', value: 100, isRunning: false, share: 0.29 }, '29% of the goal of 2026-10: 100!'],
    [{ period: '2026-Q4', value: 100, isRunning: false, share: 1.1 }, '110% of the goal of 2026-Q4: 100!'],
    [{ period: '2026-10', value: 0.02, isRunning: false }, 'goal of 2026-10: 0.02!'],
  ])('%j', (goal, words) => {
    expect(written(goal)).toBe(words)
  })
  it('rates, numbers that should be low and a goal of 0 have no share', () => {
    expect([
      goalShare(1, 2, 'money'),
      goalShare(1, 2, 'fraction'),
      goalShare(1, 2, 'count', 'down'),
      goalShare(1, 0, 'count'),
    ]).toEqual([0.5, undefined, undefined, undefined])
  })
})

it('every number that may have a goal exists, each once, with levels and units of the catalogue', () => {
  const subjects = goalSubjects(BUILT_IN_METRICS)
  const told = subjects.map(({ metric, query_type, measure, is_level, unit }) =>
    [metric, query_type, measure, is_level ? 'level' : 'period', unit].join(' '),
  )
  expect(new Set(told).size).toBe(told.length)
  expect(told).toEqual(
    expect.arrayContaining([
      ...[
        'mrr series mrr level money',
        'mrr arr arr level money',
        'ltv arpu active_customers level count',
        'ltv arpu arpu level money',
      ],
      ...[
        'churn logo logo_churn_rate period fraction',
        'retention nrr retention_rate period fraction',
        'usage_revenue total revenue period money',
      ],
    ]),
  )
  for (const { metric, query_type, measure } of subjects) {
    const { row, series_row } = BUILT_IN_METRICS.find(({ name }) => name === metric)?.queries[query_type] ?? {}
    expect({ ...row?.shape, ...series_row?.shape }, measure).toHaveProperty(measure)
  }
})
