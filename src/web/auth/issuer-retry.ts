import type { CustomFetchOptions } from 'oauth4webapi'

/** The issuer did not answer. This does not mean that the user is signed out. */
export class IssuerUnreachable extends Error {}

const TIMEOUT_MS = 10_000

/**
 * `fetch` that rejects with IssuerUnreachable if the issuer does not respond or responds with 5xx. Returns all other errors of
 * the issuer.
 */
export async function fetchOfIssuer(
  address: string,
  { body = null, method, headers, redirect }: CustomFetchOptions<string, URLSearchParams | null | undefined>,
): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(address, { body, method, headers, redirect, signal }).catch((cause: unknown) => {
    throw new IssuerUnreachable('the identity provider does not respond', { cause })
  })
  if (response.status >= 500) throw new IssuerUnreachable(`the identity provider responded with ${response.status}`)
  return response
}

const KEY = 'plumbline.tries'
const FIRST_MS = 2_000
const MOST = 5

/**
 * Delay before the next request to the issuer, doubled each time. Undefined after the last try. The tab stores the number of
 * tries, because each try leaves the page.
 */
export function nextDelay(): number | undefined {
  const tries = Number(sessionStorage.getItem(KEY) ?? 0)
  if (tries >= MOST) return undefined
  sessionStorage.setItem(KEY, String(tries + 1))
  return FIRST_MS * 2 ** tries
}

/** Resets the count after a successful sign-in. */
export function resetTries(): void {
  sessionStorage.removeItem(KEY)
}
