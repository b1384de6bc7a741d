import { ConfigurationError } from '../../core/errors.ts'
import { mysqlAddress } from './mysql-address.ts'
import { postgresAddress } from './postgres-address.ts'
import type { Reading, ServerAddress } from './server-address.ts'
import { type SplitUrl, splitUrl } from './split-url.ts'
import { trinoAddress } from './trino-address.ts'

/** The kind of server that a URL leads to. Undefined for URLs without a server, such as `sqlite:` and `pglite:`. */
export function serverKind(url: string): ServerAddress['kind'] | undefined {
  if (/^postgres(ql)?:\/\//i.test(url)) return 'postgres'
  if (/^trino:\/\//i.test(url)) return 'trino'
  return /^(mysql|mariadb):\/\//i.test(url) ? 'mysql' : undefined
}

const READERS: Readonly<Record<ServerAddress['kind'], (url: SplitUrl) => Reading>> = {
  postgres: postgresAddress,
  mysql: mysqlAddress,
  trino: trinoAddress,
}

/** Reads the URL of a server. Undefined for URLs without a server. */
export function readAddress(url: string): Reading | undefined {
  const kind = serverKind(url)
  if (kind === undefined) return undefined
  const split = splitUrl(url)
  if (typeof split === 'string') return { problems: [split] }
  return READERS[kind](split)
}

/** The problems in the URL of a server. They quote no part that may be secret. */
export function addressProblems(url: string): readonly string[] {
  const reading = readAddress(url)
  return reading !== undefined && 'problems' in reading ? reading.problems : []
}

/** The address in a URL of a server. ConfigurationError with the name of the setting if the URL cannot be read. */
export function serverAddress(url: string, setting: string): ServerAddress {
  const reading = readAddress(url) ?? { problems: ['is not the address of a database server'] }
  if ('problems' in reading) throw new ConfigurationError(reading.problems.map((problem) => `${setting}: ${problem}`))
  return reading.address
}

/** The place of a server, without user and password: `replica.example.com port 5432`. */
export function placeOf({ host, dialled, socket, port }: ServerAddress): string {
  if (socket !== undefined) return `socket ${socket}`
  const name = host.includes(':') ? `[${host}]` : host
  return `${name} port ${port}${dialled === undefined || dialled === host ? '' : ` (${dialled})`}`
}
