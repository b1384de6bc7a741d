import type { Capability, CheckFinding, DatabaseConnector } from '../connector-kit/connector.ts'
import { RELATION_CONTRACTS } from '../relations/contracts.ts'
import type { CapabilityOf } from './capability.ts'
import { LISTED_METRICS, METRIC_NAMES, REGISTRY } from './catalog-of-metrics.ts'

/** What the connector says of its relations: a finding per capability that occurs. None of it is a fault. */
export function capabilityFindings({ capabilities }: DatabaseConnector, capabilityOf: CapabilityOf): readonly CheckFinding[] {
  const names = suppliedNames(Object.keys(capabilities))
  const finding = (capability: Capability, consequence: string): readonly CheckFinding[] => {
    const found = names.filter((name) => capabilityOf(name) === capability)
    if (found.length === 0) return []
    return [{ name: `relations_${capability}`, level: 'ok', message: `${found.join(', ')}${consequence}` }]
  }
  const lost = METRIC_NAMES.filter((metric) => readsOf(metric).some((name) => capabilityOf(name) === 'absent'))
  return [
    ...finding('exact', ''),
    ...finding('inferred', '; answers that read them carry the warning "inferred"'),
    ...finding('absent', lost.length === 0 ? '' : `; metrics not available: ${lost.join(', ')}`),
  ]
}

// Also what the connector does not speak of: that is absent. Derived relations follow from the others.
function suppliedNames(stated: readonly string[]): readonly string[] {
  const expected = [...RELATION_CONTRACTS.map(({ name }) => name), ...METRIC_NAMES.flatMap(readsOf)]
  const kindOf = (name: string) => RELATION_CONTRACTS.find((contract) => contract.name === name)?.kind ?? 'base'
  return [...new Set([...stated, ...expected.filter((name) => kindOf(name) === 'base')])].sort()
}

function readsOf(metric: string): readonly string[] {
  return REGISTRY.metrics.get(metric)?.reads ?? LISTED_METRICS[metric] ?? []
}
