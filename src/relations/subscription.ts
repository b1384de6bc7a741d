import { column, defineRelation, nullable } from './define-relation.ts'

/** Subscriptions of the customers that count. */
export const subscription = defineRelation({
  name: 'subscription',
  kind: 'base',
  description: 'One row per subscription, with the values that never change and its first active cancellation.',
  grain: ['subscription_id'],
  has_window: false,
  columns: [
    column('subscription_id', 'text', 'Id of the subscription.'),
    column('customer_key', 'key', 'Joins `customer`.'),
    nullable('bundle_id', 'text', 'Id of the bundle.'),
    nullable('bundle_external_key', 'text', 'Key of the bundle as stored.'),
    nullable('bundle_line', 'text', 'Key of the bundle without transfer prefixes (D33).'),
    nullable('external_key', 'text', 'Key of the subscription.'),
    nullable('category', 'text', 'Base, add-on or standalone.'),
    column('created_at', 'timestamp', 'Creation of the record.'),
    nullable('original_started_at', 'timestamp', 'Begin of what it continues, where it was transferred (D57).'),
    nullable('charged_through_at', 'timestamp', 'End of the last invoiced period.'),
    nullable('cancel_requested_at', 'timestamp', 'Creation of the first active cancellation.'),
    nullable('cancel_at', 'timestamp', 'Its effective instant, also when it lies ahead.'),
  ],
})
