import { AppError } from '../../core/errors.ts'
import type { MetricContext } from './context.ts'
import { missingRate } from './missing-rate.ts'

/** Amounts of one currency that lack a rate into the base currency. */
export interface UnratedGap {
  readonly currency: string
  /** First day that needs the rate. */
  readonly from: string
  /** Last day that needs it. */
  readonly through: string
  readonly count: number
}

/** What an answer needed and did not find (D14, D26). */
export interface Gaps {
  readonly unpriced: number
  readonly unrated: readonly UnratedGap[]
}

export interface UnpricedPlan {
  readonly plan_id: string
  readonly currency: string | null
  readonly count: number
}

/**
 * Turns gaps into `missing_fx_rate` or `unpriced_plan`; with `allow_unpriced` the latter is a warning. Both name the plans, which `list`
 * finds.
 */
export async function settleGaps(
  context: MetricContext,
  gaps: Gaps,
  list: () => Promise<readonly UnpricedPlan[]>,
): Promise<void> {
  const missing = missingRate(gaps.unrated, context.definitions.base_currency, context.ratesWithheld)
  if (missing !== undefined) throw missing
  if (gaps.unpriced === 0) return
  const plans = await list()
  const names = plans.map(({ plan_id, currency, count }) => {
    const subscriptions = count === 1 ? '1 subscription' : `${count} subscriptions`
    const flaw = context.priceFlaw?.(plan_id, currency)
    return `${plan_id} (${currency ?? 'no currency'}, ${subscriptions}${flaw === undefined ? '' : `: ${flaw}`})`
  })
  const named = names.join(', ') || 'a plan in use'
  if (context.definitions.allow_unpriced) {
    const message = `Counted as 0, because the catalog has no price for ${named}.`
    context.warn({ code: 'unpriced_plan', message, count: gaps.unpriced })
    return
  }
  const remedy = 'With definitions.allow_unpriced = true they count as 0, and every answer says so.'
  throw new AppError('unpriced_plan', `The catalog has no price for ${named}. ${remedy}`, { context: { plans } })
}
