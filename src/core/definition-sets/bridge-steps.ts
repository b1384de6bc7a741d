import type { Definitions, SetOptions } from '../definitions.ts'
import { withOptions } from './sets.ts'

/** An option that two sets state differently. */
export interface BridgeStep {
  readonly option: keyof Definitions
  readonly from: string
  readonly to: string
  /** The definitions after this step. */
  readonly definitions: Definitions
}

/** All options, in the order in which a bridge takes them: who counts, the price, how a pause counts, then rules of single metrics. */
const ORDER: Readonly<Record<keyof SetOptions, true>> = {
  test_accounts: true,
  derive_fixed_term_end: true,
  allow_unpriced: true,
  billing_periods: true,
  quantity: true,
  mrr_usage: true,
  pause: true,
  grain: true,
  swap_window: true,
  reactivation_window: true,
  time_zone: true,
  fx: true,
  nrr_reactivation: true,
  tax: true,
  refunds: true,
  lifetime: true,
  spread: true,
  one_off: true,
  unbilled: true,
  revenue_kinds: true,
  net_terms: true,
  buckets: true,
  receivables_rate: true,
  recovery_window: true,
}

/** The steps from one set to another, one option after the other. None if the sets agree. */
export function stepsBetween(from: Definitions, to: Definitions): readonly BridgeStep[] {
  const steps: BridgeStep[] = []
  let definitions = from
  for (const option of Object.keys(ORDER) as (keyof SetOptions)[]) {
    if (from[option] === to[option]) continue
    definitions = withOptions(definitions, { [option]: to[option] })
    steps.push({ option, from: String(from[option]), to: String(to[option]), definitions })
  }
  return steps
}
