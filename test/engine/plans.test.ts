import { beforeAll, describe, expect, it } from 'vitest'
import { fixedClock } from '../../src/core/clock.ts'
import { builtInRegistry } from '../../src/metrics/built-in.ts'
import type { Registry } from '../../src/metrics/registry.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { emptyEmbedded, exampleEngine } from '../support/product/example-engine.ts'

/** The metrics of the product, which count how often a question about one is planned. */
function countedRegistry(): { readonly registry: Registry; planned: string[] } {
  const planned: string[] = []
  const registry = builtInRegistry()
  const metrics = [...registry.metrics].map(([name, definition]) => {
    const choose: typeof definition.choose = (...asked) => {
      planned.push(name)
      return definition.choose(...asked)
    }
    return [name, { ...definition, choose }] as const
  })
  return { registry: { ...registry, metrics: new Map(metrics) }, planned }
}

/** A clock that shows the first instant once, then the second. */
function movingClock(first: string, second: string) {
  const instants = [first]
  return { now: () => new Date(instants.pop() ?? second) }
}

describe('the plan of a request', () => {
  let executor: Executor
  beforeAll(async () => {
    executor = (await emptyEmbedded()).executor()
  })

  const ask = async (clock: { now(): Date }, params: Record<string, unknown>, spec: Record<string, unknown> = {}) => {
    const { registry, planned } = countedRegistry()
    const { data, meta } = await exampleEngine(executor, { registry, clock }).query('mrr', params, spec)
    return { answer: { data, meta }, planned }
  }

  it.each([
    ['today', { query_type: 'current' }],
    ['a day', { query_type: 'current', at: '2025-03-20' }],
    ['periods', { query_type: 'series', start: '2025-01-01', end: '2025-04-30' }],
  ])('is made once where no attribute and no segment is named: %s', async (_, params) => {
    expect((await ask(fixedClock(new Date('2025-03-24T11:59:59Z')), params)).planned).toEqual(['mrr'])
  })

  it('has a separate plan for the days compared with', async () => {
    const params = { query_type: 'current', at: '2025-03-24', compare_to: 'previous' }
    expect((await ask(fixedClock(new Date('2025-05-01T00:00:00Z')), params)).planned).toEqual(['mrr', 'mrr'])
  })

  // A plan changes at noon: 2900 becomes 7900.
  it.each([
    ['today', { query_type: 'current' }],
    ['a range that ends today', { query_type: 'series', start: '2025-03-01', end: '2025-03-24' }],
    ['a range with a name', { query_type: 'waterfall', range: 'this-month' }],
  ])('is about the second of the snapshot, also when the request had to wait: %s', async (_, params) => {
    const [planned, read] = ['2025-03-24T11:59:59Z', '2025-03-24T12:00:00Z']
    const late = await ask(movingClock(planned, read), params)
    expect(late.planned).toEqual(['mrr'])
    expect(late.answer).toEqual((await ask(fixedClock(new Date(read)), params)).answer)
    expect(late.answer.data).not.toEqual((await ask(fixedClock(new Date(planned)), params)).answer.data)
  })

  it.each([
    ['today', { query_type: 'current' }, {}],
    ['by currency', { query_type: 'current' }, { dimensions: ['currency'] }],
    ['this month', { query_type: 'series', range: 'this-month' }, {}],
    ['a day after today', { query_type: 'current', at: '2025-04-01' }, {}],
  ])('is made anew when midnight passes between planning and snapshot: %s', async (_, params, spec) => {
    const [planned, read] = ['2025-03-31T23:59:59Z', '2025-04-01T00:00:00Z']
    const late = await ask(movingClock(planned, read), params, spec)
    expect(late.planned).toEqual(['mrr', 'mrr'])
    expect(late.answer).toEqual((await ask(fixedClock(new Date(read)), params, spec)).answer)
    expect(late.answer.meta).not.toEqual((await ask(fixedClock(new Date(planned)), params, spec)).answer.meta)
  })
})
