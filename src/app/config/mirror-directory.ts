import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverKind } from '../../databases/addresses/read-address.ts'
import type { Config } from './config.ts'
import { databaseIdentity, digest } from './identity.ts'
import { NOWHERE } from './places.ts'

type PlaceConfig = Pick<Config, 'cache' | 'clock' | 'connector' | 'database' | 'isSample' | 'store' | 'userCache'>

/** The directory of a cache, or why there is none, as the end of a sentence. */
export type MirrorPlace = { readonly directory: string } | { readonly none: string }

/**
 * The directory in which the cache of a configuration outlives its process, absolute. Each billing database with its connector settings has
 * its own directory. The name contains no secret. Embedded databases and the demo have none, because their cache is filled in a moment.
 */
export function mirrorPlace(config: PlaceConfig): MirrorPlace {
  const { directory, mode } = config.cache
  if (mode === 'off') return { none: 'cache.mode is off' }
  if (serverKind(config.database.url) === 'trino') return { none: 'Trino answers without a cache' }
  if (config.isSample === true || serverKind(config.database.url) === undefined)
    return { none: 'no cache of an embedded database outlives its process' }
  if (directory === NOWHERE) return { none: 'cache.directory is none' }
  const base = directory ?? storeCache(config.store.url) ?? config.userCache
  if (base === null) return { none: 'cache.directory is not set, and this user has no home directory' }
  return { directory: join(base, digest(databaseIdentity(config))) }
}

/** The directory of `mirrorPlace`; null if there is none. */
export function mirrorDirectory(config: PlaceConfig): string | null {
  const place = mirrorPlace(config)
  return 'directory' in place ? place.directory : null
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
