import { END_REASONS, PHASE_TYPES } from '../core/enums.ts'
import { column, defineRelation, nullable } from './define-relation.ts'

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
