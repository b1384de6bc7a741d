import { column, defineRelation, nullable } from './define-relation.ts'

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
