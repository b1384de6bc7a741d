import { describe, expect, it } from 'vitest'
import { BEGINNING, dayOf } from '../../src/core/periods.ts'
import { daysOfRange, parseRange } from '../../src/query/ranges.ts'
import { placesOf } from '../../src/web/charts/places.ts'
import { daysOf, isRangeName, levelQuery, PRESETS, rangeLabel, rangeOf, refusedState } from '../../src/web/controls/ranges.ts'
import { readAddress } from '../../src/web/controls/search.ts'
import { windowsOf } from '../../src/web/controls/windows.ts'
import { formatDays, periodLabels } from '../../src/web/format/days.ts'
import { formatTick } from '../../src/web/format/numbers.ts'
import { randomOf } from '../support/data/histories/seeded-dice.ts'

const OTHERS = ['last-year', 'this-quarter', 'mtd', 'qtd', 'ytd', 'last-1-day', 'last-7-days', 'last-90-full-days']
const COUNTED = ['last-1-week', 'last-4-weeks', 'last-52-full-weeks', 'last-4-quarters', 'last-2-full-quarters', 'last-3-years']
const AHEAD = [
  'next-month',
  'next-quarter',
  'next-year',
  'next-1-day',
  'next-30-days',
  'next-2-weeks',
  'next-12-months',
  'next-3-years',
]
const NAMES = [...PRESETS.map(({ range }) => range), ...OTHERS, ...COUNTED, 'last-5-full-years', ...AHEAD]
const TODAY = '2026-11-20'
const DAY_MS = 86_400_000
const BORDERS = ['2026-11-01', '2026-10-31', '2026-12-31', '2027-01-01', '2028-02-29', '2027-03-30', '2026-11-23', '2026-11-22']

function randomDays(count: number): readonly string[] {
  const random = randomOf(33)
  return Array.from({ length: count }, () => dayOf(new Date(Date.UTC(2010, 0, 1) + Math.floor(random() * 12_000) * DAY_MS)))
}

describe('the days of a named range on the page', () => {
  it.each(NAMES)('%s has the days of the API', (name) => {
    for (const today of [TODAY, ...BORDERS, ...randomDays(300)]) {
      const range = parseRange(name)
      if (range === undefined) throw new Error(`The API does not know ${name}.`)
      const [start, end] = daysOfRange(range, new Date(`${today}T13:14:15.000Z`))
      const shown = daysOf({ range: name }, today)
      expect([shown.start ?? dayOf(BEGINNING), shown.end], today).toEqual([start, end])
    }
  })

  it('the default is the choice that it names', () => {
    expect(rangeLabel({})).toBe('Last 12 months')
    const chosen = PRESETS.find(({ label }) => label === rangeLabel({}))
    expect(rangeOf({})).toBe(chosen?.range)
    expect(daysOf({}, TODAY)).toEqual({ start: '2025-12-01', end: TODAY })
    expect(levelQuery({}, TODAY)).toEqual(levelQuery({ range: chosen?.range }, TODAY))
    expect(windowsOf({}, TODAY)).toEqual(windowsOf({ range: chosen?.range }, TODAY))
  })

  it('this month and this year name no other month, and no days to come', () => {
    for (const today of [TODAY, ...BORDERS, ...randomDays(100)]) {
      expect(daysOf({ range: 'this-month' }, today)).toEqual({ start: `${today.slice(0, 7)}-01`, end: today })
      expect(daysOf({ range: 'this-year' }, today)).toEqual({ start: `${today.slice(0, 4)}-01-01`, end: today })
    }
  })

  it('the page knows the names that the API knows', () => {
    const unknown = [
      'banana',
      'last-0-days',
      'last-x-months',
      'last-00012-months',
      'last-full-12-months',
      'constructor',
      'all-',
      'next-week',
      'next-0-days',
      '',
    ]
    for (const name of [...NAMES, ...unknown]) expect(isRangeName(name), name).toBe(parseRange(name) !== undefined)
  })
})

describe('state that the API refuses', () => {
  it.each([
    ['range=banana', { range: 'banana' }],
    ['interval=banana', { interval: 'banana' }],
    ['start=banana&end=2026-01-31', { start: 'banana', end: '2026-01-31' }],
    ['start=2026-02-30&end=2026-03-01', { start: '2026-02-30', end: '2026-03-01' }],
    ['start=2026-01-01', { start: '2026-01-01' }],
    ['end=2026-01-31', { end: '2026-01-31' }],
    ['start=2026-02-01&end=2026-01-01', { start: '2026-02-01', end: '2026-01-01' }],
    ['range=last-month&start=2026-01-01&end=2026-01-31', { range: 'last-month', start: '2026-01-01', end: '2026-01-31' }],
    ['filter=colour&filter=currency=EUR', { filter: ['colour'] }],
  ])('%s is kept, and not answered for other days', (query, refused) => {
    expect(refusedState(readAddress(`?${query}`))).toEqual(refused)
  })

  it.each(['', 'range=last-3-months', 'range=next-month', 'start=2026-01-01&end=2026-01-31&interval=week', 'filter=a=b=c'])(
    '%s is valid',
    (query) => expect(refusedState(readAddress(`?${query}`))).toBeUndefined(),
  )
})

describe('the windows of the figures', () => {
  const named = (search: object, today = TODAY) => {
    const { level, rate, whole } = windowsOf(search, today)
    return [level.label, rate.label, whole.label]
  }

  it.each([
    [{}, ['on Nov 20, 2026', 'in Oct 2026', 'Dec 1, 2025 – Nov 20, 2026']],
    [{ range: 'last-12-full-months' }, ['on Oct 31, 2026', 'in Oct 2026', 'Nov 1, 2025 – Oct 31, 2026']],
    [{ range: 'this-month' }, ['on Nov 20, 2026', 'Nov 1–20, 2026', 'Nov 1–20, 2026']],
    [{ range: 'last-month' }, ['on Oct 31, 2026', 'in Oct 2026', 'in Oct 2026']],
    [{ range: 'last-quarter' }, ['on Sep 30, 2026', 'in Sep 2026', 'Jul 1 – Sep 30, 2026']],
    [{ range: 'all' }, ['on Nov 20, 2026', 'in Oct 2026', 'up to Nov 20, 2026']],
    [{ start: '2026-10-05', end: '2026-11-10' }, ['on Nov 10, 2026', 'Oct 5 – Nov 10, 2026', 'Oct 5 – Nov 10, 2026']],
    [{ start: '2026-10-05', end: '2026-10-31' }, ['on Oct 31, 2026', 'Oct 5–31, 2026', 'Oct 5–31, 2026']],
    [{ start: '2026-10-01', end: '2026-12-31' }, ['on Nov 20, 2026', 'in Oct 2026', 'Oct 1 – Nov 20, 2026']],
  ])('of %j are named by their labels', (search, labels) => expect(named(search)).toEqual(labels))

  it('one object is both the rate and the whole if they are the same days', () => {
    for (const range of ['this-month', 'last-month']) {
      const { rate, whole } = windowsOf({ range }, TODAY)
      expect(rate).toBe(whole)
    }
  })

  it('the running period of a chart names its days', () => {
    const through = '2026-11-20T23:59:59.000Z'
    expect(periodLabels(['2026-10-01', '2026-11-01'], 'month', through)).toEqual(['Oct 2026', 'Nov 1–20'])
    expect(periodLabels(['2026-07-01', '2026-10-01'], 'quarter', through)).toEqual(['Q3 2026', 'Oct 1 – Nov 20'])
    expect(periodLabels(['2026-10-01'], 'month', through)).toEqual(['Oct 2026'])
    expect(formatDays('2026-11-20', '2026-11-20')).toBe('Nov 20, 2026')
  })
})

describe('a range after today', () => {
  it.each([
    [{ range: 'next-6-months' }, ['on May 31, 2027', 'Dec 1, 2026 – May 31, 2027'], '2027-05-31'],
    [{ range: 'next-month' }, ['on Dec 31, 2026', 'in Dec 2026'], '2026-12-31'],
  ])('%j is a forecast up to its end', (search, labels, at) => {
    const { level, rate, whole } = windowsOf(search, TODAY)
    expect([level.label, whole.label]).toEqual(labels)
    expect(rate).toBe(whole)
    expect(level.query).toEqual({ at, forecast: true })
    expect(whole.query).toEqual({ ...search, forecast: true })
  })

  it('names each period by its own name, and draws all of them as a forecast', () => {
    const periods = ['2026-12-01', '2027-01-01', '2027-05-01']
    const labels = ['Dec 2026', 'Jan 2027', 'May 2027']
    expect(periodLabels(periods, 'month', '2026-11-20')).toEqual(labels)
    const drawn = placesOf(periods, 'month', { dayThrough: '2026-11-20', isForecast: true })
    expect(drawn).toMatchObject({ labels, openFrom: 0, isForecast: true })
  })

  it('begins after the periods that are over, and counts the running one whole', () => {
    const periods = ['2026-10-01', '2026-11-01', '2026-12-01']
    expect(placesOf(periods, 'month', { dayThrough: '2026-11-20', isForecast: true })).toMatchObject({
      labels: ['Oct 2026', 'Nov 2026', 'Dec 2026'],
      openFrom: 1,
    })
    const october = { start: '2026-10-01', end: '2026-10-31' }
    expect(placesOf(periods.slice(0, 2), 'month', { dayThrough: '2026-11-20' })).toEqual({
      labels: ['Oct 2026', 'Nov 1–20'],
      days: [october, { start: '2026-11-01', end: '2026-11-30' }],
      openFrom: 1,
    })
    expect(placesOf(periods.slice(0, 1), 'month', { dayThrough: '2026-11-20' })).toEqual({
      labels: ['Oct 2026'],
      days: [october],
    })
  })
})

describe('the ticks of an axis', () => {
  it.each([
    [[0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3], 'ratio', ['0', '0.05', '0.1', '0.15', '0.2', '0.25', '0.3']],
    [[0.1 + 0.2, 0.35], 'ratio', ['0.3', '0.35']],
    [[5_035_000, 5_040_000, 5_045_000], 'money', ['$50.35K', '$50.4K', '$50.45K']],
    [[0, 0.0005, 0.001], 'fraction', ['0%', '0.05%', '0.1%']],
    [[0, 20_000, 40_000], 'count', ['0', '20K', '40K']],
  ] as const)('%j as %s are all different', (ticks, unit, written) => {
    expect(ticks.map((tick) => formatTick(tick, unit, 'USD'))).toEqual(written)
  })
})
