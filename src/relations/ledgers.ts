import { MOVEMENT_SOURCES, MOVEMENT_TYPES, PHASE_TYPES } from '../core/enums.ts'
import { column, defineRelation, nullable } from './define-relation.ts'

/** Opening MRR of each period of a request and the movements in it, in the unit of the request (D43 to D45). */
export const periodLedger = defineRelation({
  name: 'period_ledger',
  kind: 'derived',
  description:
    'Per period of the request: one row per subscription and component with a span just before the period, and one per movement in the period.',
  grain: ['period_index', 'customer_key', 'subscription_id', 'movement_source', 'occurred_at'],
  has_window: true,
  columns: [
    column('period_index', 'integer', 'Period of the request.'),
    column('starts_at', 'timestamp', 'First instant of the period.'),
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    nullable('held_id', 'text', 'The subscription, on start MRR; null on movements.'),
    nullable('currency', 'text', 'Currency of the subscription (D9).'),
    nullable('plan_key', 'key', 'Joins `plan`; null on movements.'),
    nullable('plan', 'text', 'Plan as stored; null on movements.'),
    nullable('phase_type', 'text', 'Kind of the phase; null on movements.', PHASE_TYPES),
    nullable('price_list', 'text', 'Price list; null on movements.'),
    column('movement_source', 'text', 'Component of MRR.', MOVEMENT_SOURCES),
    nullable('movement_type', 'text', 'Kind of movement; null on start MRR.', MOVEMENT_TYPES),
    nullable('occurred_at', 'timestamp', 'Instant of the movement; null on start MRR.'),
    nullable('ended_id', 'text', 'Subscription that was ended by a cancellation at that instant.'),
    column('is_swap', 'integer', '1 on a movement of a swap group.'),
    column('is_switch', 'integer', '1 on a movement of a switch to another currency (D85).'),
    column('unpriced', 'integer', '1 if the price is unknown.'),
    nullable('fixed_on', 'date', 'Day of the exchange rate that the base amount needs.'),
    nullable('start_amount', 'integer', 'MRR just before the period.'),
    nullable('amount', 'integer', 'Signed movement.'),
    nullable('rate_base_cents', 'integer', 'Part of a base amount that only the exchange rate made (D12).'),
    column('unrated', 'integer', '1 if a base amount lacks its rate.'),
  ],
})

/** Start MRR and movements of the ratios on a start cohort (D43 to D45). */
export const startCohort = defineRelation({
  name: 'start_cohort',
  kind: 'derived',
  description:
    'Per period of the request: one row per subscription and component with a span just before the period, and one per movement in the period. Values of the subscription are those just before the period.',
  grain: ['period_index', 'customer_key', 'subscription_id', 'movement_source', 'occurred_at'],
  has_window: true,
  columns: [
    column('period_index', 'integer', 'Period of the request.'),
    column('starts_at', 'timestamp', 'First instant of the period.'),
    column('customer_key', 'key', 'Joins `customer`.'),
    nullable('subscription_id', 'text', 'Joins `subscription`; null if it had no span just before the period.'),
    column('own_subscription_id', 'text', 'The subscription of the row, also without a span just before the period.'),
    nullable('currency', 'text', 'Currency of the subscription (D9).'),
    nullable('plan_key', 'key', 'Joins `plan`; just before the period.'),
    nullable('plan', 'text', 'Plan as stored; just before the period.'),
    nullable('phase_type', 'text', 'Kind of the phase; just before the period.', PHASE_TYPES),
    nullable('price_list', 'text', 'Price list; just before the period.'),
    column('movement_source', 'text', 'Component of MRR.', MOVEMENT_SOURCES),
    nullable('movement_type', 'text', 'Kind of movement; null on start MRR.', MOVEMENT_TYPES),
    nullable('occurred_at', 'timestamp', 'Instant of the movement; null on start MRR.'),
    nullable('ended_id', 'text', 'Subscription that was ended by a cancellation at that instant.'),
    column('is_swap', 'integer', '1 on a movement of a swap group.'),
    column('is_switch', 'integer', '1 on a movement of a switch to another currency (D85).'),
    nullable('start_amount', 'integer', 'MRR just before the period, in the unit of the request.'),
    nullable('amount', 'integer', 'Signed movement, in the unit of the request.'),
    nullable('rate_base_cents', 'integer', 'Part of a base amount that only the exchange rate made (D12).'),
    column('unpriced', 'integer', '1 if the price is unknown.'),
    column('unrated', 'integer', '1 if a base amount lacks its rate.'),
    nullable('fixed_on', 'date', 'Day of the exchange rate that the base amount needs.'),
    column('is_member', 'integer', '1 if the row counts.'),
  ],
})
