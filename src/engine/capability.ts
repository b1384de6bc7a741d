import type { SqlCatalog } from '../compiler/catalog.ts'
import type { DialectName } from '../compiler/dialect.ts'
import type { Capability, DatabaseConnector } from '../connector-kit/connector.ts'
import { AppError } from '../core/errors.ts'
import type { MetricDefinition } from '../metrics/define-metric.ts'
import type { Field } from '../query/field.ts'
import type { QueryOffer } from '../query/offer.ts'
import type { Warning } from '../query/warning.ts'
import { RELATION_CONTRACTS } from '../relations/contracts.ts'

/** Capability of a relation (`plan`) or column (`plan.plan_name`) under one connector. */
export type CapabilityOf = (name: string) => Capability

const RANK: Readonly<Record<Capability, number>> = { exact: 0, inferred: 1, absent: 2 }

/** Columns default to their relation, derived relations to the worst of what they read; what nobody names is absent. */
export function capabilitiesOf(connector: DatabaseConnector, catalog: SqlCatalog, dialect: DialectName): CapabilityOf {
  const capabilityOf = (name: string): Capability => {
    const stated = connector.capabilities[name]
    if (stated !== undefined) return stated
    const relation = name.split('.')[0] ?? name
    if (relation !== name) return capabilityOf(relation)
    const contract = RELATION_CONTRACTS.find((candidate) => candidate.name === name)
    if (contract?.kind !== 'derived') return 'absent'
    const reads = catalog.relation(name, dialect)?.header.reads ?? []
    const canonical = reads.filter((read) => RELATION_CONTRACTS.some((candidate) => candidate.name === read))
    return canonical.map(capabilityOf).reduce((worst, next) => (RANK[next] > RANK[worst] ? next : worst), 'exact')
  }
  return capabilityOf
}

/** The offer without the fields that the connector lacks. */
export function offerOf(offer: QueryOffer, capabilityOf: CapabilityOf): QueryOffer {
  const keep = (fields: readonly Field[]) =>
    fields.filter((field) => field.reads.every((name) => capabilityOf(name) !== 'absent'))
  return {
    ...offer,
    dimensions: keep(offer.dimensions),
    series_dimensions: keep(offer.series_dimensions),
    time_fields: keep(offer.time_fields),
    filter_fields: keep(offer.filter_fields),
  }
}

/** AppError `unsupported_by_connector` when a relation that the metric needs is absent. */
export function checkSupported(definition: MetricDefinition, connector: string, capabilityOf: CapabilityOf): void {
  const missing = definition.reads.filter((name) => capabilityOf(name) === 'absent')
  if (missing.length > 0) throw unsupported(definition.name, connector, missing)
}

/** AppError `unsupported_by_connector` when one of the relations is absent; `what` needs them. */
export function checkReads(what: string, reads: readonly string[], connector: string, capabilityOf: CapabilityOf): void {
  const missing = [...new Set(reads)].filter((name) => capabilityOf(name) === 'absent')
  if (missing.length === 0) return
  throw new AppError('unsupported_by_connector', `The connector "${connector}" cannot supply ${what}.`, {
    context: { connector, missing },
  })
}

/** The metric cannot be answered from this connector. */
export function unsupported(metric: string, connector: string, missing: readonly string[]): AppError {
  return new AppError('unsupported_by_connector', `The connector "${connector}" cannot supply the metric "${metric}".`, {
    context: { connector, missing },
  })
}

/** Warning `inferred` when something the answer reads is inferred by the connector. */
export function inferredWarning(
  definition: Pick<MetricDefinition, 'reads'>,
  fields: readonly Field[],
  capabilityOf: CapabilityOf,
): readonly Warning[] {
  const names = new Set([...definition.reads, ...fields.flatMap((field) => field.reads)])
  const inferred = [...names].filter((name) => capabilityOf(name) === 'inferred').sort()
  if (inferred.length === 0) return []
  return [{ code: 'inferred', message: `The connector infers: ${inferred.join(', ')}.`, count: inferred.length }]
}
