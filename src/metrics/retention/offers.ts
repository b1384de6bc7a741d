import { sql } from '../../compiler/fragment.ts'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, TENURE_DIMENSION } from '../../query/dimensions/customer.ts'
import { CUSTOMER_FIELDS } from '../../query/dimensions/customer-fields.ts'
import { PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import { defineField, type Field } from '../../query/field.ts'
import type { QueryOffer } from '../../query/offer.ts'

/** Cohort of the matrix itself: a key column, and a filter. */
export const MATRIX_COHORT_FIELD = defineField({
  key: 'cohort_month',
  type: 'date',
  description: 'UTC month in which the customer was first live.',
  constant: 'always',
  expression: () => sql`fact.cohort_month`,
})

const WHO: readonly Field[] = [...SOURCE_DIMENSIONS, ...CUSTOMER_DIMENSIONS]

const RATIO: QueryOffer = {
  dates: 'range',
  step: 'granularity',
  dimensions: [
    ...WHO,
    CURRENCY_DIMENSION,
    ...COHORT_DIMENSIONS,
    TENURE_DIMENSION,
    ...PLAN_DIMENSIONS,
    ...SUBSCRIPTION_DIMENSIONS,
  ],
  series_dimensions: [],
  key_columns: [],
  can_group: true,
  time_fields: [],
  filter_fields: CUSTOMER_FIELDS,
  compare: 'rows',
  own_parameters: ['query_type'],
}

/** What each query of retention accepts (http-api.md sections 3.4 and 4). */
export const OFFERS = {
  cohort_matrix: {
    ...RATIO,
    step: 'none',
    dimensions: [...WHO, MATRIX_COHORT_FIELD, ...COHORT_DIMENSIONS.filter(({ key }) => key !== 'cohort_month')],
    key_columns: ['cohort_month'],
    compare: 'union',
    own_parameters: ['query_type', 'per_segment'],
  },
  nrr: RATIO,
  grr: RATIO,
  /** What the path takes that stands for all three. */
  route: { ...RATIO, own_parameters: ['query_type', 'per_segment'] },
} as const satisfies Record<string, QueryOffer>
