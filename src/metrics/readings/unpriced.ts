import { value } from '../../compiler/fragment.ts'
import { integerCell, textCell } from '../../ports/cells.ts'
import { compareValues } from '../../query/order.ts'
import { compileScope } from '../../query/scope.ts'
import type { MetricContext } from './context.ts'
import { levelFact, windowOf } from './facts.ts'
import type { UnpricedPlan } from './gaps.ts'

/**
 * Plans without a price among the spans that touch [from, to], by plan and currency; `count` is subscriptions. Filters on what
 * can change during a life are left out: the unknown side of a movement may not be the side they look at.
 */
export async function listUnpriced(
  context: MetricContext,
  time: { readonly from: Date; readonly to: Date },
): Promise<readonly UnpricedPlan[]> {
  const lasting = context.request.conditions.filter(
    ({ field }) => field.constant === 'always' && !field.reads.includes('mrr_movement'),
  )
  // They are listed by plan and currency, whatever the request groups by.
  const scope = compileScope([], lasting, levelFact(context, value(time.to, 'timestamp')))
  const rows = await context.run({
    template: 'mrr/unpriced_spans',
    slots: scope.slots,
    params: { start: time.from, end: time.to },
    window: windowOf(scope, time),
  })
  const plans = rows.map((row) => ({
    plan_id: textCell(row, 'missing_plan') ?? '',
    currency: textCell(row, 'fact_currency'),
    count: integerCell(row, 'subscription_count'),
  }))
  return plans.sort((a, b) => compareValues(a.plan_id, b.plan_id) || compareValues(a.currency, b.currency))
}
