import { describe, expect, it } from 'vitest'
import { OPTIONS } from '../../src/core/definitions.ts'
import { AppError } from '../../src/core/errors.ts'
import { metric as mrr } from '../../src/metrics/mrr/index.ts'
import { namedIn } from '../../src/query/audience-request.ts'
import { paramsForDays, type QueryInputs, RANGE_INPUTS } from '../../src/query/inputs.ts'
import { LEDGER_PARAMETERS } from '../../src/query/ledger-parameters.ts'
import { parseRequest } from '../../src/query/request.ts'

const NOW = new Date('2025-06-05T10:00:00Z')
const point = mrr.queries.components.inputs
const series = mrr.queries.series.inputs
const waterfall = mrr.queries.waterfall.inputs
const breakdown = mrr.queries.breakdown.inputs

function parse(inputs: QueryInputs, params: Record<string, unknown>, spec: Record<string, unknown> = {}) {
  return parseRequest(params, spec, inputs, NOW)
}

function refusal(inputs: QueryInputs, params: Record<string, unknown>, spec: Record<string, unknown> = {}): AppError {
  try {
    parse(inputs, params, spec)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('the request was accepted')
}

function issues(inputs: QueryInputs, params: Record<string, unknown>, spec: Record<string, unknown> = {}) {
  return refusal(inputs, params, spec).issues?.map(({ code, where }) => `${code} ${where}`)
}

describe('dates', () => {
  it('a past day ends at the next midnight, today ends now', () => {
    expect(parse(point, { at: '2025-06-04' }).time).toEqual({
      kind: 'point',
      day: '2025-06-04',
      before: new Date('2025-06-05T00:00:00Z'),
    })
    const now = { kind: 'point', day: '2025-06-05', before: new Date('2025-06-05T10:00:01Z') }
    expect(parse(point, { at: '2025-06-05' }).time).toEqual(now)
    expect(parse(point, {}).time).toEqual(now)
    expect(parse(point, { at: '' }).time).toEqual(now)
  })

  it('a day after today is answered as of now, with a warning', () => {
    const request = parse(point, { at: '2025-07-01' })
    expect(request.time).toMatchObject({ before: new Date('2025-06-05T10:00:01Z') })
    expect(request.warnings.map((warning) => warning.code)).toEqual(['future_clamped'])
  })

  it('of a query about one month are refused, each with the parameter that names the month', () => {
    const month = { ...RANGE_INPUTS, dates: 'month' } as const
    expect(parse(month, { period: '2025-03' }).time).toMatchObject({ start: '2025-03-01', end: '2025-03-31' })
    expect(parse(month, {}).time).toMatchObject({ start: '2025-05-01', end: '2025-05-31' })
    for (const name of ['start', 'end', 'at', 'range']) {
      const params = { period: '2025-03', [name]: name === 'range' ? 'next-month' : '2025-03-31' }
      expect(issues(month, params), name).toEqual([`invalid_range params.${name}`])
      expect(refusal(month, params).message, name).toContain('This query is about one month: name it in "period".')
    }
    // They need not agree with each other: none of them counts.
    expect(issues(month, { start: '2025-02-01', end: '2025-01-31' }, { time_range: ['2025-03-01', '2025-03-31'] })).toEqual([
      'invalid_range params.start',
      'invalid_range params.end',
      'invalid_range spec.time_range',
    ])
    expect(issues(month, { start: '2025-13-01' })).toEqual(['invalid_value params.start', 'invalid_range params.start'])
    expect(issues(month, {}, { granularity: 'day' })).toEqual(['invalid_interval spec.granularity'])
  })

  it('of a query are asked for by its kind', () => {
    const ask = (dates: QueryInputs['dates'], end = '2025-05-31') => paramsForDays({ dates }, { start: '2025-01-01', end })
    expect(ask('point_or_range')).toEqual({ at: '2025-05-31' })
    for (const dates of ['range', 'series', 'range_and_at', 'open_range', 'day_or_range'] as const)
      expect(ask(dates), dates).toEqual({ start: '2025-01-01', end: '2025-05-31' })
    // A month that ends with the range is over a day later.
    expect(ask('month')).toEqual({ period: '2025-04' })
    expect(ask('month', '2025-06-01')).toEqual({ period: '2025-04' })
    expect(ask('month', '2025-06-02')).toEqual({ period: '2025-05' })
    expect(ask('month', '1900-01-15')).toEqual({ period: '1900-01' })
  })

  it('a range is half-open inside, clipped to now, and cut into periods that have begun', () => {
    const { time, warnings } = parse(waterfall, { start: '2025-04-15', end: '2025-12-31' })
    expect(time).toMatchObject({ from: new Date('2025-04-15T00:00:00Z'), to: new Date('2025-06-05T10:00:01Z') })
    expect(time.kind === 'range' && time.periods.map((period) => period.period)).toEqual([
      '2025-04-01',
      '2025-05-01',
      '2025-06-01',
    ])
    expect(warnings.map((warning) => warning.code)).toEqual(['future_clamped'])
  })

  it('a range that begins after today is empty', () => {
    const { time } = parse(waterfall, { start: '2025-06-06', end: '2025-07-01' })
    expect(time).toMatchObject({ from: new Date('2025-06-05T10:00:01Z'), to: new Date('2025-06-05T10:00:01Z'), periods: [] })
  })

  it('a timestamp at midnight UTC is a day, any other text is not', () => {
    expect(parse(point, { at: '2025-06-04T00:00:00Z' }).time).toMatchObject({ day: '2025-06-04' })
    for (const at of ['2025-02-30', '2025-6-4', '2025-06-04T10:00:00Z', '2025-06-04T00:00:00+02:00', 'today', 5, true]) {
      expect(issues(point, { at })).toEqual(['invalid_value params.at'])
    }
  })

  it.each<[string, QueryInputs, Record<string, unknown>, Record<string, unknown>, unknown]>([
    ['start after end', waterfall, { start: '2025-02-02', end: '2025-02-01' }, {}, {}],
    ['a missing date', breakdown, { start: '2025-02-02' }, {}, { missing: ['end'] }],
    ['both missing', breakdown, {}, {}, { missing: ['start', 'end'] }],
    ['one alone on a point or series', point, { end: '2025-02-02' }, {}, { missing: ['start'] }],
    ['granularity without dates', point, {}, { granularity: 'month' }, { missing: ['start', 'end'] }],
    ['at beside a range', point, { at: '2025-02-02', start: '2025-02-02', end: '2025-02-02' }, {}, {}],
    ['at beside a series', series, { at: '2025-02-02', start: '2025-02-02', end: '2025-02-02' }, {}, {}],
    ['too many periods', waterfall, { start: '1900-01-01', end: '2025-02-02', interval: 'day' }, {}, { limit: 12_000 }],
    [
      'time_range that differs',
      waterfall,
      { start: '2025-02-02', end: '2025-03-02' },
      { time_range: ['2025-02-01', '2025-03-02'] },
      {},
    ],
  ])('%s is invalid_range', (_, inputs, params, spec, context) => {
    const error = refusal(inputs, params, spec)
    expect(error.code).toBe('invalid_range')
    expect(error.context).toEqual(context)
    expect(error.issues?.every((issue) => issue.code === 'invalid_range')).toBe(true)
  })

  it('time_range stands for start and end', () => {
    const range = { start: '2025-02-01', end: '2025-03-02' }
    expect(parse(waterfall, {}, { time_range: ['2025-02-01', '2025-03-02'] }).time).toEqual(parse(waterfall, range).time)
    expect(parse(waterfall, range, { time_range: ['2025-02-01', '2025-03-02'] }).time).toEqual(parse(waterfall, range).time)
  })
})

describe('messages say what a value must be and what was given', () => {
  it.each<[Record<string, unknown>, Record<string, unknown>, string]>([
    [{ at: 'foo' }, {}, '"at" must be a date (YYYY-MM-DD); got "foo".'],
    [{ at: 5 }, {}, '"at" must be a date (YYYY-MM-DD); got 5.'],
    [{ at: ['2025-01-01', '2025-01-02'] }, {}, '"at" must be one value; got ["2025-01-01","2025-01-02"].'],
    [{ interval: 'mont' }, {}, '"interval" must be day, week, month, quarter or year; got "mont".'],
    [{ per_segment: 'yes' }, {}, '"per_segment" must be true or false; got "yes".'],
    [{ format: 'xml' }, {}, '"format" must be json, csv or xlsx; got "xml".'],
    [{ type: 7 }, {}, '"type" must be text; got 7.'],
    [{}, { segment: 7 }, '"segment" must be the id or name of a segment; got 7.'],
    [{}, { compare: 's1' }, '"compare" must be a list of ids or names of segments; got "s1".'],
    [{}, { dimensions: 'plan_id' }, '"dimensions" must be a list of names; got "plan_id".'],
    [{}, { filters: ['x'] }, '"filters" must be an object of keys and values; got ["x"].'],
    [{}, { filters: { tenure_months: 'many' } }, '"tenure_months" must be a number; got "many".'],
    [{}, { time_range: '2025' }, '"time_range" must be a list of two dates (YYYY-MM-DD); got "2025".'],
    [
      { start: '2025-02-02', end: '2025-03-02' },
      { time_range: ['2025-02-01', '2025-03-02'] },
      '"time_range" must be the same as "start", "2025-02-02"; got "2025-02-01".',
    ],
  ])('%j %j', (params, spec, message) => {
    expect(refusal(point, params, spec).issues?.map((issue) => issue.message)).toContain(message)
  })

  it('and of what is long the beginning', () => {
    const [issue] = refusal(point, { at: 'x'.repeat(100_000) }).issues ?? []
    expect(issue?.message).toMatch(/^"at" must be a date \(YYYY-MM-DD\); got "x{99}…\.$/)
  })
})

describe('period lengths', () => {
  const range = { start: '2025-01-01', end: '2025-03-31' }

  it('interval and granularity are synonyms where periods are always cut', () => {
    const weeks = parse(waterfall, { ...range, interval: 'week' }).time
    expect(parse(waterfall, range, { granularity: 'week' }).time).toEqual(weeks)
    expect(parse(waterfall, { ...range, granularity: 'week', interval: 'week' }).time).toEqual(weeks)
    expect(parse(waterfall, range).time).toMatchObject({ interval: 'month' })
  })

  it('two different lengths, or an unknown one, are invalid_interval', () => {
    expect(refusal(waterfall, { ...range, interval: 'week' }, { granularity: 'day' }).code).toBe('invalid_interval')
    const unknown = refusal(waterfall, { ...range, interval: 'mont' })
    expect(unknown.context).toEqual({ available: ['day', 'week', 'month', 'quarter', 'year'] })
    expect(unknown.issues?.[0]).toMatchObject({
      code: 'invalid_interval',
      where: 'params.interval',
      value: 'mont',
      did_you_mean: ['month'],
    })
  })

  it('a breakdown is cut by granularity only; interval is checked, has no effect and warns', () => {
    expect(parse(breakdown, range, { granularity: 'month' }).time).toMatchObject({ interval: 'month' })
    const request = parse(breakdown, { ...range, interval: 'week' })
    expect(request.time).toMatchObject({ interval: undefined, periods: [] })
    expect(request.warnings).toMatchObject([{ code: 'unused_parameter', count: 1 }])
    expect(issues(breakdown, { ...range, interval: 'fortnight' })).toEqual(['invalid_interval params.interval'])
  })

  it('a query without periods refuses granularity', () => {
    expect(refusal({ ...breakdown, step: 'none' }, range, { granularity: 'month' }).code).toBe('invalid_interval')
  })

  it('interval on a point warns', () => {
    expect(parse(point, { interval: 'month' }).warnings).toMatchObject([{ code: 'unused_parameter' }])
  })
})

describe('names', () => {
  it('unknown parameters fail, with near names', () => {
    const error = refusal(point, { att: '2025-01-01' })
    expect(error.code).toBe('invalid_value')
    expect(error.issues?.[0]).toMatchObject({ where: 'params.att', did_you_mean: ['at'] })
  })

  const STATED = 'an option of a definition set, and "definitions" names the set'
  it.each(
    OPTIONS.filter(({ key }) => !Object.hasOwn(LEDGER_PARAMETERS, key)).map(({ key }) => ({
      name: key as string,
      why: key === 'base_currency' ? 'an option of the configuration' : STATED,
    })),
  )('$name is no parameter, and the refusal says why', ({ name, why }) => {
    expect(refusal(point, { [name]: 'x' }).issues).toMatchObject([
      { code: 'invalid_value', where: `params.${name}`, message: expect.stringContaining(`"${name}" is ${why}`) },
    ])
  })

  it.each(Object.keys(LEDGER_PARAMETERS))('%s is a parameter of the ledger alone', (name) => {
    const error = refusal(point, { [name]: '2025-01-01' })
    expect(error.issues).toMatchObject([
      { code: 'invalid_value', where: `params.${name}`, message: `Unknown parameter "${name}".` },
    ])
    expect(error.context['available']).toContain('at')
    expect(error.context['available']).not.toContain(name)
  })

  it('segments are named by an id, and where they are named twice by the same', () => {
    expect(issues(point, {}, { segment: 7, compare: 's2', filters: { __segment_id__: ['a', 'b'] } })).toEqual([
      'invalid_value spec.segment',
      'invalid_value spec.filters.__segment_id__',
      'validation_failed spec.compare',
    ])
    expect(issues(point, {}, { compare: ['a', 'b'], filters: { __compare_segment_ids__: ['b', 'a'] } })).toEqual([
      'invalid_value spec.filters.__compare_segment_ids__',
    ])
  })

  it('a segment may be in params too, where it must be the same and is no way to say nothing', () => {
    const error = refusal(point, { segment: 's1' }, { segment: 's2' })
    expect(error.issues).toMatchObject([
      {
        code: 'invalid_value',
        where: 'params.segment',
        value: 's1',
        message: '"params.segment" must be the same as "spec.segment", "s2"; got "s1".',
      },
    ])
    expect(parse(point, { segment: 's1' }, { segment: 's1' }).warnings).toEqual([])
    expect(issues(point, { segment: ['s1', 's2'] })).toEqual(['invalid_value params.segment'])
    expect(issues(point, { segment: '' })).toEqual(['validation_failed params.segment'])
    expect(namedIn({ segment: 's1' }, { compare: ['s2'] }).segments).toEqual(['s1', 's2'])
  })

  it('attributes and segments are not judged before they are looked up', () => {
    expect(parse(point, {}, { segment: 's1', filters: { 'attr.tier': 'gold' } })).toMatchObject({
      audience: undefined,
      conditions: [],
    })
  })

  it('a single-valued parameter may repeat, but not differ', () => {
    expect(parse(point, { at: ['2025-01-01', '2025-01-01'] }).time).toMatchObject({ day: '2025-01-01' })
    expect(issues(point, { at: ['2025-01-01', '2025-01-02'] })).toEqual(['invalid_value params.at'])
  })

  it('unknown dimensions and filters list what there is', () => {
    const error = refusal(
      breakdown,
      { start: '2025-01-01', end: '2025-01-31' },
      { dimensions: ['plan', 'mrr_band'], filters: { currenci: 'EUR' } },
    )
    expect(error.code).toBe('unknown_dimension')
    expect(error.issues?.map(({ code, value, did_you_mean }) => [code, value, did_you_mean])).toEqual([
      ['unknown_dimension', 'plan', expect.arrayContaining(['plan_id'])],
      ['unknown_dimension', 'mrr_band', []],
      ['unknown_filter', 'currenci', ['currency']],
    ])
    expect(error.context['available_dimensions']).toContain('plan_id')
    expect(error.context['available_dimensions']).not.toContain('occurred_at')
    expect(error.context['available_filters']).toEqual(
      expect.arrayContaining(['customer.email', 'movement_type', 'occurred_at', 'plan_id']),
    )
  })

  it('movement_type is offered where periods are shown, and is a key of the breakdown', () => {
    const range = { start: '2025-01-01', end: '2025-01-31' }
    expect(parse(series, range, { dimensions: ['movement_type'] }).dimensions).toHaveLength(1)
    expect(
      parse(breakdown, range, { dimensions: ['movement_type', 'plan_id', 'plan_id'] }).dimensions.map((field) => field.key),
    ).toEqual(['plan_id'])
    expect(issues(point, {}, { dimensions: ['movement_type'] })).toEqual(['unknown_dimension spec.dimensions'])
    expect(issues(waterfall, range, { filters: { movement_type: 'new' } })).toEqual(['unknown_filter spec.filters.movement_type'])
  })

  it('a spec of the wrong shape is validation_failed, and everything is reported at once', () => {
    const error = refusal(
      waterfall,
      { start: 'x', colour: 'red' },
      { dimensions: 'plan_id', filters: ['x'], time_range: '2025', order: 1 },
    )
    expect(error.code).toBe('validation_failed')
    expect(error.issues?.map(({ code, where }) => `${code} ${where}`).sort()).toEqual([
      'invalid_range params.end',
      'invalid_value params.colour',
      'invalid_value params.start',
      'validation_failed spec.dimensions',
      'validation_failed spec.filters',
      'validation_failed spec.order',
      'validation_failed spec.time_range',
    ])
  })

  it('says where a misplaced field belongs', () => {
    const { issues: found } = refusal(point, {}, { at: '2025-01-01', compare_segments: ['s1'] })
    expect(found?.map(({ message }) => message)).toEqual([
      'Unknown field "at": it belongs to "params.at".',
      'Unknown field "compare_segments": it belongs to "spec.compare".',
    ])
  })
})

describe('filter values', () => {
  const filter = (key: string, raw: unknown) =>
    parse(point, {}, { filters: { [key]: raw } }).conditions.map(({ operator, values }) => [operator, ...values])

  it('text is converted to the type of the key', () => {
    expect(filter('currency', 'eur')).toEqual([['=', 'EUR']])
    expect(filter('tenure_months', '12')).toEqual([['=', '12']])
    expect(filter('tenure_months', { '>=': 3, '<': '6.5' })).toEqual([
      ['>=', '3'],
      ['<', '6.5'],
    ])
    expect(filter('pending_cancellation', 'true')).toEqual([['=', true]])
    expect(filter('cohort_month', { between: ['2025-01-01', '2025-03-01T00:00:00Z'] })).toEqual([
      ['between', '2025-01-01', '2025-03-01'],
    ])
    expect(filter('plan_id', ['a', 'b'])).toEqual([['in', 'a', 'b']])
    expect(filter('pending_cancellation', ['true', 'false'])).toEqual([['in', true, false]])
    expect(filter('plan_id', '')).toEqual([['=', '']])
    expect(filter('plan_id', { is_empty: true, in: [] })).toEqual([['is_empty'], ['in']])
  })

  it('a date on an instant is its whole day on the clock, a timestamp one second as text', () => {
    const day = { from: new Date('2025-01-05T00:00:00Z'), to: new Date('2025-01-06T00:00:00Z') }
    expect(filter('customer.created_at', '2025-01-05')).toEqual([['=', day]])
    const second = { from: '2025-01-05 09:30:00', to: '2025-01-05 09:30:01' }
    expect(filter('customer.created_at', { '>': '2025-01-05T10:30:00.250+01:00' })).toEqual([['>', second]])
  })

  it.each<[string, unknown, string]>([
    ['tenure_months', 'many', 'invalid_value'],
    ['tenure_months', '', 'invalid_value'],
    ['pending_cancellation', 'yes', 'invalid_value'],
    ['cohort_month', '2025-13-01', 'invalid_value'],
    ['customer.created_at', '2025-01-05T25:00:00Z', 'invalid_value'],
    ['plan_id', 5, 'invalid_value'],
    ['plan_id', null, 'invalid_value'],
    ['plan_id', { in: 'a' }, 'invalid_value'],
    ['plan_id', { is_empty: false }, 'invalid_value'],
    ['tenure_months', { between: ['1'] }, 'invalid_value'],
    ['plan_id', { '~': 'a' }, 'invalid_operator'],
    ['plan_id', { '>': 'a' }, 'invalid_operator'],
    ['pending_cancellation', { in: ['true'] }, 'invalid_operator'],
  ])('%s with %j is %s', (key, raw, code) => {
    const error = refusal(point, {}, { filters: { [key]: raw } })
    expect(error.code).toBe(code)
    expect(error.issues?.[0]?.where).toBe(`spec.filters.${key}`)
  })
})
