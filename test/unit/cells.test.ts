import { expect, it } from 'vitest'
import { splitCell } from '../../src/evidence/cell.ts'
import { metric as mrr } from '../../src/metrics/mrr/index.ts'
import { metric as usage } from '../../src/metrics/usage-revenue/index.ts'

it('groups of a cell are dimensions of its query, each once, and its own parameters stay with it', () => {
  const params = { at: '2025-05-31', measure: 'mrr', limit: '5', group: ['plan_id=a=b', 'currency'] }
  expect(splitCell(mrr, params, { dimensions: ['plan_id'], filters: { currency: 'EUR' } })).toEqual({
    own: { measure: 'mrr', limit: '5', group: ['plan_id=a=b', 'currency'] },
    ofAnswer: {},
    ofGroups: ['currency'],
    params: { at: '2025-05-31' },
    spec: { dimensions: ['plan_id', 'currency'], filters: { currency: 'EUR' } },
  })
})

it('key columns of a list and compared segments are no dimensions', () => {
  const params = { query_type: 'by_customer', group: ['customer_id=1', 'segment_id=2'] }
  expect(splitCell(usage, params, {}).spec).toEqual({})
})
