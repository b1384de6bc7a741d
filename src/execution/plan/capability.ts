import type { CapabilityOf } from '../../connector-kit/capabilities.ts'
import type { Definitions } from '../../core/definitions.ts'
import { AppError } from '../../core/errors.ts'
import type { MetricDefinition, MetricQuery } from '../../metrics/define-metric.ts'
import type { Field } from '../../query/field.ts'
import type { QueryInputs } from '../../query/inputs.ts'
import type { Warning } from '../../query/warning.ts'

export { type CapabilityOf, capabilitiesOf } from '../../connector-kit/capabilities.ts'

/** The inputs of a query without the fields that the connector lacks. */
export function offerOf(inputs: QueryInputs, capabilityOf: CapabilityOf): QueryInputs {
  const keep = (fields: readonly Field[]) =>
    fields.filter((field) => field.reads.every((name) => capabilityOf(name) !== 'absent'))
  return {
    ...inputs,
    dimensions: keep(inputs.dimensions),
    series_dimensions: keep(inputs.series_dimensions),
    time_fields: keep(inputs.time_fields),
    filter_fields: keep(inputs.filter_fields),
  }
}

/** The relations that a query needs. */
export function neededBy(
  { reads }: Pick<MetricDefinition, 'reads'>,
  query: Pick<MetricQuery, 'reads'> | undefined,
): readonly string[] {
  return [...new Set([...reads, ...(query?.reads ?? [])])]
}

/** The relations that a query needs and the connector lacks. */
export function missingFor(
  { reads }: Pick<MetricDefinition, 'reads'>,
  query: Pick<MetricQuery, 'reads'>,
  capabilityOf: CapabilityOf,
): readonly string[] {
  return neededBy({ reads }, query).filter((name) => capabilityOf(name) === 'absent')
}

/** AppError `unsupported_by_connector` if the connector cannot supply any query of the metric. */
export function checkSupported(definition: MetricDefinition, connector: string, capabilityOf: CapabilityOf): void {
  const missing = Object.values(definition.queries).map((query) => missingFor(definition, query, capabilityOf))
  if (missing.every((names) => names.length > 0)) throw unsupported(definition.name, connector, [...new Set(missing.flat())])
}

/** AppError `unsupported_by_connector` if the connector lacks a relation that the query needs. */
export function checkQuery(
  definition: MetricDefinition,
  name: string,
  query: MetricQuery,
  connector: string,
  capabilityOf: CapabilityOf,
): void {
  const missing = missingFor(definition, query, capabilityOf)
  if (missing.length > 0) throw unsupported(`${definition.name}.${name}`, connector, missing)
}

/** AppError `unsupported_by_connector` if the connector lacks one of the relations. `what` names the feature that needs them. */
export function checkReads(what: string, reads: readonly string[], connector: string, capabilityOf: CapabilityOf): void {
  const missing = [...new Set(reads)].filter((name) => capabilityOf(name) === 'absent')
  if (missing.length === 0) return
  throw new AppError('unsupported_by_connector', `The connector "${connector}" cannot supply ${what}.`, {
    context: { connector, missing },
  })
}

/** AppError `unsupported_by_connector` if the definitions count spans in a way for which the connector lacks the facts. */
export function checkDefinitions(definitions: Definitions, connector: string, capabilityOf: CapabilityOf): void {
  const { pause, quantity, billing_periods } = definitions
  if (pause === 'churn' && quantity === 'agreed' && billing_periods === 'all') return
  checkReads('these definitions', ['priced_state'], connector, capabilityOf)
}

/** The error for a metric that the connector cannot supply. */
export function unsupported(metric: string, connector: string, missing: readonly string[]): AppError {
  return new AppError('unsupported_by_connector', `The connector "${connector}" cannot supply the metric "${metric}".`, {
    context: { connector, missing },
  })
}

/** All relations that a query reads, including those that it reads only if the connector supplies them. */
export function readsOf(
  { reads }: Pick<MetricDefinition, 'reads'>,
  query: Pick<MetricQuery, 'reads' | 'reads_where_supplied'>,
): readonly string[] {
  return [...reads, ...(query.reads ?? []), ...(query.reads_where_supplied ?? [])]
}

/** Warning `inferred` if the connector infers a relation that the answer reads. */
export function inferredWarning(
  reads: readonly string[],
  fields: readonly Field[],
  capabilityOf: CapabilityOf,
): readonly Warning[] {
  const names = new Set([...reads, ...fields.flatMap((field) => field.reads)])
  const inferred = [...names].filter((name) => capabilityOf(name) === 'inferred').sort()
  if (inferred.length === 0) return []
  return [{ code: 'inferred', message: `The connector infers: ${inferred.join(', ')}.`, count: inferred.length }]
}
