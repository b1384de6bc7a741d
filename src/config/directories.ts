import { resolve } from 'node:path'

/** A connection URL whose embedded file or directory is absolute; every other URL unchanged. */
export function absoluteUrl(url: string, base: string): string {
  const [, scheme, path] = /^(sqlite:|pglite:)(.*)$/s.exec(url) ?? []
  return scheme === undefined || path === undefined ? url : `${scheme}${resolve(base, path)}`
}

/** A catalog's place: a file's path made absolute, a URL unchanged. */
export function absolutePlace(place: string, base: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(place) ? place : resolve(base, place)
}

/** True for two connection URLs that lead to one database. */
export function isSamePlace(one: string | undefined, other: string): boolean {
  return one !== undefined && withoutSynonym(one) === withoutSynonym(other)
}

function withoutSynonym(url: string): string {
  return url.replace(/^mariadb:/, 'mysql:')
}
