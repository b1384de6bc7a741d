import { expect, it } from 'vitest'
import { exampleConnector, SPANS, span } from '../support/data/worked-example.ts'
import { describeExample } from '../support/product/example-engine.ts'

const GHOST = span('S1', 1, '2025-01-05', null, null, { is_unpriced: true, plan: 'legacy-gold' })

describeExample('subscriptions without a price', (engineOf) => {
  const engine = () =>
    engineOf({ connector: exampleConnector({ spans: [GHOST, ...SPANS.slice(1)] }), options: { allow_unpriced: true } })
  const leftOut = async (metric: string, params: object, spec = {}) => {
    const { explanation } = await engine().query(metric, { ...params, explain: 'true' }, spec)
    return explanation?.excluded.unpriced_subscriptions
  }

  it('are named by explain, if the answer counts them as 0', async () => {
    const { explanation } = await engine().query('mrr', { at: '2025-03-31', explain: 'true' })
    expect(explanation?.excluded.unpriced_subscriptions).toEqual(['S1'])
    expect(explanation?.warnings.map(({ code }) => code)).toContain('unpriced_plan')
    expect(await leftOut('mrr', { query_type: 'breakdown', start: '2025-01-01', end: '2025-03-31' })).toEqual(['S1'])
  })

  it('are not named, if the answer is about other customers or another time', async () => {
    expect(await leftOut('mrr', { at: '2025-01-01' })).toEqual([])
    expect(await leftOut('mrr', { at: '2025-03-31' }, { filters: { customer_id: 'nobody' } })).toEqual([])
  })
})
