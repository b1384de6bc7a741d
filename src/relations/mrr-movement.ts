import { END_REASONS, MOVEMENT_SOURCES, MOVEMENT_TYPES, PHASE_TYPES, START_REASONS } from '../core/enums.ts'
import { column, defineRelation, nullable } from './define-relation.ts'

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
