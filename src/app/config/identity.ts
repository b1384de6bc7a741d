import { createHash } from 'node:crypto'
import { redact } from '../../core/addresses.ts'
import { readAddress } from '../../databases/addresses/read-address.ts'
import type { Identity } from '../../facades/socket/messages.ts'
import type { Config } from './config.ts'

const DIGEST_CHARACTERS = 16

/** The installed product: the version of the package, and a digest of its programs and its SQL. */
export interface Installed {
  readonly version: string
  readonly build: string
}

/**
 * Digests of everything that an answer depends on: two processes with equal ones give equal answers. Passwords and encryption do not
 * count, and no digest contains a secret.
 */
export function identityOf(config: Config, { version, build }: Installed): Identity {
  const { database, definitions, lake, ledger, limits, replica, store } = config
  const billing = databaseIdentity(config)
  return {
    version,
    build: digest(build),
    ...billing,
    // On Trino, the token says who asks.
    database: digest([billing['database'], database.token_file]),
    lake: digest([lake.schema, lake.straight, lake.max_age_minutes, lake.copied_by, lake.tables]),
    store: digest([placeOf(store.url), store.schema, store.workspace, store.colocated]),
    definitions: digest(definitions),
    ledger: digest(ledger),
    limits: digest([limits.max_rows, limits.attribute_keys]),
    replica: digest(replica),
  }
}

/** The part of `identityOf` that decides which rows of the billing database are read. */
export function databaseIdentity({
  clock,
  connector,
  database,
  lake,
}: Pick<Config, 'clock' | 'connector' | 'database'> & Partial<Pick<Config, 'lake'>>): Identity {
  const several = lake?.databases === undefined ? [] : [lake.databases]
  return {
    database: digest([placeOf(database.url), database.schema, ...several]),
    connector: digest(connector),
    clock: digest(clock),
  }
}

function placeOf(url: string): unknown {
  const reading = readAddress(url)
  if (reading === undefined || 'problems' in reading) return url
  const { kind, host, dialled, socket, port, user, database, options } = reading.address
  return [kind, socket ?? dialled ?? host.toLowerCase(), socket === undefined ? port : null, database, user, options]
}

/** Digest of a value, whatever the order of its keys. Passwords in addresses do not count. */
export function digest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value, canonical) ?? '')
    .digest('hex')
    .slice(0, DIGEST_CHARACTERS)
}

function canonical(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
