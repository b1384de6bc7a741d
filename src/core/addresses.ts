const WEB = /^https?:\/\//i

/**
 * Refuses a malformed web address. Otherwise the request would fail later, with an error that quotes user and password. The message quotes no
 * part of the address, because any part could be the password.
 */
export function readableAddress(address: string, check: { addIssue(message: string): void }): void {
  const problem = WEB.test(address) ? addressProblem(address) : undefined
  if (problem !== undefined) check.addIssue(problem)
}

/** The reason why an address of any kind is malformed, as the end of a sentence that quotes no part of it. */
export function addressProblem(address: string): string | undefined {
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

const SECRET_NAME = /pass|secret|token|key|pwd/i
const SECRET_PARAMETER = /([?&][^=&]*(?:pass|secret|token|key|pwd)[^=&]*=)[^&#]*/gi

/** A connection URL that is safe to show. The password and secret-looking query parameters become `***`. User, host and path stay. */
export function redact(url: string): string {
  if (!url.includes('://')) return url
  if (!URL.canParse(url)) return url.replace(/\/\/.*@/, '//***@').replace(SECRET_PARAMETER, '$1***')
  const parsed = new URL(url)
  if (parsed.password !== '') parsed.password = '***'
  for (const name of [...parsed.searchParams.keys()]) {
    if (SECRET_NAME.test(name)) parsed.searchParams.set(name, '***')
  }
  return parsed.href
}
