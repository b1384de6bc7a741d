import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { redact } from '../../core/addresses.ts'
import { serverAddress, serverKind } from '../../databases/addresses/read-address.ts'
import type { Config } from './config.ts'
import { NOWHERE } from './places.ts'

const DIGEST_CHARACTERS = 16

/**
 * The directory in which the cache of a configuration outlives its process, absolute. Each billing database with its connector settings has
 * its own directory. The name contains no secret. Null: the cache ends with its process. So it is for embedded databases and the demo, whose
 * cache is filled in a moment, with `cache.directory = "none"`, and without a store file and a home directory.
 */
export function mirrorDirectory(
  config: Pick<Config, 'cache' | 'clock' | 'connector' | 'database' | 'isSample' | 'store' | 'userCache'>,
): string | null {
  if (config.cache.mode === 'off' || config.isSample === true) return null
  if (config.cache.directory === NOWHERE || serverKind(config.database.url) === undefined) return null
  const base = config.cache.directory ?? storeCache(config.store.url) ?? config.userCache
  return base === null ? null : join(base, digestOf(config))
}

/** The directory for data of the cache that exceeds its memory. It must have room for several gigabytes. */
export function spillDirectory({ cache: { directory } }: Pick<Config, 'cache'>): string {
  return directory === undefined || directory === NOWHERE ? tmpdir() : directory
}

// The names of all files of a store begin with the name of the store. Its directory is then closed to other users.
function storeCache(url: string): string | undefined {
  const file = /^sqlite:(.+)$/s.exec(url)?.[1]
  return file === undefined ? undefined : `${file}.cache`
}

// The password and the encryption do not decide which rows the database shows. The user does.
function digestOf({ clock, connector, database }: Pick<Config, 'clock' | 'connector' | 'database'>): string {
  const { kind, host, dialled, socket, port, user, database: name, options } = serverAddress(database.url, 'database.url')
  const place = [kind, socket ?? dialled ?? host.toLowerCase(), socket === undefined ? port : null, name, user, options]
  const settings = Object.entries(connector).sort(([a], [b]) => (a < b ? -1 : 1))
  const parts = [place, database.schema, settings, clock.now?.toISOString()]
  const text = JSON.stringify(parts, (_key, value: unknown) => (typeof value === 'string' ? redact(value) : (value ?? null)))
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_CHARACTERS)
}
