import { describe, expect, it } from 'vitest'
import { describeExample } from '../support/product/example-engine.ts'

// Today is 2025-06-05.
describeExample('comparison with earlier days, on the worked example', (engineOf) => {
  describe('a day after today is compared as today', () => {
    // On 2025-05-05: A 8333, B 7900, C 19200, E 1900.
    it.each([
      ['previous', '2025-05-05', 37333],
      ['year', '2024-06-05', 0],
    ])('MRR with %s', async (compare_to, day, previous) => {
      const { data, compared_with } = await engineOf().query('mrr', { at: '2025-12-31', compare_to })
      expect(compared_with).toBe(day)
      expect(data).toMatchObject({ value: 33433, previous, change: 33433 - previous })
    })

    it('the summary', async () => {
      const { data, compared_with } = await engineOf().summary({ end: '2025-12-31', compare_to: 'previous' })
      expect(compared_with).toBe('2025-05-05')
      expect(data).toMatchObject({ mrr: 33433, previous_mrr: 37333, change_mrr: -3900 })
    })

    it('the end of a range, with as many days before it as have passed', async () => {
      const days = { start: '2025-05-20', end: '2025-12-31' }
      const { data, compared_with } = await engineOf().query('churn', { ...days, compare_to: 'previous' })
      // B of the five customers left on 24 May. In the 17 days before, none of four left.
      expect(compared_with).toBe('2025-05-03/2025-05-19')
      expect(data).toEqual({ value: 0.2, previous: 0, change: 0.2 })
      const summary = await engineOf().summary({ ...days, compare_to: 'previous' })
      expect(summary.compared_with).toBe('2025-05-03/2025-05-19')
      expect(summary.data).toMatchObject({ logo_churn_rate: 0.2, previous_logo_churn_rate: 0 })
    })

    it('a range that has not begun has its own days before it', async () => {
      const days = { start: '2025-07-01', end: '2025-07-31', compare_to: 'previous' }
      expect((await engineOf().query('churn', days)).compared_with).toBe('2025-06-01/2025-06-30')
    })
  })

  // Four customers were live before May: A, B, C and E. B left in May as it was too expensive. Before April F was live too. F left in April without
  // a reason, and had no MRR when April began.
  describe('a reason of one time only has the whole denominator of the other time', () => {
    const MAY = { start: '2025-05-01', end: '2025-05-31', compare_to: 'previous' }
    const logo = (now: Numbers, previous: Numbers, change: Numbers) =>
      compared(['logo_churn_rate', 'churn_count', 'active_at_start'], now, previous, change)
    const byReason = async (params: object, dimensions: readonly string[] = ['cancel_reason']) =>
      (await engineOf().query('churn', { ...MAY, ...params }, { dimensions })).data

    it('of customers', async () => {
      expect(await byReason({})).toEqual([
        { cancel_reason: 'too_expensive', ...logo([0.25, 1, 4], [0, 0, 5], [0.25, 1, -1]) },
        { cancel_reason: null, ...logo([0, 0, 4], [0.2, 1, 5], [-0.2, -1, -1]) },
      ])
    })

    it('of MRR, also if nothing was lost at the other time', async () => {
      const names = ['revenue_churn_rate', 'revenue_lost', 'start_mrr']
      expect(await byReason({ type: 'revenue' })).toEqual([
        {
          cancel_reason: 'too_expensive',
          ...compared(names, [0.211044, 7900, 37433], [0, 0, 28983], [0.211044, 7900, 8450]),
        },
      ])
    })

    it('within another dimension, that of its own group', async () => {
      // B and F are in the US.
      expect(await byReason({}, ['customer_country', 'cancel_reason'])).toEqual([
        { customer_country: 'US', cancel_reason: 'too_expensive', ...logo([1, 1, 1], [0, 0, 2], [1, 1, -1]) },
        { customer_country: 'US', cancel_reason: null, ...logo([0, 0, 1], [0.5, 1, 2], [-0.5, -1, -1]) },
      ])
    })

    it('in a series, that of its own period', async () => {
      // Nobody left in February, when four were live before it, nor in March, when five were.
      expect(await byReason({ start: '2025-04-01', granularity: 'month' })).toEqual([
        { period: '2025-04-01', cancel_reason: 'too_expensive', ...logo([0, 0, 5], [0, 0, 4], [0, 0, 1]) },
        { period: '2025-04-01', cancel_reason: null, ...logo([0.2, 1, 5], [0, 0, 4], [0.2, 1, 1]) },
        { period: '2025-05-01', cancel_reason: 'too_expensive', ...logo([0.25, 1, 4], [0, 0, 5], [0.25, 1, -1]) },
        { period: '2025-05-01', cancel_reason: null, ...logo([0, 0, 4], [0, 0, 5], [0, 0, -1]) },
      ])
    })

    it('and the rate is null where that is 0', async () => {
      // Nobody was live before October 2024.
      expect(await byReason({ start: '2025-02-01', end: '2025-05-31' })).toEqual([
        { cancel_reason: 'too_expensive', ...logo([0.25, 1, 4], [null, 0, 0], [null, 1, 4]) },
        { cancel_reason: null, ...logo([0.25, 1, 4], [null, 0, 0], [null, 1, 4]) },
      ])
    })

    it('in the row for the rest too', async () => {
      expect(await byReason({ limit: 1, rest: true })).toMatchObject([
        { is_rest: false, cancel_reason: 'too_expensive' },
        { is_rest: true, ...logo([0, 0, 4], [0.2, 1, 5], [-0.2, -1, -1]) },
      ])
    })
  })

  it('a group of one time only has no denominator at the other time where the dimension splits it', async () => {
    // S3 of C began in February: the plan "seat" had no MRR before it.
    const params = { query_type: 'nrr', start: '2025-03-01', end: '2025-03-31', compare_to: 'previous' }
    const { data } = await engineOf().query('retention', params, { dimensions: ['plan_id'] })
    expect(data).toContainEqual(
      expect.objectContaining({
        plan_id: 'seat',
        retention_rate: 1,
        previous_retention_rate: null,
        start_mrr: 11000,
        previous_start_mrr: 0,
      }),
    )
  })
})

type Numbers = readonly (number | null)[]

function compared(names: readonly string[], now: Numbers, previous: Numbers, change: Numbers): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name, index) => [
      [name, now[index]],
      [`previous_${name}`, previous[index]],
      [`change_${name}`, change[index]],
    ]),
  )
}
