import { describe, expect, it } from 'vitest'
import { rawRequest } from '../../src/facades/presentation/raw-request.ts'

const read = (query: string) => rawRequest(new URLSearchParams(query))

describe('name=value pairs', () => {
  it.each([
    ['', {}, {}],
    ['at=2025-01-01&interval=', { at: '2025-01-01' }, {}],
    ['at=1&at=2', { at: ['1', '2'] }, {}],
    ['at=1&at=1', { at: '1' }, {}],
    ['dimensions=plan_id,%20currency,&dimensions=source', {}, { dimensions: ['plan_id', 'currency', 'source'] }],
    ['filter=attr.a%3Db%3Dc', {}, { filters: { 'attr.a': 'b=c' } }],
    ['filter=plan_id=', {}, { filters: { plan_id: '' } }],
    ['filter=&dimensions=', {}, {}],
    ['filter=a=1&filter=a=2&filter=b=3', {}, { filters: { a: ['1', '2'], b: '3' } }],
    ['segment=s1&compare_segments=s2&compare_segments=s3', {}, { segment: 's1', compare: ['s2', 's3'] }],
    ['bogus=1&granularity=day', { bogus: '1', granularity: 'day' }, {}],
  ])('%s', (query, params, spec) => {
    expect(read(query)).toEqual({ params, spec, issues: [] })
  })

  it.each([
    ['filter=nonsense', 'invalid_value'],
    ['filter==x', 'invalid_value'],
    ['filter=__segment_id__=s1', 'unknown_filter'],
    ['filter=__compare_segment_ids__=s1', 'unknown_filter'],
  ])('%s is refused', (query, code) => {
    expect(read(query).issues).toMatchObject([{ code, where: 'spec.filters' }])
  })

  it('keeps hostile names as plain keys', () => {
    const { params, spec } = read('__proto__=1&filter=__proto__=2&constructor=3')
    expect(Object.entries(params)).toEqual([
      ['__proto__', '1'],
      ['constructor', '3'],
    ])
    expect(Object.entries(spec['filters'] ?? {})).toEqual([['__proto__', '2']])
    expect(Object.getPrototypeOf(params)).toBe(Object.prototype)
  })
})
