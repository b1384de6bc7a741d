import { column, defineRelation, nullable } from './define-relation.ts'

/** Paid invoices (D52 to D54). */
export const invoice = defineRelation({
  name: 'invoice',
  kind: 'default',
  description: 'One row per paid invoice that counts.',
  grain: ['invoice_id'],
  has_window: false,
  is_held: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('invoice_id', 'text', 'Id of the invoice.'),
    column('currency', 'text', 'Currency of the invoice.'),
    column('paid_at', 'timestamp', 'Instant of payment.'),
    column('amount_cents', 'integer', 'Amount charged up to the payment, in original cents.'),
    column('tax_cents', 'integer', 'Tax in this amount, in original cents.'),
  ],
})

/** Money that went back to customers after they had paid (D54). */
export const refund = defineRelation({
  name: 'refund',
  kind: 'base',
  description: 'One row per invoice of `invoice` and later instant at which money went back: refunds and chargebacks.',
  grain: ['invoice_id', 'refunded_at'],
  has_window: false,
  may_be_absent: true,
  is_held: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('invoice_id', 'text', 'Joins `invoice`.'),
    column('currency', 'text', 'Currency of the invoice.'),
    column('refunded_at', 'timestamp', 'Instant of the refund, after `paid_at` of the invoice.'),
    column('amount_cents', 'integer', 'What went back, in original cents; negative if the invoice was paid once more.'),
  ],
})

const PAID_COLUMNS = [
  column('customer_key', 'key', 'Joins `customer`.'),
  column('invoice_id', 'text', 'Joins `invoice`.'),
  column('currency', 'text', 'Currency of the invoice.'),
]

/** The amounts of paid invoices, with or without tax (D54). */
export const paidAmount = defineRelation({
  name: 'paid_amount',
  kind: 'derived',
  description: 'One row per invoice of `invoice`, with the amount that counts under the definitions.',
  grain: ['invoice_id'],
  has_window: false,
  columns: [
    ...PAID_COLUMNS,
    column('paid_at', 'timestamp', 'Instant of payment.'),
    column('amount_cents', 'integer', 'Amount in original cents.'),
  ],
})

/** The amounts of paid invoices and of refunds (D54). It takes the place of `paid_amount` under `refunds = subtract`. */
export const netPaidAmount = defineRelation({
  name: 'net_paid_amount',
  kind: 'derived',
  description: 'The rows of `paid_amount`, and one row per row of `refund` with a negative amount.',
  grain: ['invoice_id', 'paid_at'],
  has_window: false,
  columns: [
    ...PAID_COLUMNS,
    column('paid_at', 'timestamp', 'Instant of payment or refund.'),
    column('amount_cents', 'integer', 'Amount in original cents; negative if it went back.'),
  ],
})

/** All invoices of the billing engine, in every status. */
export const billedInvoice = defineRelation({
  name: 'billed_invoice',
  kind: 'base',
  description:
    'One row per invoice of the customers that count, in its current state. Includes draft, void, migrated and parent invoices.',
  grain: ['invoice_id'],
  has_window: false,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('invoice_id', 'text', 'Id of the invoice.'),
    nullable('invoice_number', 'text', 'Number shown to the customer.'),
    column('status', 'text', 'First status that applies.', ['draft', 'void', 'paid', 'uncollectible', 'open']),
    column('currency', 'text', 'Currency of the invoice.'),
    column('invoice_date', 'date', 'Day of the invoice, local to the account.'),
    column('created_at', 'timestamp', 'Creation of the record.'),
    nullable('paid_at', 'timestamp', 'Instant of payment (D53).'),
    nullable('voided_at', 'timestamp', 'Instant when it was voided.'),
    column('total_cents', 'integer', 'Charged amount, in original cents.'),
    column('tax_cents', 'integer', 'Taxes included, net of their adjustments.'),
    column('usage_cents', 'integer', 'Usage included, net of its adjustments.'),
    column('amount_paid_cents', 'integer', 'Successful payments minus refunds and chargebacks.'),
    column('balance_cents', 'integer', 'Open balance.'),
  ],
})

/** All invoices with their age and their amounts in the base currency. */
export const invoiceState = defineRelation({
  name: 'invoice_state',
  kind: 'derived',
  description:
    'One row per invoice of `billed_invoice`, with the same columns. Base amounts are null if a needed rate is missing.',
  grain: ['invoice_id'],
  has_window: false,
  columns: [
    ...billedInvoice.columns,
    nullable('days_open', 'integer', 'Days since the day of an open invoice (D90).'),
    nullable('age', 'text', 'Age of an open invoice in days.', ['0-30', '31-60', '61-90', 'over-90']),
    nullable('total_base_cents', 'integer', 'Charged amount in base cents.'),
    nullable('balance_base_cents', 'integer', 'Open balance in base cents.'),
  ],
})

/** Subscriptions that an invoice bills. */
export const invoiceSubscription = defineRelation({
  name: 'invoice_subscription',
  kind: 'base',
  description:
    'One row per invoice and subscription of its items. An adjustment belongs to the subscription of the item that it adjusts.',
  grain: ['invoice_id', 'subscription_id'],
  has_window: false,
  columns: [
    column('invoice_id', 'text', 'Joins `billed_invoice`.'),
    column('subscription_id', 'text', 'Id of the subscription.'),
  ],
})

/** Usage charges of paid invoices (D55). */
export const usageCharge = defineRelation({
  name: 'usage_charge',
  kind: 'base',
  description:
    'One row per usage item of a paid invoice and calendar month of its service, zero charges included. Unpaid items have no row.',
  grain: ['charge_id', 'service_month'],
  has_window: false,
  may_be_absent: true,
  is_held: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`; the owner of the subscription, even if another account pays.'),
    column('charge_id', 'key', 'Key of the item; unique together with the month.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    nullable('plan', 'text', 'Plan of the item, named as in spans; null if the item has none.'),
    column('currency', 'text', 'Currency of the invoice.'),
    column('paid_at', 'timestamp', 'Instant when the invoice was paid (D53).'),
    column('charge_date', 'date', 'Day of the charge.'),
    column('service_month', 'date', 'First day of the month of service.'),
    column('amount_cents', 'integer', 'Amount minus adjustments up to the payment, in original cents.'),
  ],
})
