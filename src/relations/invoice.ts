import { column, defineRelation } from './define-relation.ts'

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
