/** Redirects that a request follows. */
const MOST_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]

/** The request was redirected to a place that it may not go to. The message names the host and nothing else of the address. */
export class RefusedRedirect extends Error {}

/**
 * Sends a GET to an http(s) address of the configuration. It follows redirects to the same host, but never from https to http, so that no other server
 * chooses where the request goes. A user name and password in the address go into a header, because
 * fetch refuses them. Throws RefusedRedirect, and the errors of fetch.
 */
export async function fetchFrom(
  address: string,
  { signal, accept }: { readonly signal: AbortSignal; readonly accept?: string },
): Promise<Response> {
  const { url, authorization } = withoutLogin(new URL(address))
  const headers = { ...(accept === undefined ? {} : { accept }), ...(authorization === undefined ? {} : { authorization }) }
  let at = url
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const response = await fetch(at, { headers, redirect: 'manual', signal })
    const location = REDIRECTS.includes(response.status) ? response.headers.get('location') : null
    if (location === null) return response
    await response.body?.cancel()
    at = redirectTarget(at, location)
  }
  throw new RefusedRedirect(`it redirects more than ${MOST_REDIRECTS} times`)
}

/** The address that a redirect leads to, without a login. Throws RefusedRedirect unless host and port stay and no https becomes http. */
export function redirectTarget(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) throw new RefusedRedirect('it redirects to no address')
  const { url } = withoutLogin(new URL(location, from))
  if (url.host !== from.host) throw new RefusedRedirect(`it redirects to another host, ${url.host || url.protocol}`)
  const isSafe = url.protocol === from.protocol || url.protocol === 'https:'
  if (!isSafe) throw new RefusedRedirect(`it redirects from ${from.protocol} to ${url.protocol}`)
  return url
}

function withoutLogin(url: URL): { readonly url: URL; readonly authorization?: string } {
  const { username, password } = url
  Object.assign(url, { username: '', password: '' })
  if (username === '') return { url }
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  return { url, authorization: `Basic ${login}` }
}
