import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, TENURE_DIMENSION } from '../../query/dimensions/customer.ts'
import { CUSTOMER_FIELDS } from '../../query/dimensions/customer-fields.ts'
import { PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import { onSpan } from '../../query/dimensions/span-facts.ts'
import { TRIAL_TIME_FIELDS } from '../../query/dimensions/trial.ts'
import type { QueryOffer } from '../../query/offer.ts'

const FUNNEL: QueryOffer = {
  dates: 'range',
  step: 'granularity',
  dimensions: [
    ...SOURCE_DIMENSIONS,
    ...CUSTOMER_DIMENSIONS,
    ...COHORT_DIMENSIONS,
    onSpan(TENURE_DIMENSION),
    ...PLAN_DIMENSIONS.map(onSpan),
    ...SUBSCRIPTION_DIMENSIONS.map((field) => (field.key === 'price_list' ? onSpan(field) : field)),
  ],
  series_dimensions: [],
  key_columns: [],
  can_group: true,
  time_fields: TRIAL_TIME_FIELDS,
  filter_fields: CUSTOMER_FIELDS,
  compare: 'rows',
  own_parameters: [],
}

/** What each query of trials accepts (http-api.md sections 3.5 and 4). */
export const OFFERS = {
  conversion_rate: FUNNEL,
  funnel: FUNNEL,
  series: { ...FUNNEL, step: 'interval' },
} as const satisfies Record<string, QueryOffer>
