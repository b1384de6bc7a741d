import { describe, expect, it } from 'vitest'
import { collectIssues } from '../../src/query/issues.ts'
import { parseOrder, readOrder } from '../../src/query/order.ts'

const FIELDS = ['plan_id', 'mrr']

function issuesOf(order: string) {
  const { report, issues } = collectIssues()
  const value = parseOrder(order)
  if (value === undefined) return undefined
  readOrder({ value, where: 'params.order' }, FIELDS, report)
  return issues.map(({ code, where, value: given, context }) => ({ code, where, given, context }))
}

describe('the order asked for', () => {
  it('is names, "-" before one that descends', () => {
    expect(parseOrder('-mrr, plan_id')).toEqual([
      { field: 'mrr', isDescending: true },
      { field: 'plan_id', isDescending: false },
    ])
    for (const wrong of ['', '-', 'mrr,', ',mrr', 'mrr,,plan_id', 3, null, ['mrr']]) expect(parseOrder(wrong)).toBeUndefined()
  })

  it('names fields that the rows have, each once', () => {
    const [code, where] = ['invalid_value', 'params.order']
    expect(issuesOf('-mrr,plan_id')).toEqual([])
    expect(issuesOf('mrrr,x')).toEqual([
      { code, where, given: 'mrrr', context: { available: FIELDS } },
      { code, where, given: 'x', context: { available: FIELDS } },
    ])
    expect(issuesOf('mrr,-mrr')).toEqual([{ code, where, given: 'mrr', context: undefined }])
    expect(issuesOf('--mrr')).toEqual([{ code, where, given: '-mrr', context: { available: FIELDS } }])
  })
})
