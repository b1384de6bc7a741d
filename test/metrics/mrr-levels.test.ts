import { expect, it } from 'vitest'
import { dataOf, describeExample } from '../support/product/example-engine.ts'

const RANGE = { start: '2025-03-01', end: '2025-05-31' }

describeExample('MRR levels of the worked example', (engineOf) => {
  it.each([
    ['2025-03-19', 28983],
    ['2025-03-20', 23983],
    ['2025-04-10', 42433],
    ['2025-05-23', 41333],
    ['2025-05-24', 33433],
    ['2024-12-31', 0],
  ])('MRR at %s is %i', async (at, mrr) => {
    expect(await dataOf(engineOf(), { at })).toBe(mrr)
  })

  it('ARR is 12 times MRR, components add up', async () => {
    expect(await dataOf(engineOf(), { query_type: 'arr', at: '2025-05-31' })).toBe(401196)
    expect(await dataOf(engineOf(), { query_type: 'components', at: '2025-05-31' })).toEqual({
      subscription_mrr: 32533,
      usage_mrr: 900,
      mrr: 33433,
    })
  })

  it('a series has the level at the end of each month and the net movement inside it', async () => {
    expect(await dataOf(engineOf(), { start: '2025-01-01', end: '2025-05-31' })).toEqual([
      { period: '2025-01-01', mrr: 17233, amount_base: 17233 },
      { period: '2025-02-01', mrr: 28833, amount_base: 11600 },
      { period: '2025-03-01', mrr: 28983, amount_base: 150 },
      { period: '2025-04-01', mrr: 37433, amount_base: 8450 },
      { period: '2025-05-01', mrr: 33433, amount_base: -4000 },
    ])
  })

  it('the first period is named by its first day and counts from start; the last level is taken at end', async () => {
    const params = { query_type: 'arr', start: '2025-03-22', end: '2025-04-10', interval: 'month' }
    expect(await dataOf(engineOf(), params)).toEqual([
      { period: '2025-03-01', arr: 12 * 28983, mrr: 28983, amount_base: 5000 },
      { period: '2025-04-01', arr: 12 * 42433, mrr: 42433, amount_base: 13450 },
    ])
  })

  it('weeks begin on Monday, quarters and years with their first month', async () => {
    const periods = async (interval: string) => {
      const rows = await dataOf(engineOf(), { start: '2025-03-20', end: '2025-04-02', interval })
      return (rows as { period: string; mrr: number }[]).map(({ period, mrr }) => [period, mrr])
    }
    expect(await periods('week')).toEqual([
      ['2025-03-17', 23983],
      ['2025-03-24', 28983],
      ['2025-03-31', 37433],
    ])
    expect(await periods('quarter')).toEqual([
      ['2025-01-01', 28983],
      ['2025-04-01', 37433],
    ])
    expect(await periods('year')).toEqual([['2025-01-01', 37433]])
    expect(await periods('day')).toHaveLength(14)
  })

  it('by currency the amounts are original cents, by a currency filter they stay base', async () => {
    expect(await dataOf(engineOf(), { at: '2025-05-31' }, { dimensions: ['currency'] })).toEqual([
      { currency: 'EUR', mrr: 16000 },
      { currency: 'USD', mrr: 14233 },
    ])
    expect(await dataOf(engineOf(), { at: '2025-05-31' }, { filters: { currency: 'eur' } })).toBe(19200)
  })

  it('groups by plan and by band', async () => {
    const at = { at: '2025-05-31' }
    expect(await dataOf(engineOf(), at, { dimensions: ['plan_id'] })).toEqual([
      { plan_id: 'lite', mrr: 4000 },
      { plan_id: 'meter', mrr: 1900 },
      { plan_id: 'pro-annual', mrr: 8333 },
      { plan_id: 'seat', mrr: 19200 },
    ])
    expect(await dataOf(engineOf(), at, { dimensions: ['mrr_band'] })).toEqual([
      { mrr_band: '$100-$500', mrr: 19200 },
      { mrr_band: '<$100', mrr: 14233 },
    ])
  })

  it('text groups by case and null is a separate group, last', async () => {
    expect(await dataOf(engineOf(), { at: '2025-05-31' }, { dimensions: ['customer_country'] })).toEqual([
      { customer_country: 'DE', mrr: 27533 },
      { customer_country: 'US', mrr: 4000 },
      { customer_country: 'de', mrr: 1900 },
    ])
    const spec = { dimensions: ['plan_interval', 'customer_country'], filters: { 'customer.country': { is_not_empty: true } } }
    expect(await dataOf(engineOf(), { at: '2025-05-31' }, spec)).toContainEqual({
      plan_interval: 'year',
      customer_country: 'DE',
      mrr: 8333,
    })
  })

  it('movement_source of a level is the component, as group and as filter', async () => {
    expect(await dataOf(engineOf(), { at: '2025-05-31' }, { dimensions: ['movement_source'] })).toEqual([
      { movement_source: 'subscription', mrr: 32533 },
      { movement_source: 'usage', mrr: 900 },
    ])
    const usage = { filters: { movement_source: 'usage' } }
    expect(await dataOf(engineOf(), { query_type: 'components', at: '2025-05-31' }, usage)).toEqual({
      subscription_mrr: 0,
      usage_mrr: 900,
      mrr: 900,
    })
    expect(await dataOf(engineOf(), { ...RANGE, interval: 'quarter' }, usage)).toEqual([
      { period: '2025-01-01', mrr: 750, amount_base: 150 },
      { period: '2025-04-01', mrr: 900, amount_base: 150, is_partial: true },
    ])
  })

  it('movement_type in a series leaves the levels null and follows the order of the types', async () => {
    expect(
      await dataOf(engineOf(), { query_type: 'arr', ...RANGE, interval: 'year' }, { dimensions: ['movement_type'] }),
    ).toEqual([
      { period: '2025-01-01', movement_type: 'expansion', arr: null, mrr: null, amount_base: 13600, is_partial: true },
      { period: '2025-01-01', movement_type: 'contraction', arr: null, mrr: null, amount_base: -100, is_partial: true },
      { period: '2025-01-01', movement_type: 'churn', arr: null, mrr: null, amount_base: -17900, is_partial: true },
      { period: '2025-01-01', movement_type: 'reactivation', arr: null, mrr: null, amount_base: 9000, is_partial: true },
    ])
    expect(await dataOf(engineOf(), { ...RANGE, interval: 'year' }, { filters: { movement_type: 'new' } })).toEqual([
      { period: '2025-01-01', mrr: null, amount_base: 0, is_partial: true },
    ])
  })

  it('cohort months see the whole history, whatever the range', async () => {
    expect(await dataOf(engineOf(), { at: '2025-05-31' }, { dimensions: ['cohort_month'] })).toEqual([
      { cohort_month: '2025-01-01', mrr: 14233 },
      { cohort_month: '2025-02-01', mrr: 19200 },
    ])
  })

  it('tenure grows on the day of creation, one second after the instant', async () => {
    // C was created on 01-31 at noon: its fourth month is full on 05-31 at noon, its third on 04-30 at noon.
    const tenure = (at: string) => dataOf(engineOf(), { at }, { dimensions: ['tenure_months'], filters: { customer_id: 'C' } })
    expect(await tenure('2025-04-29')).toEqual([{ tenure_months: 2, mrr: 19200 }])
    expect(await tenure('2025-04-30')).toEqual([{ tenure_months: 3, mrr: 19200 }])
    expect(await tenure('2025-05-30')).toEqual([{ tenure_months: 3, mrr: 19200 }])
    expect(await tenure('2025-05-31')).toEqual([{ tenure_months: 4, mrr: 19200 }])
  })

  it('a cancellation is pending from its request until it takes effect', async () => {
    const pending = (at: string) => dataOf(engineOf(), { at }, { filters: { pending_cancellation: 'true' } })
    expect(await pending('2025-05-01')).toBe(0)
    expect(await pending('2025-05-02')).toBe(7900)
    expect(await pending('2025-05-23')).toBe(7900)
    expect(await pending('2025-05-24')).toBe(0)
  })
})
