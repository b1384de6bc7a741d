import { AppError } from '../core/errors.ts'
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
 * Turns gaps into `missing_fx_rate` or `unpriced_plan`; with `allow_unpriced` the latter is a warning. `list` finds the plans and
 * is asked only when the request fails for them.
 */
export async function settleGaps(
  context: MetricContext,
  gaps: Gaps,
  list: () => Promise<readonly UnpricedPlan[]>,
): Promise<void> {
  const missing = missingRate(gaps.unrated, context.definitions.base_currency, context.ratesWithheld)
  if (missing !== undefined) throw missing
  if (gaps.unpriced === 0) return
  if (context.definitions.allow_unpriced) {
    const message = 'Spans whose price is not in the catalog count as 0.'
    context.warn({ code: 'unpriced_plan', message, count: gaps.unpriced })
    return
  }
  const plans = await list()
  const names = plans.map((plan) => `${plan.plan_id} (${plan.currency ?? 'no currency'})`)
  throw new AppError('unpriced_plan', `The catalog has no price for ${names.join(', ') || 'a plan in use'}.`, {
    context: { plans },
  })
}
