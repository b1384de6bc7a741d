import { readdirSync } from 'node:fs'
import type { SqlCatalog } from '../compiler/catalog.ts'
import type { DialectName } from '../compiler/dialect.ts'
import { InternalError } from '../core/errors.ts'
import { RELATION_CONTRACTS } from '../relations/contracts.ts'
import type { Capability, DatabaseConnector } from './connector.ts'

export { BOOKS } from '../relations/books.ts'

/** Capability of a relation (`plan`) or column (`plan.plan_name`) under one connector. */
export type CapabilityOf = (name: string) => Capability

const RANK: Readonly<Record<Capability, number>> = { exact: 0, inferred: 1, absent: 2 }

/**
 * The capability of a column defaults to its relation. The capability of a relation that the product can derive defaults to the
 * worst one among the relations that its file reads. A relation without a contract counts as the worst of those that its own file
 * reads. Any other relation that the connector does not list is absent. A relation that may be absent does not lower the
 * relations derived from it, because it adds no rows.
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
  const known = new Map<string, Capability>()
  const capabilityOf = (name: string): Capability => {
    const capability = known.get(name) ?? capabilities[name] ?? derivedFor(name)
    known.set(name, capability)
    return capability
  }
  const derivedFor = (name: string): Capability => {
    const relation = name.split('.')[0] ?? name
    if (relation !== name) return capabilityOf(relation)
    const kind = RELATION_CONTRACTS.find((candidate) => candidate.name === name)?.kind
    const file = catalog.relation(name, dialect)
    if (file === undefined || (kind !== 'derived' && kind !== 'default')) return 'absent'
    return worstOf(file.header.reads)
  }
  return capabilityOf
}

/**
 * Checks the files of a connector against its capabilities. InternalError lists everything that the connector's author has to fix:
 * - a file for a relation that only the product derives;
 * - a supplied relation without an entry in `capabilities`, whose rows would be left out silently;
 * - a capability of an unknown relation.
 */
export function checkSupplied({
  type,
  relationsDirectory,
  capabilities,
}: Pick<DatabaseConnector, 'type' | 'relationsDirectory' | 'capabilities'>): void {
  const files = new Set(
    readdirSync(relationsDirectory)
      .filter((file) => file.endsWith('.sql'))
      .map((file) => file.split('.')[0] ?? file),
  )
  const supplied = RELATION_CONTRACTS.filter(({ name }) => files.has(name))
  const derived = supplied.filter(({ kind }) => kind === 'derived')
  const unnamed = supplied.filter(({ name, kind }) => (kind === 'base' || kind === 'source') && capabilities[name] === undefined)
  const known = new Set([...RELATION_CONTRACTS.map(({ name }) => name), ...files])
  const unknownNames = Object.keys(capabilities).filter((name) => !known.has(name.split('.')[0] ?? name))
  const problems = [
    ...derived.map(({ name }) => `${name}.sql replaces a relation that only the product derives`),
    ...unnamed.map(({ name }) => `${name}.sql exists, but capabilities do not name "${name}"`),
    ...unknownNames.map((name) => `capabilities name "${name}", which is not a relation`),
  ]
  if (problems.length > 0) throw new InternalError(`connector "${type}": ${problems.join('; ')}`)
}
