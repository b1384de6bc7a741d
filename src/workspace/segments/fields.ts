import type { KnownAttribute } from '../../execution/session/attributes/known-attributes.ts'
import { attributeField } from '../../query/attributes.ts'
import { OPERATORS } from '../../query/condition.ts'
import type { Field, FieldType } from '../../query/field.ts'
import type { SegmentNames } from '../../query/segment-fields.ts'
import type { Warning } from '../../query/warning.ts'

/** A field that a condition of a segment may name. */
export interface SegmentFieldEntry {
  readonly field: string
  readonly label: string
  readonly type: FieldType
  readonly operators: readonly string[]
  /** All values if they are few and fixed, otherwise some values from the data. Never values that identify a person. */
  readonly examples: readonly ExampleValue[]
  /** Metrics that a segment with this field can filter. */
  readonly metrics: readonly string[]
}

/** The fields, by name. If the side store cannot be reached, its attributes are missing and the warnings contain `partial`. */
export interface SegmentFieldsAnswer {
  readonly data: readonly SegmentFieldEntry[]
  readonly meta: { readonly warnings: readonly Warning[] }
}

/** Values found in the data: by column of plans and customers, and by attribute key. */
export interface FoundExamples {
  readonly source: string
  readonly source_ids: readonly string[]
  readonly tenants: readonly string[]
  readonly columns: ReadonlyMap<string, readonly string[]>
  readonly attributes: ReadonlyMap<string, readonly ExampleValue[]>
}

/** Every field that a segment may use (http-api.md 6.1), with values from the data. */
export function segmentFieldEntries(
  { fields }: Pick<SegmentNames, 'fields'>,
  attributes: readonly KnownAttribute[],
  metrics: readonly string[],
  found: FoundExamples,
): readonly SegmentFieldEntry[] {
  const entry = (field: Field, examples: readonly ExampleValue[]): SegmentFieldEntry => {
    const { key, label, type } = field
    return { field: key, label, type, operators: OPERATORS[type], examples: enumeratedValues(field) ?? examples, metrics }
  }
  return [
    ...[...fields.values()].map(({ field }) => entry(field, examplesOf(field, found))),
    ...attributes.map((attribute) => entry(attributeField(attribute), found.attributes.get(attribute.key) ?? [])),
  ].sort((a, b) => (a.field < b.field ? -1 : 1))
}

function examplesOf(field: Field, { source, source_ids, tenants, columns }: FoundExamples): readonly ExampleValue[] {
  if (field.key === 'source') return [source]
  if (/(^|\.)source_id$/.test(field.key)) return source_ids
  if (/(^|\.)tenant$/.test(field.key)) return tenants
  return columns.get(exampleColumn(field) ?? '') ?? []
}

/** A value that a condition may name. */
export type ExampleValue = string | number | boolean

/** Columns of plans and customers whose values serve as examples, by field name. */
const SHOWN = {
  plan_id: 'plan_id',
  plan_name: 'plan_name',
  billing_period: 'billing_period',
  product_name: 'product_name',
  product_category: 'product_category',
  customer_country: 'customer_country',
  country: 'customer_country',
  currency: 'currency',
  locale: 'locale',
  time_zone: 'time_zone',
} as const

/** All values of the field, if they are few and fixed. */
function enumeratedValues({ values, type }: Field): readonly ExampleValue[] | undefined {
  if (type === 'boolean') return [true, false]
  return values.length > 0 ? values : undefined
}

/**
 * The column of plans or customers that supplies examples for the field. Undefined if its values identify a person or are too
 * expensive to read.
 */
function exampleColumn({ key }: Field): string | undefined {
  const name = lastName(key)
  return Object.hasOwn(SHOWN, name) ? SHOWN[name as keyof typeof SHOWN] : undefined
}

function lastName(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1)
}
