import { sql } from '../../compiler/fragment.ts'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, TENURE_DIMENSION } from '../../query/dimensions/customer.ts'
import { CUSTOMER_FIELDS } from '../../query/dimensions/customer-fields.ts'
import { BAND_DIMENSIONS, PENDING_CANCELLATION_DIMENSION } from '../../query/dimensions/level.ts'
import { PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import { defineField, type Field } from '../../query/field.ts'
import type { QueryOffer } from '../../query/offer.ts'

/** When an invoice was paid; narrows the revenue of cohorts and nothing else. */
export const PAID_AT_FIELD = defineField({
  key: 'paid_at',
  type: 'timestamp',
  description: 'Instant at which the invoice was paid.',
  reads: ['invoice'],
  constant: 'always',
  expression: () => sql`fact.paid_at`,
})

/** Cohort of cohort LTV: the first month with MRR, not that of first activity (D51). */
export const PAYING_COHORT_FIELD = defineField({
  key: 'cohort_month',
  type: 'date',
  description: 'UTC month in which the customer first had MRR.',
  constant: 'always',
  expression: () => sql`fact.first_month`,
})

const WHO: readonly Field[] = [...SOURCE_DIMENSIONS, CURRENCY_DIMENSION, ...CUSTOMER_DIMENSIONS]

const SIMPLE: QueryOffer = {
  dates: 'range_and_at',
  step: 'none',
  dimensions: [...WHO, ...COHORT_DIMENSIONS],
  series_dimensions: [],
  key_columns: [],
  can_group: true,
  time_fields: [],
  filter_fields: CUSTOMER_FIELDS,
  compare: 'rows',
  own_parameters: [],
}

/** What each query of ltv accepts (http-api.md sections 3.5 and 4). */
export const OFFERS = {
  simple: SIMPLE,
  arpu: {
    ...SIMPLE,
    dates: 'point_or_range',
    step: 'interval',
    dimensions: [
      ...WHO,
      ...COHORT_DIMENSIONS,
      TENURE_DIMENSION,
      ...PLAN_DIMENSIONS,
      ...SUBSCRIPTION_DIMENSIONS,
      PENDING_CANCELLATION_DIMENSION,
      ...BAND_DIMENSIONS,
    ],
  },
  cohort: {
    ...SIMPLE,
    dates: 'range',
    dimensions: [...WHO, PAYING_COHORT_FIELD, ...COHORT_DIMENSIONS.filter(({ key }) => key !== 'cohort_month')],
    key_columns: ['cohort_month'],
    time_fields: [PAID_AT_FIELD],
    compare: 'union',
    own_parameters: ['per_segment'],
  },
} as const satisfies Record<string, QueryOffer>
