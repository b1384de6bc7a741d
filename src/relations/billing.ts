import { END_REASONS, PHASE_TYPES } from '../core/enums.ts'
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
export const BILLING_CONDITIONS = [
  'invoicing_failed',
  'account_parked',
  'overdue_block',
  'invoicing_off',
  'quantity_reverted',
] as const

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
    column('utc_offset_seconds', 'integer', 'Local time less UTC, in seconds.'),
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
    nullable('currency', 'text', 'Currency of the subscription (D9).'),
    nullable('fixed_on', 'date', 'Day of the exchange rate of the component (D12).'),
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

/** Facts of a billing engine that a person must look at, apart from the comparison of days (H6). */
export const BILLING_NOTICES = [
  'addon_without_entitlement',
  'overdue',
  'usage_not_invoiced',
  'never_attempted',
  'child_not_on_parent',
  'child_credit_on_parent',
  'child_void_on_parent',
  'last_invoice',
] as const

/** Facts that the billing engine alone knows, about subscriptions, invoices and customers that need attention. */
export const billingNotice = defineRelation({
  name: 'billing_notice',
  kind: 'base',
  description:
    'One row per fact. An add-on without entitlement has its subscription, and so has usage that no item bills. An invoice without an attempt of payment, or one that matches no invoice of its paying parent, has its invoice. So has one that no longer asks for an amount, while the invoice of its parent does; `detail` is then the number of that one. An overdue customer, and the newest invoice of a customer, have neither.',
  grain: ['customer_key', 'subscription_id', 'invoice_id', 'kind'],
  has_window: false,
  may_be_absent: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    nullable('subscription_id', 'text', 'Joins `subscription`.'),
    nullable('invoice_id', 'text', 'Joins `billed_invoice`.'),
    column('kind', 'text', 'Kind of the fact.', BILLING_NOTICES),
    column('since_at', 'timestamp', 'Instant since which it holds.'),
    nullable('detail', 'text', 'Reason, state, number of days, or number of another invoice, in words.'),
    nullable('amount_cents', 'integer', 'Amount, in original cents; null if the fact has none of its own.'),
    nullable('invoice_number', 'text', 'Number of the invoice, if the fact has an amount.'),
  ],
})

/** Plans as subscriptions name them, with the list price that a new customer pays today. */
export const listedPlan = defineRelation({
  name: 'listed_plan',
  kind: 'base',
  description:
    'One row per plan as stored, phase and currency of a source. The price is that of the plan from which it comes, for a subscription that begins now; null if nobody can buy it now.',
  grain: ['source_id', 'plan', 'phase_type', 'currency'],
  has_window: false,
  may_be_absent: true,
  columns: [
    column('source_id', 'text', 'Tenant of the engine.'),
    column('plan', 'text', 'Plan name as stored.'),
    column('phase_type', 'text', 'Kind of the phase (D24).', PHASE_TYPES),
    column('currency', 'text', 'Currency.'),
    nullable('list_micros', 'integer', 'List price of one unit and period, in millionths of the currency.'),
    nullable('month_numerator', 'integer', 'A month has this many periods, divided by the denominator (D23).'),
    nullable('month_denominator', 'integer', 'Denominator of that number.'),
    column('period_days', 'integer', 'Most days of a billing period, and one more; 0 without a period.'),
  ],
})

/** Subscriptions that are billed after the end of a period (H1). */
export const billingInArrears = defineRelation({
  name: 'billing_in_arrears',
  kind: 'base',
  description:
    'One row per running subscription whose periods are billed after their end. Days of the running period are not due yet. An engine that bills in advance has no rows.',
  grain: ['subscription_id'],
  has_window: false,
  may_be_absent: true,
  is_held: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    column('billed_to', 'date', 'Day after the last billed day, else the first day.'),
    column('is_billed', 'boolean', 'True if a period was billed.'),
    column('period_months', 'integer', 'Months of a period; 0 if it has days.'),
    column('period_days', 'integer', 'Days of a period; 0 if it has months.'),
  ],
})

/** Stretches that the billing engine will charge for (D91). */
export const billingTerm = defineRelation({
  name: 'billing_term',
  kind: 'base',
  description:
    'One row per subscription and stretch [term_from, term_to) in which the facts of its charges stay the same, known now, running or to come. Stretches without billing have no row.',
  grain: ['subscription_id', 'term_from'],
  has_window: true,
  may_be_absent: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    column('term_from', 'timestamp', 'First instant of these facts.'),
    nullable('term_to', 'timestamp', 'First instant after them; null if none is known.'),
    column('plan', 'text', 'Plan name as stored.'),
    nullable('plan_key', 'key', 'Joins `plan`; null if the catalog lacks the plan.'),
    nullable('phase_type', 'text', 'Kind of the phase (D24).', PHASE_TYPES),
    nullable('price_list', 'text', 'Price list.'),
    column('quantity', 'integer', 'Quantity that is billed, at least 1.'),
    nullable('currency', 'text', 'Currency of the charges.'),
    nullable(
      'period_micros',
      'integer',
      'Charge of a whole period, in millionths of the currency; null if the price is unknown.',
    ),
    column('period_months', 'integer', 'Months of a period; 0 if it has days, or if nothing recurs.'),
    column('period_days', 'integer', 'Days of a period; 0 if it has months, or if nothing recurs.'),
    column('in_arrears', 'boolean', 'A period is charged after its end.'),
    column('fixed_micros', 'integer', 'Charge at the start of the stretch, in millionths of the currency.'),
    column('usage_cents', 'integer', 'Usage mean of a month (D29), in original cents; 0 without usage.'),
    nullable('billing_day', 'integer', 'Day of the month on which periods of months begin; null if `anchored_on` has it.'),
    nullable('anchored_on', 'date', 'A day whose day of the month is the billing day.'),
  ],
})
