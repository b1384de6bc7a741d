import { column, defineRelation, nullable } from './define-relation.ts'

/** When customers are live (D38 to D40). */
export const customerActivity = defineRelation({
  name: 'customer_activity',
  kind: 'derived',
  description:
    'One row per customer and maximal stretch [valid_from, valid_to) in which it is live, cut at the window. The first activity needs a window that begins before all spans.',
  grain: ['customer_key', 'valid_from'],
  has_window: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    nullable('currency', 'text', 'Currency of the customer.'),
    column('valid_from', 'timestamp', 'First instant of the stretch.'),
    nullable('valid_to', 'timestamp', 'First instant after the stretch; null while it is open.'),
    column('is_churn', 'boolean', 'The stretch ends in a logo churn event; not where everything went away by transfer.'),
  ],
})
