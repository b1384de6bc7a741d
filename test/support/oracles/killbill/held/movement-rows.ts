import type { Row } from '../../../../../src/connector-kit/connector.ts'
import { sidedMovements } from '../fold/movements.ts'
import type { Span } from '../fold/span.ts'

/** Rows of `movement`. */
export function movementRows(spans: readonly Span[], lines: ReadonlyMap<string, string>): Row[] {
  return sidedMovements(spans, lines).map(({ movement, before, after, named }) => {
    const { amount_base_cents: _amount, mrr_base_cents: _mrr, is_switch, ...kept } = movement
    const component = componentOf(movement.movement_source)
    const [old, next, subscription, usage] = [
      component(before),
      component(after),
      componentOf('subscription')(named),
      componentOf('usage')(named),
    ]
    return {
      ...kept,
      // An account has one currency, so no kind waits for base amounts (D85).
      joint_type: is_switch ? 'net' : kept.movement_type,
      before_cents: old.cents,
      before_fixed_on: old.fixed_on,
      after_cents: next.cents,
      after_fixed_on: next.fixed_on,
      named_subscription_cents: subscription.cents,
      named_subscription_fixed_on: subscription.fixed_on,
      named_usage_cents: usage.cents,
      named_usage_fixed_on: usage.fixed_on,
    }
  })
}

function componentOf(source: 'subscription' | 'usage') {
  return (span: Span | null) => ({
    cents: span?.[`${source}_mrr_cents`] ?? 0,
    fixed_on: span?.[`${source}_fixed_on`] ?? null,
  })
}
