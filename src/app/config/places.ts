import { isAbsolute, join, resolve } from 'node:path'
import { readAddress, serverKind } from '../../databases/addresses/read-address.ts'
import type { ServerAddress } from '../../databases/addresses/server-address.ts'
import type { ProcessInputs } from './process-inputs.ts'

/** A connection URL with absolute paths: the directory of an embedded database, the certificates of a server. */
export function absoluteUrl(url: string, base: string): string {
  const [, scheme, path] = /^(sqlite:|pglite:)(.*)$/s.exec(url) ?? []
  return scheme === undefined || path === undefined ? absoluteCertificates(url, base) : `${scheme}${resolve(base, path)}`
}

/** Parameters that name a file; `sslrootcert=system` names none. */
const CERTIFICATES = /^(ssl(rootcert|cert|key|crl)|ssl[-_](ca|cert|key))$/

/** The URL of a server with absolute paths of certificate files. Other URLs stay unchanged. */
function absoluteCertificates(url: string, base: string): string {
  const at = url.indexOf('?')
  if (serverKind(url) === undefined || at < 0) return url
  const parts = url.slice(at + 1).split('&')
  return `${url.slice(0, at + 1)}${parts.map((part) => absolutePart(part, base)).join('&')}`
}

function absolutePart(part: string, base: string): string {
  const [, name = '', value = ''] = /^([^=]*)=(.+)$/s.exec(part) ?? []
  const path = decodeURIComponent(value)
  const absolute = absoluteFile(name, path, base)
  return absolute === path ? part : `${name}=${encodeURIComponent(absolute)}`
}

/** The value of a parameter: the path of a certificate becomes absolute, everything else stays unchanged. */
export function absoluteFile(name: string, value: string, base: string): string {
  return CERTIFICATES.test(name) && value !== 'system' && value !== '' ? resolve(base, value) : value
}

/** The word of `cache.directory` for a cache that ends with its process. */
export const NOWHERE = 'none'

/** The user's directory for caches of Plumbline by the rules of freedesktop.org. Null if the user has no home directory. */
export function userCacheDirectory({ environment, home }: Pick<ProcessInputs, 'environment' | 'home'>): string | null {
  const given = environment['XDG_CACHE_HOME'] ?? ''
  if (isAbsolute(given)) return join(given, 'plumbline')
  return home === undefined || !isAbsolute(home) ? null : join(home, '.cache', 'plumbline')
}

/** The place of a catalog: a path becomes absolute, a URL stays unchanged. */
export function absolutePlace(place: string, base: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(place) ? place : resolve(base, place)
}

/** True if two connection URLs lead to the same database. User and encryption do not matter. */
export function isSamePlace(one: string | undefined, other: string): boolean {
  if (one === undefined) return false
  const [first, second] = [addressIn(one), addressIn(other)]
  if (first === undefined || second === undefined) return one === other
  return placeIn(first) === placeIn(second)
}

function addressIn(url: string): ServerAddress | undefined {
  const reading = readAddress(url)
  return reading !== undefined && 'address' in reading ? reading.address : undefined
}

function placeIn({ kind, host, dialled, socket, port, database }: ServerAddress): string {
  return JSON.stringify([kind, socket ?? dialled ?? host.toLowerCase(), socket === undefined ? port : null, database ?? null])
}

/** Reason why the billing database cannot read the tables of the store, found from the addresses. Undefined if no reason is found. */
export function colocationProblem(databaseUrl: string | undefined, storeUrl: string): string | undefined {
  if (databaseUrl === undefined) return undefined
  const [database, store] = [serverKind(databaseUrl), serverKind(storeUrl)]
  if (database === undefined || database !== store) {
    return 'store.colocated: database.url and store.url must be on one PostgreSQL, MySQL or MariaDB server'
  }
  const [billing, side] = [databaseIn(databaseUrl), databaseIn(storeUrl)]
  if (store === 'postgres' && billing !== side) {
    return `store.colocated: both must be in one PostgreSQL database; database.url leads to "${billing}", store.url to "${side}"`
  }
  if (store === 'mysql' && !/^[a-z_][a-z0-9_]{0,62}$/.test(side)) {
    return `store.colocated: the database of the store needs a plain lower-case name, not "${side}"`
  }
  return undefined
}

function databaseIn(url: string): string {
  return addressIn(url)?.database ?? ''
}
