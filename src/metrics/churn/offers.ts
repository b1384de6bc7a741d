import { CHURNED_AT_FIELD, churnType, LOGO_REASON_DIMENSION, REVENUE_REASON_DIMENSION } from '../../query/dimensions/churn.ts'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, TENURE_DIMENSION } from '../../query/dimensions/customer.ts'
import { CUSTOMER_FIELDS } from '../../query/dimensions/customer-fields.ts'
import { MOVEMENT_SOURCE_DIMENSION, OCCURRED_AT_FIELD } from '../../query/dimensions/movement.ts'
import { PHASE_DIMENSION, PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import type { Field } from '../../query/field.ts'
import type { QueryOffer } from '../../query/offer.ts'

const CUSTOMER_LEVEL: readonly Field[] = [
  ...SOURCE_DIMENSIONS,
  CURRENCY_DIMENSION,
  ...CUSTOMER_DIMENSIONS,
  ...COHORT_DIMENSIONS,
  TENURE_DIMENSION,
]

const LOGO: QueryOffer = {
  dates: 'range',
  step: 'granularity',
  dimensions: [...CUSTOMER_LEVEL, churnType('logo'), LOGO_REASON_DIMENSION],
  series_dimensions: [],
  key_columns: [],
  can_group: true,
  time_fields: [CHURNED_AT_FIELD],
  filter_fields: CUSTOMER_FIELDS,
  compare: 'rows',
  own_parameters: ['type'],
}

const REVENUE: QueryOffer = {
  ...LOGO,
  dimensions: [
    ...CUSTOMER_LEVEL,
    ...PLAN_DIMENSIONS,
    ...SUBSCRIPTION_DIMENSIONS,
    PHASE_DIMENSION,
    MOVEMENT_SOURCE_DIMENSION,
    churnType('revenue'),
    REVENUE_REASON_DIMENSION,
  ],
  time_fields: [OCCURRED_AT_FIELD],
}

/** What each query of churn accepts (http-api.md sections 3.3 and 4). */
export const OFFERS = {
  logo: LOGO,
  revenue: REVENUE,
  detail: { ...LOGO, step: 'none', can_group: false, compare: 'union' },
  revenue_events: { ...REVENUE, step: 'none', can_group: false, compare: 'union' },
} as const satisfies Record<string, QueryOffer>

/** Fields that split and narrow the numerator only (http-api.md 1.6). */
export function isEventField(field: Field): boolean {
  return ['churn_type', 'cancel_reason', 'occurred_at'].includes(field.key)
}
