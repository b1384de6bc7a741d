import { column, defineRelation, nullable } from './define-relation.ts'

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
