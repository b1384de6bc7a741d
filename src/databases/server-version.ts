import { ConfigurationError } from '../core/errors.ts'

export type ServerProduct = 'PostgreSQL' | 'MySQL' | 'MariaDB'

/** The oldest version of each product that is supported (docs/own-replica.md). */
export const OLDEST_SERVERS: Readonly<Record<ServerProduct, readonly number[]>> = {
  PostgreSQL: [12],
  MySQL: [8, 0, 17],
  MariaDB: [10, 6],
}

/** MariaDB puts this before its version for clients that know MySQL only; some proxies hand it on. */
const DISGUISE = /^5\.5\.5-(?=\d)/

/** Aurora names the MySQL that it is built from by two numbers. Its version 3 was never built from one before 8.0.23. */
const AURORA = /^(\d+\.\d+)\.mysql_aurora\.(\d+(?:\.\d+)*)/

/** The version without what a packager adds: `10.11.6`, `8.0 (Aurora 3.04.0)`, `17beta1`. */
export function shownVersion(text: string): string {
  const plain = text.replace(DISGUISE, '')
  const [, mysql, aurora] = AURORA.exec(plain) ?? []
  if (mysql !== undefined) return `${mysql} (Aurora ${aurora})`
  return plain.split(/[\s-]/)[0] ?? ''
}

/** ConfigurationError where a server is older than what is supported, or does not tell its version. */
export function refuseOldServer(product: ServerProduct, text: string): void {
  const oldest = OLDEST_SERVERS[product]
  const found = numbersOf(text)
  if (found !== undefined && isAtLeast(found, oldest)) return
  const supported = `${product} ${oldest.join('.')} and later ${found === undefined ? 'are supported' : 'are'}`
  throw new ConfigurationError([
    found === undefined
      ? `the billing database does not tell its version ("${text.slice(0, 40)}"); ${supported}`
      : `the billing database runs on ${product} ${shownVersion(text)}, which is not supported; ${supported}`,
  ])
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
