import { END_REASONS, PHASE_TYPES, SUBSCRIPTION_STATUSES } from '../core/enums.ts'
import { column, defineRelation, nullable } from './define-relation.ts'

/** What each subscription is now (D22). */
export const subscriptionState = defineRelation({
  name: 'subscription_state',
  kind: 'derived',
  description:
    'One row per subscription that exists. The plan is that of its last stretch. Amounts are 0 unless the subscription is active, and null if the price or a needed rate is missing. The window ends just after now.',
  grain: ['subscription_id'],
  has_window: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    column('status', 'text', 'State now (D22).', SUBSCRIPTION_STATUSES),
    column('started_at', 'timestamp', 'Begin.'),
    nullable('ended_at', 'timestamp', 'End.'),
    nullable('end_reason', 'text', 'Why it ended.', END_REASONS),
    nullable('next_change_at', 'timestamp', 'First scheduled change of plan or phase, or end, after now.'),
    nullable('plan', 'text', 'Plan as stored.'),
    nullable('plan_key', 'key', 'Joins `plan`.'),
    nullable('phase_type', 'text', 'Kind of the phase (D24).', PHASE_TYPES),
    nullable('price_list', 'text', 'Price list.'),
    column('quantity', 'integer', 'Agreed quantity.'),
    nullable('mrr_cents', 'integer', 'MRR in original cents, usage included.'),
    nullable('mrr_base_cents', 'integer', 'MRR in base cents.'),
    nullable('usage_mrr_base_cents', 'integer', 'Usage component in base cents.'),
  ],
})
