import { END_REASONS, PHASE_TYPES } from '../core/enums.ts'
import { column, defineRelation, nullable } from './define-relation.ts'

/** Begin and end of each subscription, and the plan it has or begins with (D17, D18). */
export const subscriptionLife = defineRelation({
  name: 'subscription_life',
  kind: 'default',
  description:
    'One row per subscription that exists: it has no end, or ends after it begins. Includes subscriptions that begin later than now. Plan, price list and quantity are the current ones, those at the end, or those at the planned begin.',
  grain: ['subscription_id'],
  has_window: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    column('started_at', 'timestamp', 'Begin (D17).'),
    nullable('ended_at', 'timestamp', 'End (D18); null while there is none by now.'),
    nullable('end_reason', 'text', 'Why it ended.', END_REASONS),
    nullable('plan', 'text', 'Plan as stored.'),
    nullable('plan_key', 'key', 'Joins `plan`; null where the catalog does not know the plan.'),
    nullable('phase_type', 'text', 'Kind of the phase (D24).', PHASE_TYPES),
    nullable('price_list', 'text', 'Price list.'),
    column('quantity', 'integer', 'Agreed quantity, at least 1.'),
    nullable('next_change_at', 'timestamp', 'First scheduled change of plan or phase, or end, after now.'),
  ],
})
