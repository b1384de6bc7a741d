import { END_REASONS, MOVEMENT_SOURCES, MOVEMENT_TYPES, PHASE_TYPES, START_REASONS } from '../core/enums.ts'
import { column, defineRelation, nullable } from './define-relation.ts'

/** The primitive of all MRR figures (D28). Narrow: names and columns of plans are joined, one row at most per span, so the windows sort little. */
export const mrrSpan = defineRelation({
  name: 'mrr_span',
  kind: 'default',
  description:
    'One row per subscription and maximal stretch [valid_from, valid_to) in which status, plan, phase, price list, quantity and both components are constant. Includes every row that begins by window_end, also rows that ended before window_start: movements need them to recognize a reactivation (D32).',
  grain: ['subscription_id', 'valid_from'],
  has_window: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    column('valid_from', 'timestamp', 'First instant of the stretch.'),
    nullable('valid_to', 'timestamp', 'First instant after the stretch; null while it is open.'),
    column('status', 'text', 'State of the subscription (D22).', ['trialing', 'active', 'paused']),
    column('plan', 'text', 'Plan name as stored.'),
    nullable('plan_key', 'key', 'Joins `plan`; null where the catalog does not know the plan.'),
    nullable('phase_type', 'text', 'Kind of the phase in force (D24); null where it has none.', PHASE_TYPES),
    nullable('price_list', 'text', 'Price list of the last plan event.'),
    column('quantity', 'integer', 'Agreed quantity, at least 1.'),
    nullable('currency', 'text', 'Currency of the customer (D9).'),
    column('subscription_mrr_cents', 'integer', 'Recurring component in original cents (D23).'),
    column('usage_mrr_cents', 'integer', 'Usage component in original cents (D29).'),
    column('mrr_cents', 'integer', 'Sum of both components.'),
    nullable(
      'subscription_mrr_base_cents',
      'integer',
      'Recurring component in base cents (D12); null where a needed rate is missing.',
    ),
    nullable('usage_mrr_base_cents', 'integer', 'Usage component in base cents; null where a needed rate is missing.'),
    nullable('mrr_base_cents', 'integer', 'Sum of both base components.'),
    column('is_trial', 'boolean', 'Status is trialing.'),
    column('is_live', 'boolean', 'Status is active or paused (D38).'),
    column('is_paused', 'boolean', 'Status is paused.'),
    column('is_unpriced', 'boolean', 'The price is unknown; the subscription component is then 0 in this row (D26).'),
    column('start_reason', 'text', 'Why the stretch begins.', START_REASONS),
    nullable('end_reason', 'text', 'Why the subscription ends, on its last stretch only.', END_REASONS),
    nullable('subscription_fixed_on', 'date', 'Day whose rate the recurring base component has.'),
    nullable('usage_fixed_on', 'date', 'Day whose rate the usage base component has.'),
  ],
})

/** Differences of neighbouring spans (D31 to D34). */
export const mrrMovement = defineRelation({
  name: 'mrr_movement',
  kind: 'derived',
  description:
    'One row per subscription, component and instant at which its original MRR changed, window_start <= occurred_at < window_end. If one side has no price, the amount may be 0.',
  grain: ['subscription_id', 'movement_source', 'occurred_at'],
  has_window: true,
  columns: [
    column('occurred_at', 'timestamp', 'Instant of the change.'),
    column('movement_type', 'text', 'Kind of movement (D31 to D33).', MOVEMENT_TYPES),
    column('movement_source', 'text', 'Component that moved.', MOVEMENT_SOURCES),
    column('amount_cents', 'integer', 'Signed change in original cents.'),
    nullable('amount_base_cents', 'integer', 'Signed change in base cents; null where a needed rate is missing.'),
    nullable('currency', 'text', 'Currency of the customer.'),
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    nullable('plan_key', 'key', 'Joins `plan`; of the side that D61 names.'),
    column('plan', 'text', 'Plan as stored; of the side that D61 names.'),
    nullable('phase_type', 'text', 'Kind of the phase; of the side that D61 names.', PHASE_TYPES),
    nullable('price_list', 'text', 'Price list; of the side that D61 names.'),
    nullable('mrr_base_cents', 'integer', 'Base MRR of the subscription on the side that D61 names: what the bands read.'),
    column('reason', 'text', 'Start or end reason of the change.', [...new Set([...START_REASONS, ...END_REASONS])]),
    column('is_swap', 'boolean', 'Row of a swap group (D33).'),
    column('is_unpriced', 'boolean', 'The price of either side is unknown (D26).'),
    nullable('fixed_on', 'date', 'Day whose rate the amount needs.'),
  ],
})

/** From which the spans of an engine are worked out that has no better way to them (D28). */
export const subscriptionFact = defineRelation({
  name: 'subscription_fact',
  kind: 'source',
  description:
    'One row per subscription and instant of a change, with every value that holds from then on. Includes planned changes. The first fact is the begin (D17). No fact follows one with the status `ended`.',
  grain: ['subscription_id', 'fact_at'],
  has_window: false,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    column('fact_at', 'timestamp', 'First instant at which it holds.'),
    column('stated_at', 'timestamp', 'When it was recorded; of an end, when that was requested.'),
    column('status', 'text', 'State of the subscription (D22).', ['pending', 'trialing', 'active', 'paused', 'ended']),
    nullable(
      'reason',
      'text',
      'Of a begin by transfer, a pause for an unpaid invoice, and every end: why. Other reasons follow from the rows.',
      [...END_REASONS, 'overdue'],
    ),
    nullable('cancel_reason', 'text', 'Of an end by cancellation: what the customer said (D46).'),
    column('plan', 'text', 'Plan.'),
    nullable('plan_key', 'key', 'Joins `plan`; null where the plan is not known.'),
    nullable('phase_type', 'text', 'Kind of the phase (D24).', PHASE_TYPES),
    nullable('price_list', 'text', 'Price list.'),
    column('quantity', 'integer', 'Agreed quantity, at least 1.'),
    nullable('currency', 'text', 'Currency of the customer (D9).'),
    nullable(
      'monthly_cents',
      'integer',
      'Recurring price for the quantity and a month, in original cents (D23); null where it is not known (D26).',
    ),
    column('has_usage', 'boolean', 'Usage counts in MRR while this holds (D29).'),
  ],
})
