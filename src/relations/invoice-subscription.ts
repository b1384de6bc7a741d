import { column, defineRelation } from './define-relation.ts'

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
