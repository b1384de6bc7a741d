import { describe, expect, it } from 'vitest'
import { AppError, suggest } from '../../src/core/errors.ts'
import { errorBody } from '../../src/facades/presentation/error-body.ts'
import { whereInBody } from '../../src/facades/presentation/parameters.ts'
import { metric as mrr } from '../../src/metrics/mrr/index.ts'
import { parseRequest } from '../../src/query/request.ts'
import { checkSegmentDefinition } from '../../src/query/segment-check.ts'
import { resolvedNamesOf } from '../support/product/segment-members.ts'

const BREAKDOWN = mrr.queries.breakdown.inputs
const NOW = new Date('2025-06-05T10:00:00Z')
const RANGE = { start: '2025-01-01', end: '2025-03-31' }
const MANY = 60_000
/** More than this no refusal is worth sending. */
const MOST_BYTES = 100_000

function refusal(params: Record<string, unknown>, spec: Record<string, unknown> = {}): AppError {
  try {
    parseRequest(params, spec, BREAKDOWN, NOW)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('the request was accepted')
}

interface Body {
  readonly issues: readonly { readonly where: string; readonly message: string }[]
  readonly issues_total: number
}

function bodyOf(error: AppError, most?: number): Body {
  return errorBody(error, 'r1', whereInBody, most).body as unknown as Body
}

const names = (count: number, length = 1) => Array.from({ length: count }, (_, index) => `n${index}`.padEnd(length, '_'))
const withValue = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, 'x']))

describe('a request of very many names', () => {
  it.each([
    ['parameters', withValue(names(MANY)), {}, 'body.params'],
    ['fields', {}, withValue(names(MANY)), 'body.spec'],
    ['dimensions', {}, { dimensions: names(MANY) }, 'body.spec.dimensions'],
    ['filters', {}, { filters: withValue(names(MANY)) }, 'body.spec.filters'],
    ['filters on attributes', {}, { filters: withValue(names(MANY).map((name) => `attr.${name}`)) }, 'body.spec.filters'],
    ['operators', {}, { filters: { plan_id: withValue(names(MANY)) } }, 'body.spec.filters.plan_id'],
    ['segments to compare', {}, { compare: names(MANY) }, 'body.spec.compare'],
  ])('is refused with the limit and the first of %s', (_, params, spec, where) => {
    const error = refusal({ ...RANGE, ...params }, spec)
    const body = bodyOf(error)
    expect(error.context).toMatchObject({ limit: 100 })
    expect(body.issues[0]).toMatchObject({ where, message: expect.stringMatching(/^60\d{3} .* the limit is 100\.$/) })
    expect(body.issues.length).toBeLessThanOrEqual(100)
    expect(body.issues_total).toBeLessThanOrEqual(110)
    expect(JSON.stringify(body).length).toBeLessThan(MOST_BYTES)
  })

  it('is answered up to the limit', () => {
    const filters = Object.fromEntries(names(100).map((name) => [`attr.${name}`, 'x']))
    expect(parseRequest(RANGE, { filters }, BREAKDOWN, NOW).conditions).toEqual([])
  })

  it('is refused in few bytes however long each name is', () => {
    const long = names(90, 9_000)
    const body = bodyOf(refusal({ ...RANGE, ...withValue(long) }, { dimensions: long, filters: withValue(long) }))
    expect(body.issues_total).toBe(270)
    expect(body.issues.length).toBeGreaterThan(0)
    expect(JSON.stringify(body).length).toBeLessThan(MOST_BYTES)
  })

  it('lists as many issues as are wanted, and counts all', () => {
    const error = refusal(RANGE, { dimensions: names(30) })
    expect(bodyOf(error, 7)).toMatchObject({ issues: { length: 7 }, issues_total: 30 })
    expect(bodyOf(error)).toMatchObject({ issues: { length: 30 }, issues_total: 30 })
  })

  it('shows the beginning of a value that is too long', () => {
    const value = { deep: names(9_000) }
    const [issue] = errorBody(refusal({ ...RANGE, at: value }), 'r1', whereInBody).body['issues'] as { value: string }[]
    expect(issue?.value).toMatch(/^\{"deep":\["n0","n1",.*…$/)
  })
})

describe('a field of a body that names nothing', () => {
  it.each([
    ['dimensions', []],
    ['dimensions', null],
    ['dimensions', ['']],
    ['filters', []],
    ['filters', null],
    ['filters', ''],
    ['segment', null],
    ['segment', ''],
    ['segment', []],
    ['compare', []],
    ['compare', null],
    ['compare', [null]],
    ['time_range', []],
    ['time_range', null],
    ['time_range', ['', '']],
    ['granularity', null],
  ])('%s %j is refused, not taken for absent', (name, value) => {
    const { issues } = refusal(RANGE, { [name]: value })
    expect(issues?.map(({ code, where }) => `${code} ${where}`)).toEqual([`validation_failed spec.${name}`])
  })

  it.each([
    ['__segment_id__', null, 'validation_failed'],
    ['__segment_id__', [], 'validation_failed'],
    ['__compare_segment_ids__', [], 'validation_failed'],
    ['__compare_segment_ids__', '', 'validation_failed'],
    ['plan_id', [], 'invalid_value'],
    ['plan_id', null, 'invalid_value'],
  ])('filter %s %j neither', (name, value, code) => {
    const { issues } = refusal(RANGE, { filters: { [name]: value } })
    expect(issues?.map((issue) => `${issue.code} ${issue.where}`)).toEqual([`${code} spec.filters.${name}`])
  })

  it('names that are empty among others are judged like any name', () => {
    expect(refusal(RANGE, { dimensions: ['', 'plan_id'] }).code).toBe('unknown_dimension')
  })

  it('nobody is still asked for in so many words, and no filters are no filters', () => {
    const { conditions } = parseRequest(RANGE, { filters: { plan_id: { in: [] } } }, BREAKDOWN, NOW)
    expect(conditions).toMatchObject([{ operator: 'in', values: [] }])
    expect(parseRequest(RANGE, { filters: {} }, BREAKDOWN, NOW).conditions).toEqual([])
  })

  it('an empty parameter is absent, an empty list of it is not', () => {
    expect(parseRequest({ ...RANGE, at: '', interval: null }, {}, BREAKDOWN, NOW).warnings).toEqual([])
    expect(refusal({ ...RANGE, interval: [] }).issues).toMatchObject([{ where: 'params.interval' }])
  })
})

describe('a segment of very many nodes', () => {
  const resolvedNames = resolvedNamesOf({ tier: 'string' })
  const gold = { field: 'attr.tier', op: '=', value: 'gold' }
  const check = (...conditions: readonly unknown[]) =>
    checkSegmentDefinition({ root: { op: 'and', conditions } }, resolvedNames).problems

  it('is refused by their number, groups without conditions included', () => {
    const empty = Array.from({ length: 300 }, () => ({ op: 'and', conditions: [] }))
    expect(check(...empty, gold)).toMatchObject([{ path: 'root', message: '301 conditions; the limit is 200' }])
  })

  it('is judged no further than anybody reads', () => {
    const wrong = { op: 'or', conditions: Array.from({ length: 250 }, () => ({ field: 'nope', op: '~', odd: 1 })) }
    expect(check(...Array.from({ length: 200 }, () => wrong))).toHaveLength(100)
    expect(check({ ...gold, ...withValue(names(MANY)) })).toHaveLength(100)
  })

  it('is refused in few bytes however long its names are', () => {
    const long = 'x'.repeat(100_000)
    const problems = check({ field: long, op: long, [long]: long }, { op: { [long]: 1 }, conditions: [] })
    expect(problems.length).toBeGreaterThan(3)
    expect(JSON.stringify(problems).length).toBeLessThan(10_000)
  })
})

describe('near names', () => {
  it('are looked for within five letters, however long the word is', () => {
    const stored = names(2_000, 120)
    expect(suggest('m7'.padEnd(120, '_'), stored)[0]).toBe('n7'.padEnd(120, '_'))
    expect(suggest('zz', ['de', 'xz'])).toEqual(['xz'])
    expect(suggest('customer_created_mnths', ['customer_created_month'])).toEqual(['customer_created_month'])
    expect(suggest('z'.repeat(100), ['a'.repeat(100)])).toEqual([])
    expect(suggest(`${'z'.repeat(20)}${'a'.repeat(80)}`, ['a'.repeat(100)])).toEqual([])
  })
})
