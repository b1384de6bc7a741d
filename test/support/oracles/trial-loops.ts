import type { FoldedCustomer } from './fold/fold-tables.ts'
import type { Trial } from './killbill/fold/trials.ts'
import type { SlicedFact } from './slice-loops.ts'

export type SlicedTrial = SlicedFact & Pick<Trial, 'started_at' | 'converted_at' | 'expired_at'>

/** Trials of the customers with what their subscription was at its begin (D56, D61). */
export function trialsOf(customers: readonly FoldedCustomer[]): SlicedTrial[] {
  return customers.flatMap((customer) =>
    customer.trials.map(({ subscription_id, started_at, converted_at, expired_at }) => {
      const spans = customer.spans.filter((span) => span.subscription_id === subscription_id)
      const first = spans.reduce((earliest, span) => (span.valid_from < earliest.valid_from ? span : earliest))
      const { plan, plan_key, price_list, valid_from: at } = first
      return { customer, subscription_id, plan, plan_key, price_list, at, started_at, converted_at, expired_at }
    }),
  )
}

/** Started, converted, expired (D58). */
export function countsOf({ converted_at, expired_at }: SlicedTrial): readonly [number, number, number] {
  return [1, converted_at === null ? 0 : 1, expired_at === null ? 0 : 1]
}

/** Trials begun on the days `start` to `end`. */
export function begunIn(trials: readonly SlicedTrial[], start: string, end: string): SlicedTrial[] {
  return trials.filter(({ started_at }) => started_at.slice(0, 10) >= start && started_at.slice(0, 10) <= end)
}
