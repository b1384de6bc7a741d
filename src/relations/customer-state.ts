import { column, defineRelation, nullable } from './define-relation.ts'

/** What each customer is now (D38). */
export const customerState = defineRelation({
  name: 'customer_state',
  kind: 'derived',
  description:
    'One row per customer that is live, in a trial or was ever live. All other customers are leads. The window begins before all spans and ends just after now.',
  grain: ['customer_key'],
  has_window: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('status', 'text', 'First that holds.', ['active', 'free', 'paused', 'trialing', 'churned']),
    nullable('first_active_at', 'timestamp', 'First instant at which a subscription was live.'),
    nullable('churned_at', 'timestamp', 'Last logo churn of a customer that is not live now.'),
    column('live_subscriptions', 'integer', 'Subscriptions live now.'),
    nullable('mrr_cents', 'integer', 'MRR in original cents; null where a price is missing.'),
    nullable('mrr_base_cents', 'integer', 'MRR in base cents; null where a price or a needed rate is missing.'),
  ],
})
