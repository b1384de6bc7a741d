import { AppError } from '../core/errors.ts'
import type { MetricContext } from './define-metric.ts'

/** Amounts of one currency that lack a rate into the base currency. */
export interface UnratedGap {
  readonly currency: string
  /** First day that needs the rate. */
  readonly from: string
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
  const first = [...gaps.unrated].sort((a, b) =>
    a.from === b.from ? (a.currency < b.currency ? -1 : 1) : a.from < b.from ? -1 : 1,
  )[0]
  if (first !== undefined) {
    const { base_currency } = context.definitions
    throw new AppError(
      'missing_fx_rate',
      `There is no exchange rate from ${first.currency} to ${base_currency} for ${first.from}.`,
      {
        context: { currency: first.currency, base_currency, date: first.from, count: first.count },
      },
    )
  }
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
