import { END_REASONS, PHASE_TYPES, START_REASONS } from '../core/enums.ts'
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
