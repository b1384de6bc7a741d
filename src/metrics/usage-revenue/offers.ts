import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, TENURE_DIMENSION } from '../../query/dimensions/customer.ts'
import { CUSTOMER_FIELDS } from '../../query/dimensions/customer-fields.ts'
import { PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import { onSpan } from '../../query/dimensions/span-facts.ts'
import { PERIOD_START_FIELD } from '../../query/dimensions/usage.ts'
import type { QueryOffer } from '../../query/offer.ts'

const TOTAL: QueryOffer = {
  dates: 'range',
  step: 'granularity',
  dimensions: [
    ...SOURCE_DIMENSIONS,
    CURRENCY_DIMENSION,
    ...CUSTOMER_DIMENSIONS,
    ...COHORT_DIMENSIONS,
    TENURE_DIMENSION,
    ...PLAN_DIMENSIONS.map(onSpan),
    ...SUBSCRIPTION_DIMENSIONS.map((field) => (field.key === 'price_list' ? onSpan(field) : field)),
  ],
  series_dimensions: [],
  key_columns: [],
  can_group: true,
  time_fields: [PERIOD_START_FIELD],
  filter_fields: CUSTOMER_FIELDS,
  compare: 'rows',
  own_parameters: [],
}

/** What each query of usage revenue accepts (http-api.md sections 3.5 and 4). */
export const OFFERS = {
  total: TOTAL,
  series: { ...TOTAL, step: 'interval' },
  by_customer: { ...TOTAL, key_columns: ['customer_id', 'customer_name'] },
} as const satisfies Record<string, QueryOffer>
