import type { CustomFetchOptions } from 'oauth4webapi'

/** An issuer that gave no answer, which says nothing about the user. */
export class IssuerUnreachable extends Error {}

const PATIENCE_MS = 10_000

/** `fetch` that tells a failure to reach the issuer from what it answers. Rejects with IssuerUnreachable. */
export async function fetchOfIssuer(
  address: string,
  { body = null, method, headers, redirect }: CustomFetchOptions<string, URLSearchParams | null | undefined>,
): Promise<Response> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const response = await fetch(address, { body, method, headers, redirect, signal }).catch((cause: unknown) => {
    throw new IssuerUnreachable('the identity provider does not respond', { cause })
  })
  if (response.status >= 500) throw new IssuerUnreachable(`the identity provider responded with ${response.status}`)
  return response
}
