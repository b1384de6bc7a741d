import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, TENURE_DIMENSION } from '../../query/dimensions/customer.ts'
import { CUSTOMER_FIELDS } from '../../query/dimensions/customer-fields.ts'
import { BAND_DIMENSIONS, PENDING_CANCELLATION_DIMENSION } from '../../query/dimensions/level.ts'
import { MOVEMENT_SOURCE_DIMENSION, MOVEMENT_TYPE_DIMENSION, OCCURRED_AT_FIELD } from '../../query/dimensions/movement.ts'
import { PHASE_DIMENSION, PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import type { Field } from '../../query/field.ts'
import type { QueryOffer } from '../../query/offer.ts'

const SHARED: readonly Field[] = [
  ...SOURCE_DIMENSIONS,
  CURRENCY_DIMENSION,
  ...CUSTOMER_DIMENSIONS,
  ...COHORT_DIMENSIONS,
  TENURE_DIMENSION,
  ...PLAN_DIMENSIONS,
  ...SUBSCRIPTION_DIMENSIONS,
  PHASE_DIMENSION,
  MOVEMENT_SOURCE_DIMENSION,
]

const LEVEL: QueryOffer = {
  dates: 'point_or_range',
  step: 'interval',
  dimensions: [...SHARED, PENDING_CANCELLATION_DIMENSION, ...BAND_DIMENSIONS],
  series_dimensions: [],
  key_columns: [],
  can_group: true,
  time_fields: [],
  filter_fields: CUSTOMER_FIELDS,
  compare: 'rows',
  own_parameters: [],
}

/** What each query of the MRR family accepts (http-api.md sections 3.2 and 4). */
export const OFFERS = {
  current: LEVEL,
  series: { ...LEVEL, dates: 'series', series_dimensions: [MOVEMENT_TYPE_DIMENSION] },
  arr: { ...LEVEL, series_dimensions: [MOVEMENT_TYPE_DIMENSION] },
  components: LEVEL,
  waterfall: { ...LEVEL, dates: 'range' },
  breakdown: {
    ...LEVEL,
    dates: 'range',
    step: 'granularity',
    dimensions: [...SHARED, MOVEMENT_TYPE_DIMENSION],
    key_columns: ['movement_type'],
    time_fields: [OCCURRED_AT_FIELD],
  },
} as const satisfies Record<string, QueryOffer>
