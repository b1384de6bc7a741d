import { expect, it } from 'vitest'
import { DELIVERY } from '../../src/workspace/records/delivery.ts'
import { blocksOf } from '../support/product/documented-blocks.ts'

it('docs/deliveries.md shows conditions and a delivery that the service takes', () => {
  const [shown] = blocksOf('docs/deliveries.md').filter(({ language }) => language === 'json')
  const conditions = (shown?.text ?? '').trim().split('\n')
  expect(conditions.length).toBe(4)
  const [created] = blocksOf('docs/deliveries.md').filter(({ text }) => text.includes('curl -X POST'))
  const body = JSON.parse(/-d '([\s\S]*?)'/.exec(created?.text ?? '')?.[1] ?? '') as object
  expect(() => DELIVERY.body.parse(body)).not.toThrow()
  for (const condition of conditions)
    expect(() => DELIVERY.body.parse({ ...body, briefing: undefined, condition: JSON.parse(condition) }), condition).not.toThrow()
  expect(() => DELIVERY.body.parse({ ...body, condition: { kind: 'weather' } })).toThrow()
})
