import { sql, value } from '../../compiler/fragment.ts'
import { MOVEMENT_SOURCES, MOVEMENT_TYPES } from '../../core/enums.ts'
import { defineField, type Field } from '../field.ts'

/** Movement types in the order of answers (http-api.md 3.2). The last two are not movements; they complete the sums. */
export const MOVEMENT_ORDER: readonly string[] = [...MOVEMENT_TYPES, 'transfer', 'fx_effect']

/** Kind of movement. Every movement row has it as a key, so TypeScript groups and filters by it. */
export const MOVEMENT_TYPE_DIMENSION = defineField({
  key: 'movement_type',
  shows: 'totals',
  type: 'string',
  description:
    'new, expansion, contraction, churn or reactivation. Levels have no movement type, so mrr and arr are null if you use it.',
  constant: 'always',
  order: MOVEMENT_ORDER,
  values: MOVEMENT_ORDER,
  expression: () => null,
})

/** Component of a movement or of a level. A row of a level has a column for each component. */
export const MOVEMENT_SOURCE_DIMENSION = defineField({
  key: 'movement_source',
  shows: 'totals',
  type: 'string',
  description: 'Component of MRR: subscription or usage.',
  constant: 'always',
  values: MOVEMENT_SOURCES,
  expression: ({ fact }) => (fact === 'level' ? null : sql`fact.movement_source`),
})

/** Time of a movement, as a filter on movements only. */
export const OCCURRED_AT_FIELD = defineField({
  key: 'occurred_at',
  shows: 'totals',
  type: 'timestamp',
  description: 'Instant of the movement.',
  reads: ['mrr_movement'],
  constant: 'always',
  expression: () => sql`fact.occurred_at`,
})

/** Kind of churn. It has the same value in all rows of a figure. */
export function churnType(type: 'logo' | 'revenue'): Field {
  return defineField({
    key: 'churn_type',
    shows: 'totals',
    type: 'string',
    description: 'logo: the customer has no live subscription left. revenue: MRR was lost by a pause or an end.',
    constant: 'always',
    values: [type],
    expression: () => value(type, 'text'),
  })
}

const REASON = {
  key: 'cancel_reason',
  type: 'string',
  description: 'Recorded reason of the cancellation; null for a pause, for an expiry and without a reason.',
  reads: ['cancellation'],
} as const

/** Reason of a logo churn event: the reason of the newest cancellation at its instant (D46). */
export const LOGO_REASON_DIMENSION = defineField({
  ...REASON,
  joins: ['customer_cancellation'],
  expression: () => sql`customer_cancellation.cancel_reason`,
})

/** Reason of a churn movement: the reason of the cancellation that ended the subscription (D46). */
export const REVENUE_REASON_DIMENSION = defineField({
  ...REASON,
  joins: ['cancellation'],
  expression: () => sql`cancellation.cancel_reason`,
})

/** Time of a logo churn, as a filter on churn events only. */
export const CHURNED_AT_FIELD = defineField({
  key: 'occurred_at',
  shows: 'totals',
  type: 'timestamp',
  description: 'Instant of the churn event.',
  reads: ['mrr_movement'],
  constant: 'always',
  expression: () => sql`fact.churned_at`,
})
