import type { Capability, CheckFinding } from '../connector-kit/connector.ts'
import type { EngineDependencies } from '../execution/dependencies.ts'
import { type CapabilityOf, missingFor } from '../execution/plan/capability.ts'
import type { Registry } from '../metrics/registry.ts'
import { RELATION_CONTRACTS } from '../relations/contracts.ts'

/** What the connector says of its relations: a finding per capability that occurs. None of it is a fault. */
export function capabilityFindings(
  { connector, registry }: Pick<EngineDependencies, 'connector' | 'registry'>,
  capabilityOf: CapabilityOf,
): readonly CheckFinding[] {
  const names = suppliedNames(Object.keys(connector.capabilities), registry)
  const finding = (capability: Capability, consequence: string): readonly CheckFinding[] => {
    const found = names.filter((name) => capabilityOf(name) === capability)
    if (found.length === 0) return []
    return [{ name: `relations_${capability}`, level: 'ok', message: `${found.join(', ')}${consequence}` }]
  }
  const lost = registry.names.flatMap((metric) => lostOf(metric, registry, capabilityOf))
  return [
    ...finding('exact', ''),
    ...finding('inferred', '; answers that read them carry the warning "inferred"'),
    ...finding('absent', lost.length === 0 ? '' : `; metrics not available: ${lost.join(', ')}`),
  ]
}

// A metric as a whole, else those of its queries that need more than the connector has.
function lostOf(metric: string, { metrics, reads }: Registry, capabilityOf: CapabilityOf): readonly string[] {
  if (reads(metric).some((name) => capabilityOf(name) === 'absent')) return [metric]
  const definition = metrics.get(metric)
  const queries = Object.entries(definition?.queries ?? {})
  return queries
    .filter(([, query]) => missingFor({ reads: [] }, query, capabilityOf).length > 0)
    .map(([name]) => `${metric}.${name}`)
}

// Also what the connector does not speak of: that is absent. Derived relations follow from the others.
function suppliedNames(stated: readonly string[], { names, reads, metrics }: Registry): readonly string[] {
  const ofQueries = [...metrics.values()].flatMap(({ queries }) => Object.values(queries).flatMap((query) => query.reads ?? []))
  const expected = [...RELATION_CONTRACTS.map(({ name }) => name), ...names.flatMap(reads), ...ofQueries]
  const kindOf = (name: string) => RELATION_CONTRACTS.find((contract) => contract.name === name)?.kind ?? 'base'
  return [...new Set([...stated, ...expected.filter((name) => kindOf(name) === 'base')])].sort()
}
