import type { AttributeDefinition } from '../core/attribute.ts'
import type { Answer } from '../execution/answer/answer.ts'
import { type CapabilityOf, missingFor, offerOf } from '../execution/plan/capability.ts'
import type { MetricDefinition } from '../metrics/define-metric.ts'
import { answersNumber } from '../metrics/define-query.ts'
import { type DiscoveredFigure, figuresOf } from '../metrics/figures.ts'
import { attributeField, groupsByAttributes } from '../query/attributes.ts'
import { OPERATORS } from '../query/condition.ts'
import type { Field, FieldType } from '../query/field.ts'
import { filterableFields, groupableFields } from '../query/inputs.ts'

/** The fields of a metric. The warning `partial` means that the attributes in the store could not be read. */
export interface FieldsAnswer {
  readonly data: MetricFields
  readonly meta: Pick<Answer['meta'], 'warnings'>
}

export interface MetricFields {
  readonly dimensions: readonly {
    readonly key: string
    readonly label: string
    readonly type: FieldType
    readonly queries: readonly string[]
  }[]
  readonly time_dimensions: readonly { readonly key: string; readonly label: string }[]
  readonly attributes: readonly {
    readonly key: string
    readonly label: string
    readonly type: FieldType
    readonly source: string
    readonly description?: string
    /** Queries that can be grouped by this attribute. */
    readonly queries: readonly string[]
  }[]
  readonly filters: readonly {
    readonly key: string
    readonly label: string
    readonly type: FieldType
    readonly operators: readonly string[]
  }[]
  readonly query_types: readonly string[]
  /** The queries that answer one number: of a day, or of a range. A bridge takes them. */
  readonly numbers: readonly { readonly query_type: string; readonly dates: 'day' | 'range' }[]
  /** The figures that menus and searches offer, in their order. */
  readonly figures: readonly DiscoveredFigure[]
}

/** The queries of a metric that this connector answers, each with what it offers. */
export function offersOf(definition: MetricDefinition, capabilityOf: CapabilityOf) {
  return Object.entries(definition.queries)
    .filter(([, query]) => missingFor(definition, query, capabilityOf).length === 0)
    .map(([name, query]) => ({ name, query, inputs: offerOf(query.inputs, capabilityOf) }))
}

/** Discovery of a metric: the fields of its queries with this connector, each list sorted by key (http-api.md 2). */
export function fieldsOfMetric(
  definition: MetricDefinition,
  capabilityOf: CapabilityOf,
  attributes: readonly AttributeDefinition[],
): MetricFields {
  const offers = offersOf(definition, capabilityOf)
  const offered = offers.flatMap(({ name, inputs }) => groupableFields(inputs, true).map((field) => ({ name, field })))
  const dimensions = uniqueByKey(offered.map(({ field }) => field)).map((field) => ({
    key: field.key,
    label: field.label,
    type: field.type,
    queries: offered
      .filter((entry) => entry.field.key === field.key)
      .map((entry) => entry.name)
      .sort(),
  }))
  const queries = offers.flatMap(({ name, inputs }) => (groupsByAttributes(inputs, true) ? [name] : [])).sort()
  const filters = uniqueByKey([
    ...offers.flatMap(({ inputs }) => filterableFields(inputs, true)),
    ...attributes.map(attributeField),
  ])
  return {
    dimensions,
    time_dimensions: uniqueByKey(definition.time_fields).map(({ key, label }) => ({ key, label })),
    attributes: attributes
      .map((definition) => ({ ...attributeEntry(definition), queries }))
      .sort((a, b) => (a.key < b.key ? -1 : 1)),
    filters: filters.map(({ key, label, type }) => ({ key, label, type, operators: OPERATORS[type] })),
    query_types: offers.map(({ name }) => name).sort(),
    numbers: offers
      .filter(({ query }) => answersNumber(query))
      .map(({ name, query: { inputs } }) => ({
        query_type: name,
        dates: inputs.dates === 'point_or_range' ? ('day' as const) : ('range' as const),
      }))
      .sort((a, b) => (a.query_type < b.query_type ? -1 : 1)),
    figures: figuresOf(definition)
      .filter(({ query_type }) => offers.some(({ name }) => name === query_type))
      .toSorted((a, b) => a.place - b.place),
  }
}

/** The fields of the metric by which a caller with the scope `read:aggregate` may group and filter. */
export function aggregateFields(definition: MetricDefinition, fields: MetricFields): MetricFields {
  const all = [
    ...definition.time_fields,
    ...Object.values(definition.queries).flatMap(({ inputs }) => filterableFields(inputs, true)),
  ]
  const isOpen = (name: string) => {
    const own = all.filter(({ key }) => key === name)
    return own.length > 0 && own.every(({ shows }) => shows === 'totals')
  }
  const open = <Entry extends { readonly key: string }>(entries: readonly Entry[]) => entries.filter(({ key }) => isOpen(key))
  return {
    dimensions: open(fields.dimensions),
    time_dimensions: open(fields.time_dimensions),
    attributes: [],
    filters: open(fields.filters),
    query_types: fields.query_types,
    numbers: fields.numbers,
    figures: fields.figures.filter(({ query_type }) => definition.queries[query_type]?.shows === 'totals'),
  }
}

function attributeEntry(definition: AttributeDefinition): Omit<MetricFields['attributes'][number], 'queries'> {
  const { key, label, type } = attributeField(definition)
  const { source, description } = definition
  return { key, label, type, source, ...(description === null ? {} : { description }) }
}

/** True if the metric is about customers, so that attributes can filter it. */
export function hasCustomers({ queries }: MetricDefinition): boolean {
  return Object.values(queries).some(({ inputs }) => inputs.compare !== 'none')
}

function uniqueByKey(fields: readonly Field[]): readonly Field[] {
  const byKey = new Map(fields.map((field) => [field.key, field]))
  return [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}
