import { suggest } from '../../core/errors.ts'

/** The decoded parts of an address. */
export interface SplitUrl {
  readonly user: string | undefined
  readonly password: string | undefined
  /** Without brackets. Empty if the address names none. */
  readonly host: string
  readonly port: string | undefined
  readonly database: string | undefined
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

const MALFORMED = 'is not a well-formed URL; in a user name or password % is written %25, / %2F, @ %40, : %3A, # %23 and ? %3F'
const BAD_ESCAPE = 'has a % that begins no escape; in a user name or password it is written %25'
const NO_PORT = 'has a port that is not a number from 1 to 65535'
const SEVERAL_HOSTS = 'names several hosts; name one, because Plumbline reads one server'

const SHAPE =
  /^[a-z]+:\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^/?#]*))?@)?(?<host>\[[0-9a-f:.%]*\]|[^[\]:@/?#]*)(?::(?<port>\d*))?(?:\/(?<database>[^?#]*))?(?:\?(?<query>[^#]*))?$/i
const PLAIN_NAME = /^[A-Za-z][\w-]{0,63}$/

/**
 * Splits the address of a database. Drivers read some forms differently. They decode passwords only when they connect, and then quote them.
 * A problem names no part that may be a password.
 */
export function splitUrl(url: string): SplitUrl | string {
  // libpq separates hosts by commas, each with its port.
  if (/^[a-z]+:\/\/([^/?#]*@)?[^@/?#]*,/i.test(url)) return SEVERAL_HOSTS
  const groups = SHAPE.exec(url)?.groups
  if (groups === undefined) return MALFORMED
  try {
    const { user, password, host = '', port, database, query } = groups
    if (port !== undefined && port !== '' && !isPort(Number(port))) return NO_PORT
    return {
      user: decoded(user),
      password: decoded(password),
      host: decodeURIComponent(host).replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? undefined : port,
      database: decoded(database),
      parameters: parametersIn(query ?? ''),
    }
  } catch (error) {
    if (error instanceof URIError) return BAD_ESCAPE
    throw error
  }
}

function isPort(number: number): boolean {
  return number >= 1 && number <= 65_535
}

/** Whether the name of a parameter may be shown. Text of another shape may be the end of a password. */
export function isShown(name: string): boolean {
  return PLAIN_NAME.test(name)
}

function parametersIn(query: string): readonly (readonly [string, string])[] {
  const parts = query.split('&').filter((part) => part !== '')
  return parts.map((part) => {
    const at = part.indexOf('=')
    const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
    return [decodeURIComponent(name), decodeURIComponent(value)]
  })
}

function decoded(part: string | undefined): string | undefined {
  return part === undefined || part === '' ? undefined : decodeURIComponent(part)
}

/** Reads the parameters of an address. Unknown parameters are refused by name. */
export interface Parameters {
  /** The value of a parameter. Undefined if it is absent or empty. */
  text(name: string): string | undefined
  /** One of the listed words. Any other word is a problem that lists them. */
  word<T extends string>(name: string, words: readonly T[]): T | undefined
  wholeNumber(name: string, least: number, most: number): number | undefined
  /** `true`, `false`, `1`, `0`, `on` or `off`. */
  flag(name: string): boolean | undefined
  problem(text: string): void
  readonly problems: readonly string[]
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, '1': true, on: true, false: false, '0': false, off: false }

/** Begins the reading. `known` are all names that the address may have. `canonical` translates another spelling of a name. */
export function readParameters(
  given: readonly (readonly [string, string])[],
  known: readonly string[],
  canonical: (name: string) => string = (name) => name,
): Parameters {
  const problems: string[] = []
  const values = new Map<string, string>()
  for (const [spelled, value] of given) {
    const name = canonical(spelled)
    if (!known.includes(name)) problems.push(unknown(spelled, known))
    else if (values.has(name)) problems.push(`has the parameter ${name} twice`)
    else values.set(name, value)
  }
  const text = (name: string) => values.get(name) || undefined
  const judged = <T>(name: string, value: T | undefined, expected: string): T | undefined => {
    if (value === undefined && text(name) !== undefined) problems.push(`has a parameter ${name} that is not ${expected}`)
    return value
  }
  return {
    problems,
    problem: (problem) => void problems.push(problem),
    text,
    word: (name, words) =>
      judged(
        name,
        words.find((word) => word === text(name)),
        `one of ${words.join(', ')}`,
      ),
    wholeNumber(name, least, most) {
      const given = text(name)
      const number = given !== undefined && /^\d{1,9}$/.test(given) ? Number(given) : undefined
      const isWithin = number !== undefined && number >= least && number <= most
      return judged(name, isWithin ? number : undefined, `a whole number from ${least} to ${most}`)
    },
    flag: (name) => judged(name, FLAGS[text(name)?.toLowerCase() ?? ''], 'true or false'),
  }
}

function unknown(name: string, known: readonly string[]): string {
  if (!isShown(name)) return `has a parameter whose name cannot be shown; known: ${known.join(', ')}`
  const [near] = suggest(name, known)
  return `has the unknown parameter ${name}${near === undefined ? '.' : `, did you mean ${near}?`} Known: ${known.join(', ')}`
}
