import type { Check } from '../check.ts'

/** Every amount has the rate that it needs (D14). */
export const ratesComplete: Check = {
  name: 'rates_complete',
  description: 'Every amount in another currency has an exchange rate into the base currency.',
  identities: [],
  unit: 'missing pairs',
  async run({ facts }) {
    const missing = await facts.missingRates()
    return {
      count: missing.length,
      faults: missing.map(({ from, to, first_day, last_day, count }) => ({
        id: `${from}/${to}`,
        expected: 0,
        actual: count,
        message: `${count} amounts from ${first_day} to ${last_day} need a rate from ${from} to ${to}`,
      })),
    }
  },
}
