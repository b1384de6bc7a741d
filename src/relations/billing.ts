import { END_REASONS } from '../core/enums.ts'
import { column, defineRelation, nullable } from './define-relation.ts'

/** Amounts that the billing engine charges for days of subscriptions (H1). */
export const billedStretch = defineRelation({
  name: 'billed_stretch',
  kind: 'base',
  description:
    'One row per charged item and stretch of its days [starts_on, ends_on) that no repair covers. Items of void invoices and items without a price have no row. Days are local to the account.',
  grain: ['item_key', 'starts_on'],
  has_window: false,
  may_be_absent: true,
  is_held: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`; the account of the invoice.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    column('item_key', 'key', 'Key of the item.'),
    column('invoice_key', 'key', 'Key of the invoice.'),
    column('invoice_status', 'text', 'State of the invoice.', ['draft', 'committed']),
    column('kind', 'text', 'Kind of the charge.', ['recurring']),
    column('starts_on', 'date', 'First day.'),
    column('ends_on', 'date', 'Day after the last day.'),
    column('currency', 'text', 'Currency of the invoice.'),
    column('amount_cents', 'integer', 'Charged for these days, less adjustments, in original cents.'),
    nullable(
      'monthly_cents',
      'integer',
      'Price of the item brought to a month, in original cents (D23); null if its billing period is unknown.',
    ),
    nullable('quantity', 'integer', 'Charged quantity; null if it is unknown.'),
    nullable('priced_on', 'date', 'Day of the catalog version that has the price.'),
  ],
})

/** Conditions that explain why the billing engine charges another amount than agreed (H3). */
export const BILLING_CONDITIONS = ['invoicing_failed', 'account_parked', 'invoicing_off', 'quantity_reverted'] as const

/** Known causes of billing that differs from the agreement. */
export const billingCondition = defineRelation({
  name: 'billing_condition',
  kind: 'base',
  description:
    'One row per subscription and stretch [valid_from, valid_to) in which the billing engine is known to bill something else than agreed, or nothing. A connector that knows no causes lacks the relation.',
  grain: ['subscription_id', 'kind', 'valid_from'],
  has_window: false,
  may_be_absent: true,
  is_held: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    column('kind', 'text', 'Cause.', BILLING_CONDITIONS),
    column('valid_from', 'timestamp', 'First instant.'),
    nullable('valid_to', 'timestamp', 'First instant after the stretch; null while it lasts.'),
    column('monthly_cents', 'integer', 'Charged amount of a month, in original cents; 0 if nothing is charged.'),
  ],
})

/** The days of customers (H1). */
export const customerZone = defineRelation({
  name: 'customer_zone',
  kind: 'base',
  description: 'One row per customer. Its days have a fixed offset from UTC. Customers without a row have days in UTC.',
  grain: ['customer_key'],
  has_window: false,
  may_be_absent: true,
  is_held: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('utc_offset_minutes', 'integer', 'Local time less UTC, in minutes.'),
  ],
})

/** The amounts that customers have agreed to, by local day (H1). */
export const agreedStretch = defineRelation({
  name: 'agreed_stretch',
  kind: 'derived',
  description:
    'One row per span of `subscription_span`, with its local days [first_day, end_day), as days since 1970-01-01. A span in which no day ends has no day.',
  grain: ['subscription_id', 'first_day', 'end_day'],
  has_window: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    column('first_day', 'integer', 'First day at whose end the span holds.'),
    column('end_day', 'integer', 'Day after the last such day; the day of now while the span lasts.'),
    column('monthly_cents', 'integer', 'Subscription component of MRR, in original cents.'),
    column('quantity', 'integer', 'Agreed quantity.'),
    column('is_unpriced', 'boolean', 'The price is unknown (D26).'),
    nullable('monthly_cents_before', 'integer', 'Component before, if the span began with a price date.'),
    nullable('end_reason', 'text', 'Why the subscription ended.', END_REASONS),
  ],
})

/** Rows of the billing engine's database that show what was agreed and billed. */
export const billingEvidence = defineRelation({
  name: 'billing_evidence',
  kind: 'base',
  description: 'One row per row of the billing database and subscription that it is about. Findings show the rows of their days.',
  grain: ['table_name', 'row_key', 'subscription_id'],
  has_window: false,
  may_be_absent: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    column('table_name', 'text', 'Table of the row.'),
    column('row_key', 'key', 'Number of the row, or another key.'),
    nullable('row_id', 'text', 'Id of the row.'),
    nullable('occurred_at', 'timestamp', 'Instant of the event.'),
    column('row_kind', 'text', 'Kind of the row, in the words of the billing engine.'),
    nullable('detail', 'text', 'Plan or phase.'),
    nullable('from_on', 'date', 'First day of a charge.'),
    nullable('to_on', 'date', 'Day after the last day of a charge.'),
    nullable('amount_cents', 'integer', 'Amount of a charge, in original cents.'),
    nullable('quantity', 'integer', 'Quantity that the row sets.'),
    nullable('priced_on', 'date', 'Day of the catalog version that has the price of a charge.'),
  ],
})
