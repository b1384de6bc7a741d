import { afterAll, describe, expect, it } from 'vitest'
import { EXAMPLE_TARGETS, exampleEngine, exampleExecutor } from '../support/example-engine.ts'
import { metric } from '../../src/metrics/mrr/index.ts'
const pg = exampleExecutor(EXAMPLE_TARGETS[0].url), my = exampleExecutor(EXAMPLE_TARGETS[1].url)
const a = exampleEngine(pg), b = exampleEngine(my)
afterAll(async () => { await pg.close(); await my.close() })
const q = async (e: any, p: any, s: any) => { try { return (await e.query('mrr', p, s)).data } catch (x: any) { return { error: x.message, code: x.code, cause: x.cause?.message } } }
const R = { start: '2025-03-01', end: '2025-05-31' }
const dims = ['source','source_id','currency','customer_id','customer_country','cohort_month','customer_created_month','tenure_months','plan_id','plan_name','plan_interval','usage_type','price_list','phase_type','collection_method','bundle_id','movement_source','pending_cancellation','mrr_band','arr_band','movement_type']
describe('x', () => {
  for (const [name, params] of [['current', { at: '2025-05-20' }], ['series', R], ['arr', R], ['components', R], ['breakdown', R], ['breakdown', {...R, granularity: 'month'}], ['waterfall', R], ['waterfall', {start:'2025-02-10', end:'2025-05-22', interval:'week'}]] as const)
    for (const d of dims) it(`${name} ${d} ${JSON.stringify(params)}`, async () => {
      const x = await q(a, { ...params, query_type: name }, { dimensions: [d] }), y = await q(b, { ...params, query_type: name }, { dimensions: [d] })
      expect(y).toEqual(x)
      if ((x as any).error && (x as any).code !== 'unknown_dimension') throw new Error(JSON.stringify(x))
      console.log(name, d, JSON.stringify(x).slice(0, 900))
    })
})
