import { readdirSync } from 'node:fs'
import { InternalError } from '../core/errors.ts'
import { RELATION_CONTRACTS } from '../relations/contracts.ts'
import type { DatabaseConnector } from './connector.ts'

/**
 * Checks the files of a connector against what it says of them. InternalError, with everything that its author has to set right: a file
 * in the place of a relation that the product alone derives; a relation that is supplied and not named in `capabilities`, whose rows
 * would be left out in silence; a capability of no relation.
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
  const strange = Object.keys(capabilities).filter((name) => !known.has(name.split('.')[0] ?? name))
  const problems = [
    ...derived.map(({ name }) => `${name}.sql stands in the place of a relation that only the product derives`),
    ...unnamed.map(({ name }) => `${name}.sql is there, but capabilities do not name "${name}"`),
    ...strange.map((name) => `capabilities name "${name}", which is no relation`),
  ]
  if (problems.length > 0) throw new InternalError(`connector "${type}": ${problems.join('; ')}`)
}
