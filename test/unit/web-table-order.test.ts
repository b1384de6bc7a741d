import { describe, expect, it } from 'vitest'
import { addsUp, nextOrder, sorted, sumOf } from '../../src/web/parts/table-order.ts'

const values = (rows: readonly Readonly<Record<string, unknown>>[], key: string) => rows.map((row) => row[key])

describe('a sorted table', () => {
  it.each([
    ['numbers by size', 'mrr', [900, 1_000, 20], [20, 900, 1_000]],
    ['months by date', 'period', ['2026-02-01', '2025-11-01', '2026-01-01'], ['2025-11-01', '2026-01-01', '2026-02-01']],
    ['numbers in texts by size', 'attr.seats', ['10-19', '2-9', '100+'], ['2-9', '10-19', '100+']],
    ['codes by the name that the page shows', 'customer_country', ['US', 'GB', 'CH'], ['CH', 'GB', 'US']],
    ['names without case', 'customer_name', ['beta', 'Alpha', 'gamma'], ['Alpha', 'beta', 'gamma']],
  ])('%s', (_, key, given, wanted) => {
    const rows = given.map((value) => ({ [key]: value }))
    expect(values(sorted(rows, key), key)).toEqual(wanted)
    expect(values(sorted(rows, `-${key}`), key)).toEqual(wanted.toReversed())
  })

  it('rows without a value come last in both directions, and the row of all others after them', () => {
    const rows = [{ mrr: null }, { mrr: 2, is_rest: true }, { mrr: 1 }, { mrr: 3 }]
    expect(values(sorted(rows, 'mrr'), 'mrr')).toEqual([1, 3, null, 2])
    expect(values(sorted(rows, '-mrr'), 'mrr')).toEqual([3, 1, null, 2])
    expect(sorted(rows, undefined)).toBe(rows)
  })

  it('the first click shows the largest number or the first text, the next one turns around', () => {
    expect(nextOrder('mrr', undefined, true)).toBe('-mrr')
    expect(nextOrder('mrr', '-mrr', true)).toBe('mrr')
    expect(nextOrder('mrr', 'mrr', true)).toBe('-mrr')
    expect(nextOrder('plan_id', '-mrr', false)).toBe('plan_id')
    expect(nextOrder('churned_at', '-churned_at,-churned_mrr_cents', false)).toBe('churned_at')
  })
})

describe('the sum of a column', () => {
  it.each([
    ['MRR of plans', 'mrr', [{ plan_id: 'a' }, { plan_id: 'b' }], true],
    ['MRR at the end of each month', 'mrr', [{ period: '2026-01-01' }], false],
    ['movements of each month', 'amount_base', [{ period: '2026-01-01' }], true],
    ['a rate', 'logo_churn_rate', [{ plan_id: 'a' }], false],
    ['an average', 'arpu', [{ plan_id: 'a' }], false],
    ['customers at the start, the same for each reason', 'active_at_start', [{ cancel_reason: 'a' }], false],
    ['segments, which may share customers', 'mrr', [{ segment_id: '1', segment_name: 'A' }], false],
    ['two currencies', 'mrr', [{ currency: 'EUR' }, { currency: 'USD' }], false],
    ['two currencies in base currency', 'mrr_base_cents', [{ currency: 'EUR' }, { currency: 'USD' }], true],
    ['one currency', 'mrr', [{ currency: 'EUR' }, { currency: 'EUR' }], true],
    ['the previous period', 'previous_mrr', [{ plan_id: 'a' }], true],
    ['the change', 'change_mrr', [{ plan_id: 'a' }], true],
    ['the change of a rate', 'change_logo_churn_rate', [{ plan_id: 'a' }], false],
  ])('%s: %s', (_, field, rows, adds) => {
    expect(addsUp(field, rows)).toBe(adds)
  })

  it('includes the row of all others, and is not known if that row does not say its part', () => {
    expect(sumOf('mrr', [{ mrr: 1 }, { mrr: null }, { mrr: 3, is_rest: true }])).toBe(4)
    expect(sumOf('mrr', [{ mrr: 1 }, { mrr: null, is_rest: true }])).toBeUndefined()
    expect(sumOf('mrr', [{ mrr: null }])).toBeUndefined()
  })
})
