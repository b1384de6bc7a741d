import { ConfigurationError } from '../core/errors.ts'

export type ServerProduct = 'PostgreSQL' | 'MySQL' | 'MariaDB'

/** The oldest supported version of each product (docs/own-replica.md). */
const OLDEST_SERVERS: Readonly<Record<ServerProduct, readonly number[]>> = {
  PostgreSQL: [12],
  MySQL: [8, 0, 17],
  MariaDB: [10, 6],
}

/** MariaDB puts this before its version for clients that know only MySQL. Some proxies pass it on. */
const DISGUISE = /^5\.5\.5-(?=\d)/

/**
 * Aurora reports only two numbers of its MySQL version, such as `8.0`. Every Aurora version 3 is built from MySQL 8.0.23 or
 * later.
 */
const AURORA = /^(\d+\.\d+)\.mysql_aurora\.(\d+(?:\.\d+)*)/

/** The version without a packager's additions: `10.11.6`, `8.0 (Aurora 3.04.0)`, `17beta1`. */
export function shownVersion(text: string): string {
  const plain = text.replace(DISGUISE, '')
  const [, mysql, aurora] = AURORA.exec(plain) ?? []
  if (mysql !== undefined) return `${mysql} (Aurora ${aurora})`
  return plain.split(/[\s-]/)[0] ?? ''
}

/** ConfigurationError if a server is older than the oldest supported version, or does not report its version. */
export function refuseOldServer(product: ServerProduct, text: string): void {
  const oldest = OLDEST_SERVERS[product]
  const found = numbersOf(text)
  if (found !== undefined && isAtLeast(found, oldest)) return
  const supported = `${product} ${oldest.join('.')} and later ${found === undefined ? 'are supported' : 'are'}`
  throw new ConfigurationError([
    found === undefined
      ? `the billing database does not report its version ("${text.slice(0, 40)}"); ${supported}`
      : `the billing database runs on ${product} ${shownVersion(text)}, which is not supported; ${supported}`,
  ])
}

/** True if the version text is that of this version or a later one. False if it names none. */
export function isVersionFrom(text: string, oldest: readonly number[]): boolean {
  const found = numbersOf(text)
  return found !== undefined && isAtLeast(found, oldest)
}

function numbersOf(text: string): readonly number[] | undefined {
  const plain = text.replace(DISGUISE, '')
  const numbers = /^\d+(?:\.\d+){0,2}/.exec(plain)?.[0].split('.').map(Number)
  return AURORA.test(plain) && numbers !== undefined ? [...numbers, Number.POSITIVE_INFINITY] : numbers
}

function isAtLeast(found: readonly number[], oldest: readonly number[]): boolean {
  for (const [place, wanted] of oldest.entries()) {
    const number = found[place] ?? 0
    if (number !== wanted) return number > wanted
  }
  return true
}
