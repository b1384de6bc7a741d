import { type Fragment, sql } from '../compiler/fragment.ts'
import { RUNNING_STATUSES } from '../core/enums.ts'
import { attributeKeyOf } from './attributes.ts'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, CUSTOMER_FIELDS, TENURE_DIMENSION } from './dimensions/customer.ts'
import { BAND_DIMENSIONS, PENDING_CANCELLATION_DIMENSION } from './dimensions/level.ts'
import { PHASE_DIMENSION, PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from './dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS, withTenantNames } from './dimensions/source.ts'
import { defineField, type Field, WHOLE_NUMBERS } from './field.ts'
import type { SegmentField } from './segment.ts'

/** Names in conditions of segments: fixed fields, and attributes by key without `attr.`. */
export interface SegmentNames {
  readonly fields: ReadonlyMap<string, SegmentField>
  readonly attributes: ReadonlyMap<string, Field>
}

const COMPUTED = ['mrr_band', 'arr_band', 'tenure_months', 'cohort_month', 'customer_created_month']

const CUSTOMER_CURRENCY = defineField({
  ...CURRENCY_DIMENSION,
  description: 'Currency of the account.',
  joins: ['customer'],
  reads: ['customer.currency'],
  expression: () => sql`customer.currency`,
})

const OF_CUSTOMER: readonly Field[] = [
  ...SOURCE_DIMENSIONS,
  CUSTOMER_CURRENCY,
  ...CUSTOMER_DIMENSIONS,
  ...COHORT_DIMENSIONS,
  TENURE_DIMENSION,
  ...SUBSCRIPTION_DIMENSIONS.filter(({ key }) => key === 'collection_method'),
]

const OF_SPAN: readonly Field[] = [
  ...PLAN_DIMENSIONS,
  ...SUBSCRIPTION_DIMENSIONS.filter(({ key }) => key !== 'collection_method'),
  PHASE_DIMENSION,
  PENDING_CANCELLATION_DIMENSION,
  ...BAND_DIMENSIONS,
]

type Rest = Partial<Pick<Field, 'type' | 'joins' | 'reads' | 'isUpperCase' | 'values' | 'possible'>>

function own(name: string, description: string, expression: Fragment, rest: Rest = {}): Field {
  return defineField({ key: `subscription.${name}`, type: 'string', description, expression: () => expression, ...rest })
}

function same(field: Field): Field {
  return defineField({ ...field, shows: 'customers', key: `subscription.${field.key}` })
}

const CUSTOMER: Rest = { joins: ['customer'] }
const RECORD: Rest = { joins: ['subscription'] }
const LIFE: Rest = { joins: ['life'], reads: ['subscription_life'], type: 'timestamp' }
const TRIAL: Rest = { joins: ['life', 'trial'], reads: ['subscription_life', 'trial'], type: 'timestamp' }

/**
 * `subscription.X` fields of segments (http-api.md 6.1), evaluated on a span. Values of the span are those at its instant; values of the
 * subscription are current.
 */
const SUBSCRIPTION_FIELDS: readonly Field[] = [
  own('id', 'Id of the subscription.', sql`fact.subscription_id`),
  own('source_id', 'Tenant of the engine.', sql`customer.source_id`, CUSTOMER),
  own('tenant', 'Name of the tenant of the engine.', sql`tenant.tenant_name`, { joins: ['customer', 'tenant'] }),
  own('external_key', 'Key of the subscription.', sql`subscription.external_key`, RECORD),
  own('bundle_external_key', 'Key of the bundle.', sql`subscription.bundle_external_key`, RECORD),
  own('customer_id', 'Id of the account.', sql`customer.customer_id`, CUSTOMER),
  own('customer_name', 'Name of the account.', sql`customer.customer_name`, CUSTOMER),
  own('status', 'Status: trialing, active or paused.', sql`fact.status`, { values: RUNNING_STATUSES }),
  own('quantity', 'Agreed quantity.', sql`fact.quantity`, { type: 'number', possible: WHOLE_NUMBERS }),
  own('currency', 'Currency of the subscription.', sql`fact.currency`, { isUpperCase: true }),
  ...[...PLAN_DIMENSIONS, ...SUBSCRIPTION_DIMENSIONS, PHASE_DIMENSION, PENDING_CANCELLATION_DIMENSION]
    .filter(({ key }) => key !== 'pricing_model' && key !== 'usage_type')
    .map(same),
  own('created_at', 'Time when the subscription was recorded.', sql`subscription.created_at`, { ...RECORD, type: 'timestamp' }),
  own(
    'charged_through',
    'Day on which the last invoiced period ends, a local day of the customer.',
    sql`subscription.charged_through_on`,
    {
      ...RECORD,
      type: 'date',
    },
  ),
  own('started_at', 'Start of the subscription.', sql`life.started_at`, LIFE),
  own('ended_at', 'End of the subscription; empty if it has not ended.', sql`life.ended_at`, LIFE),
  own('trial_start', 'Start of the trial.', sql`trial.started_at`, TRIAL),
  own(
    'trial_end',
    'End of the trial, or its planned end.',
    sql`case when trial.subscription_id is not null then coalesce(trial.converted_at, trial.expired_at, life.next_change_at) end`,
    TRIAL,
  ),
  own('canceled_at', 'Time when the cancellation was requested.', sql`subscription.cancel_requested_at`, {
    ...RECORD,
    type: 'timestamp',
  }),
  defineField({
    key: 'subscription.cancel_at',
    type: 'timestamp',
    description: 'Time when a requested cancellation takes effect.',
    joins: PENDING_CANCELLATION_DIMENSION.joins,
    reads: PENDING_CANCELLATION_DIMENSION.reads,
    expression: (context) =>
      sql`case when (${PENDING_CANCELLATION_DIMENSION.expression(context) ?? sql`false`}) = true then subscription.cancel_at end`,
  }),
  own('cancel_reason', 'Recorded reason of the cancellation.', sql`reason.cancel_reason`, {
    joins: ['subscription', 'life', 'reason'],
    reads: ['subscription_life', 'cancellation'],
  }),
]

const FIELDS: ReadonlyMap<string, SegmentField> = new Map([
  ...onLevel('customer', [...OF_CUSTOMER, ...computed(OF_CUSTOMER), ...CUSTOMER_FIELDS]),
  ...onLevel('span', [...OF_SPAN, ...computed(OF_SPAN), ...SUBSCRIPTION_FIELDS]),
])

/** Fixed fields of segments (http-api.md 6.1) that the connector supplies. Fields of tenants accept only these names, if given. */
export function segmentFields(
  isSupplied: (field: Field) => boolean,
  tenants?: readonly string[],
): ReadonlyMap<string, SegmentField> {
  const supplied = [...FIELDS].filter(([, { field }]) => isSupplied(field))
  return new Map(supplied.map(([key, { level, field }]) => [key, { level, field: withTenantNames(field, tenants) }]))
}

/** The field with this name; undefined for an unknown name. */
export function segmentField({ fields, attributes }: SegmentNames, name: string): SegmentField | undefined {
  const key = attributeKeyOf(name)
  if (key === undefined) return fields.get(name)
  const field = attributes.get(key)
  return field === undefined ? undefined : { level: 'attribute', field }
}

function onLevel(level: SegmentField['level'], fields: readonly Field[]): readonly (readonly [string, SegmentField])[] {
  return fields.map((field) => [field.key, { level, field }])
}

function computed(fields: readonly Field[]): readonly Field[] {
  return fields
    .filter(({ key }) => COMPUTED.includes(key))
    .map((field) => defineField({ ...field, shows: 'customers', key: `computed.${field.key}` }))
}
