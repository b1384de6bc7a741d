import { sql } from '../compiler/fragment.ts'
import { attributeKeyOf } from './attribute-field.ts'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, TENURE_DIMENSION } from './dimensions/customer.ts'
import { CUSTOMER_FIELDS } from './dimensions/customer-fields.ts'
import { BAND_DIMENSIONS, PENDING_CANCELLATION_DIMENSION } from './dimensions/level.ts'
import { PHASE_DIMENSION, PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from './dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from './dimensions/source.ts'
import { SUBSCRIPTION_FIELDS } from './dimensions/subscription-fields.ts'
import { defineField, type Field } from './field.ts'
import type { SegmentField } from './segment.ts'

/** The names that a condition of a segment may use: fixed fields, and attributes by their key without `attr.`. */
export interface SegmentNames {
  readonly fields: ReadonlyMap<string, SegmentField>
  readonly attributes: ReadonlyMap<string, Field>
}

const COMPUTED = ['mrr_band', 'arr_band', 'tenure_months', 'cohort_month', 'customer_created_month']

const CUSTOMER_CURRENCY = defineField({
  ...CURRENCY_DIMENSION,
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

const FIELDS: ReadonlyMap<string, SegmentField> = new Map([
  ...onLevel('customer', [...OF_CUSTOMER, ...computed(OF_CUSTOMER), ...CUSTOMER_FIELDS]),
  ...onLevel('span', [...OF_SPAN, ...computed(OF_SPAN), ...SUBSCRIPTION_FIELDS]),
])

/** Fixed fields of segments (http-api.md 6.1), those that the connector supplies. */
export function segmentFields(isSupplied: (field: Field) => boolean): ReadonlyMap<string, SegmentField> {
  return new Map([...FIELDS].filter(([, { field }]) => isSupplied(field)))
}

/** The field of that name; undefined where nothing has it. */
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
    .map((field) => defineField({ ...field, key: `computed.${field.key}` }))
}
