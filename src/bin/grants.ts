import { BUILT_IN_CONNECTORS } from '../built-in-connectors.ts'
import { ConfigurationError } from '../core/errors.ts'
import type { GrantRequest } from '../core/grant-request.ts'

/** Statements that make a role which can only read what the built-in connector reads. AppError `invalid_value` for a table it does not. */
export function grants(request: GrantRequest): readonly string[] {
  const connector = BUILT_IN_CONNECTORS.find((candidate) => candidate.grants !== undefined)
  if (connector?.grants === undefined) throw new ConfigurationError(['no connector tells the grants that it needs'])
  return connector.grants(request)
}

/** The sentence that names the command which prints the grants on these tables for the user of an address. */
export function grantsFor(url: string, tables: readonly string[]): string {
  const { username, pathname, protocol } = new URL(url)
  const database = decodeURIComponent(pathname.slice(1))
  const words = [
    'plumbline grants',
    `--dialect ${protocol.startsWith('postgres') ? 'postgres' : 'mysql'}`,
    `--user ${decodeURIComponent(username) || '<user>'}`,
    ...(database === '' ? [] : [`--database ${database}`]),
    `--tables ${tables.join(',')}`,
  ]
  return `If the tables are there, \`${words.join(' ')}\` prints the grants that the role lacks.`
}
