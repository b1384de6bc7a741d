import type { AttributeDefinition } from '../core/attribute.ts'
import type { MetricDefinition } from '../metrics/define-metric.ts'
import { attributeField } from '../query/attribute-field.ts'
import type { Field } from '../query/field.ts'
import { filterableFields, groupableFields } from '../query/offer.ts'
import { OPERATORS } from '../query/operators.ts'
import type { MetricFields } from './answers.ts'
import { type CapabilityOf, offerOf } from './capability.ts'

/** Discovery of a metric: what its queries offer under this connector, each list sorted by key (http-api.md 2). */
export function fieldsOfMetric(
  definition: MetricDefinition,
  capabilityOf: CapabilityOf,
  attributes: readonly AttributeDefinition[],
): MetricFields {
  const offers = Object.entries(definition.queries).map(([name, query]) => ({ name, offer: offerOf(query.offer, capabilityOf) }))
  const offered = offers.flatMap(({ name, offer }) => groupableFields(offer, true).map((field) => ({ name, field })))
  const dimensions = uniqueByKey(offered.map(({ field }) => field)).map((field) => ({
    key: field.key,
    label: field.label,
    type: field.type,
    queries: offered
      .filter((entry) => entry.field.key === field.key)
      .map((entry) => entry.name)
      .sort(),
  }))
  const filters = uniqueByKey([
    ...offers.flatMap(({ offer }) => filterableFields(offer, true)),
    ...attributes.map(attributeField),
  ])
  return {
    dimensions,
    time_dimensions: uniqueByKey(definition.time_fields).map(({ key, label }) => ({ key, label })),
    attributes: attributes.map(attributeEntry).sort((a, b) => (a.key < b.key ? -1 : 1)),
    filters: filters.map(({ key, label, type }) => ({ key, label, type, operators: OPERATORS[type] })),
    query_types: Object.keys(definition.queries).sort(),
  }
}

function attributeEntry(definition: AttributeDefinition): MetricFields['attributes'][number] {
  const { key, label, type } = attributeField(definition)
  const { source, description } = definition
  return { key, label, type, source, ...(description === null ? {} : { description }) }
}

/** True when the metric is about customers, so that attributes of theirs narrow it. */
export function hasCustomers({ queries }: MetricDefinition): boolean {
  return Object.values(queries).some(({ offer }) => offer.compare !== 'none')
}

function uniqueByKey(fields: readonly Field[]): readonly Field[] {
  const byKey = new Map(fields.map((field) => [field.key, field]))
  return [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}
