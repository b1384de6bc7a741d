import type { Check } from '../check.ts'

/** Every subscription has the price that its MRR needs (D26). */
export const pricesComplete: Check = {
  name: 'prices_complete',
  description:
    'The catalog has a price for every plan, phase and currency that a subscription used in the range, unless the configuration accepts plans without one.',
  identities: [],
  unit: 'plans without a price',
  run: ({ range, inSnapshot }) =>
    inSnapshot(async (ask) => {
      const plans = await ask.unpriced(range)
      if (ask.allows_unpriced && plans.length > 0) {
        const named = plans.map(
          ({ plan_id, currency, count }) =>
            `${plan_id} in ${currency ?? 'no currency'}, ${count} subscription${count === 1 ? '' : 's'}`,
        )
        return { count: plans.length, faults: [], remark: `allow_unpriced counts them as 0: ${named.join('; ')}` }
      }
      return {
        count: plans.length,
        faults: plans.map(({ plan_id, currency, count, flaw }) => ({
          id: plan_id,
          expected: 0,
          actual: count,
          message: `the catalog has no price for ${plan_id} in ${currency ?? 'no currency'}, used by ${count} subscriptions${flaw === undefined ? '' : `: ${flaw}`}`,
        })),
      }
    }),
}
