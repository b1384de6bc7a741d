import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, CUSTOMER_FIELDS, TENURE_DIMENSION } from '../../query/dimensions/customer.ts'
import { BAND_DIMENSIONS, PENDING_CANCELLATION_DIMENSION } from '../../query/dimensions/level.ts'
import { MOVEMENT_SOURCE_DIMENSION, MOVEMENT_TYPE_DIMENSION, OCCURRED_AT_FIELD } from '../../query/dimensions/movement.ts'
import { PHASE_DIMENSION, PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import type { Field } from '../../query/field.ts'
import { type QueryInputs, RANGE_INPUTS } from '../../query/inputs.ts'

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

/** Inputs of levels, on a day or as a series. */
export const LEVEL: QueryInputs = {
  ...RANGE_INPUTS,
  dates: 'point_or_range',
  step: 'interval',
  dimensions: [...SHARED, PENDING_CANCELLATION_DIMENSION, ...BAND_DIMENSIONS],
  can_group: true,
  filter_fields: CUSTOMER_FIELDS,
  compare: 'rows',
  own_parameters: ['forecast'],
}

/** Inputs of movements by type. */
export const BREAKDOWN: QueryInputs = {
  ...LEVEL,
  dates: 'range',
  step: 'granularity',
  dimensions: [...SHARED, MOVEMENT_TYPE_DIMENSION],
  time_fields: [OCCURRED_AT_FIELD],
}

/** Inputs of the explanation of a change. */
export const WHY: QueryInputs = {
  ...RANGE_INPUTS,
  dimensions: SHARED,
  filter_fields: CUSTOMER_FIELDS,
  compare: 'union',
  own_parameters: ['limit'],
}
