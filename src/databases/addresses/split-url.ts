/** An address taken apart, everything decoded. */
export interface SplitUrl {
  readonly user: string | undefined
  readonly password: string | undefined
  /** Without brackets; empty where it names none. */
  readonly host: string
  readonly port: string | undefined
  readonly database: string | undefined
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

const MALFORMED = 'is not a well-formed URL; in a user name or password % is written %25, / %2F, @ %40, : %3A, # %23 and ? %3F'
const BAD_ESCAPE = 'has a % that begins no escape; in a user name or password it is written %25'
const NO_PORT = 'has a port that is not a number from 1 to 65535'
const SEVERAL_HOSTS = 'names several hosts; name one, Plumbline asks one server'

const SHAPE =
  /^[a-z]+:\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^/?#]*))?@)?(?<host>\[[0-9a-f:.%]*\]|[^[\]:@/?#]*)(?::(?<port>\d*))?(?:\/(?<database>[^?#]*))?(?:\?(?<query>[^#]*))?$/i
const PLAIN_NAME = /^[A-Za-z][\w-]{0,63}$/

/**
 * Takes apart the address of a database. Drivers read some forms differently, decode passwords only when they connect, and then quote
 * them. A problem names no part that may be a password.
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

/** Whether a parameter's name may be shown: text of another shape may be the end of a password. */
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
