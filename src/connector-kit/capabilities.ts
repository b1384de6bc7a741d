import type { SqlCatalog } from '../compiler/catalog.ts'
import type { DialectName } from '../compiler/dialect.ts'
import { RELATION_CONTRACTS } from '../relations/contracts.ts'
import type { Capability, DatabaseConnector } from './connector.ts'

/** Capability of a relation (`plan`) or column (`plan.plan_name`) under one connector. */
export type CapabilityOf = (name: string) => Capability

const RANK: Readonly<Record<Capability, number>> = { exact: 0, inferred: 1, absent: 2 }

/**
 * Columns default to their relation; relations that the product can derive, to the worst of what they are derived from, also by way of
 * files without a contract; what nobody names is absent. What may be absent leaves what is derived from it as it is: it adds no rows.
 */
export function capabilitiesOf(
  { capabilities }: Pick<DatabaseConnector, 'capabilities'>,
  catalog: SqlCatalog,
  dialect: DialectName,
): CapabilityOf {
  const worstOf = (reads: readonly string[]): Capability =>
    reads.map(underlying).reduce((worst, next) => (RANK[next] > RANK[worst] ? next : worst), 'exact')
  const underlying = (name: string): Capability => {
    const contract = RELATION_CONTRACTS.find((candidate) => candidate.name === name)
    if (contract === undefined) return worstOf(catalog.relation(name, dialect)?.header.reads ?? [])
    const capability = capabilityOf(name)
    return contract.may_be_absent === true && capability === 'absent' ? 'exact' : capability
  }
  const capabilityOf = (name: string): Capability => {
    const stated = capabilities[name]
    if (stated !== undefined) return stated
    const relation = name.split('.')[0] ?? name
    if (relation !== name) return capabilityOf(relation)
    const kind = RELATION_CONTRACTS.find((candidate) => candidate.name === name)?.kind
    const file = catalog.relation(name, dialect)
    if (file === undefined || (kind !== 'derived' && kind !== 'default')) return 'absent'
    return worstOf(file.header.reads)
  }
  return capabilityOf
}
