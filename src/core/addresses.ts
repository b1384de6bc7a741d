const SERVER = /^(postgres(ql)?|mysql|mariadb|https?):\/\//i

/**
 * Refuses the address of a server that cannot be read: drivers decode user and password only when they connect, and fail there in ways that
 * quote them. The message names no part of the address, for nobody can tell which part is the password.
 */
export function readableAddress(address: string, check: { addIssue(message: string): void }): void {
  const problem = SERVER.test(address) ? problemOf(address) : undefined
  if (problem !== undefined) check.addIssue(problem)
}

function problemOf(address: string): string | undefined {
  if (!URL.canParse(address))
    return 'is not a well-formed URL; in a user name or password % is written %25, / %2F, @ %40, : %3A and # %23'
  const { username, password, hostname, pathname } = new URL(address)
  if ([username, password, hostname, pathname].every(isDecodable)) return undefined
  return 'has a % that begins no escape; in a user name or password it is written %25'
}

function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

/** Host and port of a server's address, without user and password: `replica.example.com port 5432`; undefined where it names no host. */
export function placeOf(address: string, usualPort: number): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { hostname, port } = new URL(address)
  return hostname === '' ? undefined : `${hostname} port ${port === '' ? usualPort : port}`
}
