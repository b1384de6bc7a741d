import type { KnownAttribute } from '../../execution/session/attributes/known-attributes.ts'
import { attributeField } from '../../query/attributes.ts'
import { OPERATORS } from '../../query/condition.ts'
import type { Field, FieldType } from '../../query/field.ts'
import type { SegmentNames } from '../../query/segment-fields.ts'
import type { Warning } from '../../query/warning.ts'
import { type ExampleValue, enumeratedValues, exampleColumn } from './field-values.ts'

/** A field that a condition of a segment may name. */
export interface SegmentFieldEntry {
  readonly field: string
  readonly label: string
  readonly type: FieldType
  readonly operators: readonly string[]
  /** All values where they are few and fixed, else some that customers have; never what says who one of them is. */
  readonly examples: readonly ExampleValue[]
  /** Metrics that a segment with the field narrows. */
  readonly metrics: readonly string[]
}

/** The fields, by name; `partial` among the warnings where the side store could not be asked for its attributes. */
export interface SegmentFieldsAnswer {
  readonly data: readonly SegmentFieldEntry[]
  readonly meta: { readonly warnings: readonly Warning[] }
}

/** Values found in the data: by column of plans and customers, and by key of the attribute. */
export interface FoundExamples {
  readonly source: string
  readonly source_ids: readonly string[]
  readonly columns: ReadonlyMap<string, readonly string[]>
  readonly attributes: ReadonlyMap<string, readonly ExampleValue[]>
}

/** Every field that a segment may use (http-api.md 6.1), with the values found. */
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

function examplesOf(field: Field, { source, source_ids, columns }: FoundExamples): readonly ExampleValue[] {
  if (field.key === 'source') return [source]
  if (/(^|\.)source_id$/.test(field.key)) return source_ids
  return columns.get(exampleColumn(field) ?? '') ?? []
}
