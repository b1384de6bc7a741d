import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { countPeriods, INTERVALS, periodsBetween } from '../../src/core/periods.ts'
import { builtInRegistry } from '../../src/metrics/built-in.ts'
import { parseRequest } from '../../src/query/request.ts'
import { writtenSegment } from '../../src/query/segment.ts'
import { resolvedNamesOf } from '../support/product/segment-members.ts'

const NOW = new Date('2025-06-05T10:00:00Z')
const ROUNDS = 3
/** A refusal costs at most this many times the largest accepted request. */
const TIMES = 5

const METRICS = [...builtInRegistry().metrics.values()]
const QUERIES = METRICS.flatMap(({ name, queries }) =>
  Object.entries(queries).map(([type, { inputs }]) => ({ name: `${name}.${type}`, inputs })),
)
const SERIES = METRICS.find(({ name }) => name === 'mrr')?.queries['series']?.inputs
/** 12,000 days, the most that one request may have. */
const LARGEST = { start: '1992-07-29', end: '2025-06-05', interval: 'day' }

const parse = (
  inputs: (typeof QUERIES)[number]['inputs'],
  params: object,
  spec: object = {},
  resolvedNames = undefined as never,
) => {
  try {
    parseRequest(params as never, spec as never, inputs, NOW, resolvedNames)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** Least time of several rounds: other work on the machine does not count. */
function costOf(work: () => unknown): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const begun = performance.now()
    work()
    return performance.now() - begun
  })
  return Math.min(...times)
}

const day = fc
  .tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
  .map(([year, month, date]) =>
    [String(year).padStart(4, '0'), ...[month, date].map((part) => String(part).padStart(2, '0'))].join('-'),
  )
const many = fc.integer({ min: 1, max: 8_000 })
const value = fc.oneof(
  day,
  fc.constantFrom('0001-01-01', '9999-12-31', ...INTERVALS, 'last-9999-days', 'last-9999-years', 'all', 'true', '-mrr', ''),
  fc.integer().map(String),
  many.map((count) => 'mrr,'.repeat(count)),
  many.map((count) => `${'-'.repeat(count)}x`),
  many.map((count) => '9'.repeat(count)),
  many.map((count) => Array.from({ length: count }, (_, index) => `n${index}`)),
)
const params = fc.dictionary(
  fc.constantFrom(
    'start',
    'end',
    'at',
    'range',
    'interval',
    'granularity',
    'limit',
    'offset',
    'order',
    'compare_to',
    'segment',
    'rest',
    'type',
    'nonsense',
  ),
  value,
)
const spec = fc.dictionary(
  fc.constantFrom('dimensions', 'filters', 'granularity', 'time_range', 'segment', 'compare', 'nonsense'),
  fc.oneof(
    value,
    fc.dictionary(
      fc.constantFrom('plan_id', 'currency', 'attr.x', 'mrr'),
      fc.oneof(value, fc.dictionary(fc.constantFrom('in', '=', 'between', 'contains'), value)),
    ),
  ),
)

describe('the work of a request that is refused', () => {
  it('grows with nothing that its parameters say', () => {
    if (SERIES === undefined) throw new Error('there is no series')
    const most = costOf(() => parse(SERIES, LARGEST))
    expect(parse(SERIES, LARGEST)).toBeUndefined()
    fc.assert(
      fc.property(fc.constantFrom(...QUERIES), params, spec, (query, given, sliced) => {
        if (parse(query.inputs, given, sliced) === undefined) return
        const cost = costOf(() => parse(query.inputs, given, sliced))
        expect(cost, query.name).toBeLessThan(TIMES * most)
      }),
      { numRuns: 80, seed: 31 },
    )
  })

  it.each(['day', 'week', 'month'])('is arithmetic where there are too many periods: %s', (interval) => {
    if (SERIES === undefined) throw new Error('there is no series')
    const most = costOf(() => parse(SERIES, LARGEST))
    const range = { start: '0001-01-01', end: '9999-12-31', interval }
    const refused = parse(SERIES, { ...range, nonsense: '1' })
    // All that is wrong is still said at once.
    expect(refused?.issues?.map(({ where }) => where).toSorted()).toEqual(['params.nonsense', 'params.start'])
    expect(refused?.issues).toContainEqual(
      expect.objectContaining({ message: expect.stringMatching(/^The range has \d{5,6} periods; the limit is 12000\.$/) }),
    )
    expect(costOf(() => parse(SERIES, range))).toBeLessThan(most)
  })

  it('counts as many periods as there would be', () => {
    const instant = fc.date({ min: new Date('0001-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    const length = fc.integer({ min: -10, max: 40_000_000 })
    fc.assert(
      fc.property(instant, length, fc.constantFrom(...INTERVALS), (from, seconds, interval) => {
        const to = new Date(from.getTime() + seconds * 1_000)
        expect(countPeriods(from, to, interval)).toBe(periodsBetween(from, to, interval).length)
      }),
    )
  })

  it('does not look at more fields to sort by than a list can have', () => {
    const breakdown = QUERIES.find(({ name }) => name === 'mrr.current')?.inputs
    if (breakdown === undefined) throw new Error('there is no such query')
    const refused = parse(breakdown, { order: 'x,'.repeat(50_000).slice(0, -1) }, { dimensions: ['plan_id'] })
    expect(refused?.issues?.length ?? 0).toBeLessThan(200)
  })
})

describe('segments that cost more than one request may', () => {
  const condition = { field: 'customer_country', op: '=', value: 'DE' }
  const segment = (count: number, mark: number) =>
    JSON.stringify({ root: { op: 'or', conditions: Array.from({ length: count }, () => ({ ...condition, value: `D${mark}` })) } })
  const refusalOf = (compare: readonly string[], narrowed?: string) => {
    const segments = new Map(
      [...compare, ...(narrowed === undefined ? [] : [narrowed])].map((text) => [text, writtenSegment(text)] as const),
    )
    const known = { ...resolvedNamesOf({}), segments, segment_names: [] }
    const inputs = QUERIES.find(({ name }) => name === 'mrr.current')?.inputs
    if (inputs === undefined) throw new Error('there is no such query')
    return parse(inputs, {}, { compare, ...(narrowed && { segment: narrowed }) }, known as never)
  }

  it('are refused with the limit and what they cost', () => {
    const ten = Array.from({ length: 10 }, (_, index) => segment(198, index))
    expect(refusalOf(ten)).toMatchObject({
      code: 'validation_failed',
      context: { limit: 500, cost: 1_980 },
      issues: [{ where: 'spec.compare', message: 'The segments have 1980 conditions together; the limit is 500.' }],
    })
    expect(refusalOf([segment(200, 1), segment(200, 2)], segment(101, 3))).toMatchObject({ context: { cost: 501 } })
  })

  it('are answered up to the limit', () => {
    expect(refusalOf(Array.from({ length: 10 }, (_, index) => segment(50, index)))).toBeUndefined()
    expect(refusalOf([segment(200, 1), segment(200, 2)], segment(100, 3))).toBeUndefined()
  })

  it('are refused where they are nested deeper than anybody can read', () => {
    const deep = `{"root":{"op":"and","conditions":[{"field":"x","op":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}}`
    expect(refusalOf([deep])).toMatchObject({ code: 'invalid_value' })
  })
})
