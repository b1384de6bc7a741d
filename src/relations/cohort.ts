import { column, defineRelation } from './define-relation.ts'

/** First activity of each customer (D38, D47). */
export const cohort = defineRelation({
  name: 'cohort',
  kind: 'derived',
  description: 'One row per customer that was ever live. Needs a window that begins before all spans.',
  grain: ['customer_key'],
  has_window: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('first_active_at', 'timestamp', 'First instant at which a subscription was live.'),
    column('cohort_month', 'date', 'UTC month of that instant.'),
  ],
})
