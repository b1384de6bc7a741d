import type { Check } from '../check.ts'

/** Every subscription has the price that its MRR needs (D26). */
export const pricesComplete: Check = {
  name: 'prices_complete',
  description: 'The catalog has a price for every plan, phase and currency that a subscription used in the range.',
  identities: [],
  unit: 'plans without a price',
  run: ({ range, inSnapshot }) =>
    inSnapshot(async (ask) => {
      const plans = await ask.unpriced(range)
      return {
        count: plans.length,
        faults: plans.map(({ plan_id, currency, count }) => ({
          id: plan_id,
          expected: 0,
          actual: count,
          message: `the catalog has no price for ${plan_id} in ${currency ?? 'no currency'}, used by ${count} subscriptions`,
        })),
      }
    }),
}
