import { expect, it } from 'vitest'
import { missingRate } from '../../src/metrics/readings/gaps.ts'

const gap = (currency: string, from: string, through: string, count: number) => ({ currency, from, through, count })

it('names every pair once with the days that need it, and the command (D14)', () => {
  const error = missingRate(
    [
      gap('JPY', '2025-03-01', '2025-03-01', 1),
      gap('EUR', '2025-02-01', '2025-02-03', 2),
      gap('EUR', '2025-01-15', '2025-02-01', 3),
    ],
    'USD',
  )
  expect(error?.message).toContain(
    'There are no exchange rates from EUR to USD for 2025-01-15 to 2025-02-03, from JPY to USD for 2025-03-01.',
  )
  expect(error?.message).toContain('`plumbline fx fetch ecb`')
  expect(error?.context).toEqual({
    currency: 'EUR',
    base_currency: 'USD',
    date: '2025-01-15',
    count: 5,
    pairs: [
      { from: 'EUR', to: 'USD', first_day: '2025-01-15', last_day: '2025-02-03', count: 5 },
      { from: 'JPY', to: 'USD', first_day: '2025-03-01', last_day: '2025-03-01', count: 1 },
    ],
  })
})

it('is nothing where no rate is missing', () => {
  expect(missingRate([], 'USD')).toBeUndefined()
})
