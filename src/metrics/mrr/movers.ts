import { empty } from '../../compiler/fragment.ts'
import { MOVEMENT_TYPES, type MovementType } from '../../core/enums.ts'
import { InternalError } from '../../core/errors.ts'
import { instantCell, integerCell, textCell, textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { CUSTOMER_DIMENSIONS } from '../../query/dimensions/customer.ts'
import { PLAN_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { compileScope } from '../../query/scope.ts'
import type { RangeTime } from '../../query/timeframe.ts'
import type { MetricContext } from '../readings/context.ts'
import { movementFact, windowOf } from '../readings/facts.ts'

const SHOWN = [...CUSTOMER_DIMENSIONS, ...PLAN_DIMENSIONS].filter(({ key }) =>
  ['customer_id', 'customer_name', 'plan_id'].includes(key),
)

/** A movement of one subscription, or a swap of several (D33), in base cents. */
export interface Movement {
  readonly customer_id: string
  readonly customer_name: string | null
  readonly subscription_id: string
  readonly plan_id: string | null
  readonly movement_type: MovementType
  readonly occurred_at: string
  readonly reason: string
  readonly is_swap: boolean
  readonly amount_base: number
  /** The part of `amount_base` that only the exchange rate made (D12). */
  readonly rate_part: number
}

/** At most `most` movements of the range, largest first by absolute amount. Rates and prices must be known (`readMovements`). */
export async function readMovers(context: MetricContext, time: RangeTime, most: number): Promise<readonly Movement[]> {
  const scope = compileScope(SHOWN, context.request.conditions, movementFact(context))
  const rows = await context.run({
    template: 'mrr/why',
    // No grouping, because the statement lists movements and does not sum them.
    slots: { ...scope.slots, group_by: empty },
    params: { start: time.from, end: time.to, most },
    window: windowOf(scope, time),
  })
  return rows.toSorted((a, b) => integerCell(a, 'nth') - integerCell(b, 'nth')).map(movementOf)
}

function movementOf(row: Row): Movement {
  const movement_type = MOVEMENT_TYPES.find((type) => type === textCell(row, 'movement_type'))
  const occurred_at = instantCell(row, 'occurred_at')
  if (movement_type === undefined || occurred_at === null) throw new InternalError('a movement has no type or no instant')
  return {
    customer_id: textOf(row, 'customer_id'),
    customer_name: textCell(row, 'customer_name'),
    subscription_id: textOf(row, 'subscription_id'),
    plan_id: textCell(row, 'plan_id'),
    movement_type,
    occurred_at,
    reason: textOf(row, 'reason'),
    is_swap: integerCell(row, 'swapped') === 1,
    amount_base: integerCell(row, 'amount_base_cents'),
    rate_part: integerCell(row, 'rate_base_cents'),
  }
}
