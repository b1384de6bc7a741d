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
})
