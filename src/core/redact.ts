const SECRET_NAME = /pass|secret|token|key|pwd/i
const SECRET_PARAMETER = /([?&][^=&]*(?:pass|secret|token|key|pwd)[^=&]*=)[^&#]*/gi

/** A connection URL as it may be shown: the password and secret-looking query parameters become `***`; user, host and path stay. */
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
