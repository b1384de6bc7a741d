import { sql, value } from '../../compiler/fragment.ts'
import { defineField, type Field } from '../field.ts'

/** What is counted as churn; each figure has only its own value. */
export function churnType(type: 'logo' | 'revenue'): Field {
  return defineField({
    key: 'churn_type',
    type: 'string',
    description: 'logo: the customer has no live subscription left; revenue: MRR lost by a pause or an end.',
    constant: 'always',
    expression: () => value(type, 'text'),
  })
}

const REASON = {
  key: 'cancel_reason',
  type: 'string',
  description: 'Reason of the cancellation as recorded; null for a pause, an expiry and where nobody gave one.',
  reads: ['cancellation'],
} as const

/** Reason of a logo churn event: that of the newest cancellation at its instant (D46). */
export const LOGO_REASON_DIMENSION = defineField({
  ...REASON,
  joins: ['customer_cancellation'],
  expression: () => sql`customer_cancellation.cancel_reason`,
})

/** Reason of a churn movement: that of the cancellation that ended the subscription (D46). */
export const REVENUE_REASON_DIMENSION = defineField({
  ...REASON,
  joins: ['cancellation'],
  expression: () => sql`cancellation.cancel_reason`,
})

/** When a customer churned; narrows logo churn events and nothing else. */
export const CHURNED_AT_FIELD = defineField({
  key: 'occurred_at',
  type: 'timestamp',
  description: 'Instant of the churn event.',
  reads: ['mrr_movement'],
  constant: 'always',
  expression: () => sql`fact.churned_at`,
})
