import { column, defineRelation, nullable } from './define-relation.ts'

/** Cancellations with their reason (D46). */
export const cancellation = defineRelation({
  name: 'cancellation',
  kind: 'default',
  description:
    'One row per subscription and cancellation that ends it: its own, or that of its base. A connector without reasons leaves them null.',
  grain: ['subscription_id', 'effective_at'],
  has_window: false,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Subscription that ends.'),
    column('requested_at', 'timestamp', 'Instant of the request.'),
    column('effective_at', 'timestamp', 'Instant at which it takes effect.'),
    nullable('cancel_reason', 'text', 'Reason as recorded.'),
    column('is_last', 'boolean', 'The newest cancellation of the customer at that instant.'),
  ],
})
