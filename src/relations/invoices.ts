import { column, defineRelation, nullable } from './define-relation.ts'

/** Paid invoices (D52 to D54). */
export const invoice = defineRelation({
  name: 'invoice',
  kind: 'default',
  description: 'One row per paid invoice that counts.',
  grain: ['invoice_id'],
  has_window: false,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('invoice_id', 'text', 'Id of the invoice.'),
    column('currency', 'text', 'Currency of the invoice.'),
    column('paid_at', 'timestamp', 'Instant at which it was settled.'),
    column('amount_cents', 'integer', 'Amount charged up to the payment, in original cents.'),
  ],
})

/** All invoices of the engine, whatever became of them. */
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
    column('status', 'text', 'First that holds.', ['draft', 'void', 'paid', 'uncollectible', 'open']),
    column('currency', 'text', 'Currency of the invoice.'),
    column('invoice_date', 'date', 'Day of the invoice, local to the account.'),
    column('created_at', 'timestamp', 'Creation of the record.'),
    nullable('paid_at', 'timestamp', 'Instant at which it was settled (D53).'),
    nullable('voided_at', 'timestamp', 'Instant at which it was voided.'),
    column('total_cents', 'integer', 'Charged amount, in original cents.'),
    column('tax_cents', 'integer', 'Taxes in it, adjustments of them included.'),
    column('usage_cents', 'integer', 'Usage in it, adjustments of it included.'),
    column('amount_paid_cents', 'integer', 'Successful payments less refunds and chargebacks.'),
    column('balance_cents', 'integer', 'What is still open.'),
  ],
})

/** Which subscriptions an invoice bills. */
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
  columns: [
    column('customer_key', 'key', 'Joins `customer`; the customer that owns the subscription, whoever pays.'),
    column('charge_id', 'key', 'The item; with the month unique.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    nullable('plan', 'text', 'Plan that the item bills, as spans name it; null where it names none.'),
    column('currency', 'text', 'Currency of the invoice.'),
    column('paid_at', 'timestamp', 'Instant at which the invoice was settled (D53).'),
    column('charge_date', 'date', 'Day to which the charge belongs.'),
    column('service_month', 'date', 'First day of the month of service.'),
    column('amount_cents', 'integer', 'Amount less adjustments up to the payment, in original cents.'),
  ],
})
