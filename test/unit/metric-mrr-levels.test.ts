import { afterAll, describe, expect, it } from 'vitest'
import { EXAMPLE_TARGETS, exampleEngine, exampleExecutor } from '../support/example-engine.ts'

describe.each(EXAMPLE_TARGETS)('MRR levels of the worked example on $target', ({ url }) => {
  const executor = exampleExecutor(url)
  const engine = exampleEngine(executor)
  const ask = async (params: Record<string, unknown>, spec: Record<string, unknown> = {}) => (await engine.query('mrr', params, spec)).data
  afterAll(() => executor.close())

  it.each([
    ['2025-03-19', 28983],
    ['2025-03-20', 23983],
    ['2025-04-10', 42433],
    ['2025-05-23', 41333],
    ['2025-05-24', 33433],
    ['2024-12-31', 0],
  ])('MRR at %s is %i', async (at, mrr) => {
    expect(await ask({ at })).toBe(mrr)
  })

  it('ARR is 12 times MRR, components add up', async () => {
    expect(await ask({ query_type: 'arr', at: '2025-05-31' })).toBe(401196)
    expect(await ask({ query_type: 'components', at: '2025-05-31' })).toEqual({ subscription_mrr: 32533, usage_mrr: 900, mrr: 33433 })
  })

  it('series: level at the end of each month, net movement inside it', async () => {
    expect(await ask({ start: '2025-01-01', end: '2025-05-31' })).toEqual([
      { period: '2025-01-01', mrr: 17233, amount_base: 17233 },
      { period: '2025-02-01', mrr: 28833, amount_base: 11600 },
      { period: '2025-03-01', mrr: 28983, amount_base: 150 },
      { period: '2025-04-01', mrr: 37433, amount_base: 8450 },
      { period: '2025-05-01', mrr: 33433, amount_base: -4000 },
    ])
  })
})
