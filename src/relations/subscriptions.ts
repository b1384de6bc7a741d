import { END_REASONS, PHASE_TYPES, PLAN_INTERVALS, PRICING_MODELS, SUBSCRIPTION_STATUSES, USAGE_TYPES } from '../core/enums.ts'
import { column, defineRelation, nullable } from './define-relation.ts'

/** Subscriptions of the customers that count. */
export const subscription = defineRelation({
  name: 'subscription',
  kind: 'base',
  description: 'One row per subscription, with the values that never change and its first active cancellation.',
  grain: ['subscription_id'],
  has_window: false,
  is_held: true,
  columns: [
    column('subscription_id', 'text', 'Id of the subscription.'),
    column('customer_key', 'key', 'Joins `customer`.'),
    nullable('bundle_id', 'text', 'Id of the bundle.'),
    nullable('bundle_external_key', 'text', 'Key of the bundle as stored.'),
    nullable('bundle_line', 'text', 'Key of the bundle without transfer prefixes (D33).'),
    nullable('external_key', 'text', 'Key of the subscription.'),
    nullable('category', 'text', 'Base, add-on or standalone.'),
    column('created_at', 'timestamp', 'Creation of the record.'),
    nullable('original_started_at', 'timestamp', 'Start of the original subscription, if it was transferred (D57).'),
    nullable(
      'charged_through_on',
      'date',
      'Local day of the customer on which the last invoiced period ends: the first day that is not invoiced.',
    ),
    nullable('cancel_requested_at', 'timestamp', 'Creation of the first active cancellation.'),
    nullable('cancel_at', 'timestamp', 'Effective instant of that cancellation, even if in the future.'),
  ],
})

/** Plans as described by the catalog version in force (D61). */
export const plan = defineRelation({
  name: 'plan',
  kind: 'base',
  description: 'One row per plan and catalog version. Spans and movements refer to it by `plan_key`.',
  grain: ['plan_key'],
  has_window: false,
  columns: [
    column('plan_key', 'key', 'Key for joins, never shown.'),
    column('plan_id', 'text', 'Id of the plan; for a price override, of the plan it overrides.'),
    nullable('plan_name', 'text', 'Display name.'),
    nullable('billing_period', 'text', 'Billing period of the final phase, as the billing engine names it.'),
    nullable('plan_interval', 'text', 'Unit of that period.', PLAN_INTERVALS),
    nullable('pricing_model', 'text', 'Pricing model of the final phase.', PRICING_MODELS),
    nullable('usage_type', 'text', 'Usage type of the final phase.', USAGE_TYPES),
    nullable('product_name', 'text', 'Product.'),
    nullable('product_category', 'text', 'Category of the product.'),
  ],
})

/** Start and end of each subscription, with its current or first plan (D17, D18). */
export const subscriptionLife = defineRelation({
  name: 'subscription_life',
  kind: 'default',
  description:
    'One row per subscription that exists: it has no end, or ends after it begins. Includes subscriptions that begin later than now. Plan, price list and quantity are the current ones, those at the end, or those at the planned begin.',
  grain: ['subscription_id'],
  has_window: true,
  is_held: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    column('started_at', 'timestamp', 'Start (D17).'),
    nullable('ended_at', 'timestamp', 'End (D18); null if it has not ended by now.'),
    nullable('end_reason', 'text', 'Why it ended.', END_REASONS),
    nullable('plan', 'text', 'Plan as stored.'),
    nullable('plan_key', 'key', 'Joins `plan`; null if the catalog lacks the plan.'),
    nullable('phase_type', 'text', 'Kind of the phase (D24).', PHASE_TYPES),
    nullable('price_list', 'text', 'Price list.'),
    column('quantity', 'integer', 'Agreed quantity, at least 1.'),
    nullable('next_change_at', 'timestamp', 'First scheduled change of plan or phase, or end, after now.'),
  ],
})

/** Current state of each subscription (D22). */
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
    column('started_at', 'timestamp', 'Start.'),
    nullable('ended_at', 'timestamp', 'End.'),
    nullable('end_reason', 'text', 'Why it ended.', END_REASONS),
    nullable('next_change_at', 'timestamp', 'First scheduled change of plan or phase, or end, after now.'),
    nullable('plan', 'text', 'Plan as stored.'),
    nullable('plan_key', 'key', 'Joins `plan`.'),
    nullable('phase_type', 'text', 'Kind of the phase (D24).', PHASE_TYPES),
    nullable('price_list', 'text', 'Price list.'),
    column('quantity', 'integer', 'Agreed quantity.'),
    nullable('currency', 'text', 'Currency of its last span; null without a span.'),
    nullable('mrr_cents', 'integer', 'MRR in original cents, usage included.'),
    nullable('mrr_base_cents', 'integer', 'MRR in base cents.'),
    nullable('usage_mrr_base_cents', 'integer', 'Usage component in base cents.'),
  ],
})

/** Cancellations with their reason (D46). */
export const cancellation = defineRelation({
  name: 'cancellation',
  kind: 'default',
  description:
    'One row per subscription and cancellation that ends it: its own, or that of its base. A connector without reasons leaves them null.',
  grain: ['subscription_id', 'effective_at'],
  has_window: false,
  is_held: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Subscription that ends.'),
    column('requested_at', 'timestamp', 'Instant of the request.'),
    column('effective_at', 'timestamp', 'Instant at which it takes effect.'),
    nullable('cancel_reason', 'text', 'Recorded reason.'),
    column('is_last', 'boolean', 'True for the newest cancellation of the customer at that instant.'),
  ],
})

/** Trials with their outcome (D56, D57). */
export const trial = defineRelation({
  name: 'trial',
  kind: 'default',
  description:
    'One row per subscription that began in a trial. A trial that was running at a bundle transfer belongs to the receiving subscription. Outcomes reach to the end of the window, which begins at or before the first start in question.',
  grain: ['subscription_id'],
  has_window: true,
  is_held: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    column('started_at', 'timestamp', 'Start of the trial.'),
    nullable('converted_at', 'timestamp', 'Activation; null if it has not converted.'),
    nullable('expired_at', 'timestamp', 'End of a trial that did not convert.'),
  ],
})

/** Subscriptions that can replace each other (D33). Only movements use it; it cannot be requested. */
export const bundleLine = defineRelation({
  name: 'bundle_line',
  kind: 'default',
  description: 'One row per subscription. If subscriptions of one customer have the same line, one replaces the other.',
  grain: ['subscription_id'],
  has_window: false,
  is_held: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Id of the subscription.'),
    column('bundle_line', 'text', 'Key of the bundle without transfer prefixes, unique across all sources.'),
  ],
})

/** The lines under a swap window: all subscriptions of a customer are one line (D83). It takes the place of `bundle_line`. */
export const customerLine = defineRelation({
  name: 'customer_line',
  kind: 'derived',
  description: 'One row per subscription. All subscriptions of a customer have the same line.',
  grain: ['subscription_id'],
  has_window: false,
  columns: bundleLine.columns,
})
