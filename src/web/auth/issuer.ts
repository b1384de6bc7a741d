import * as oauth from 'oauth4webapi'
import { BASE_URL } from '../api/client.ts'
import { fetchOfIssuer, IssuerUnreachable } from './issuer-retry.ts'
import { forgetIssuer, rememberIssuer } from './session.ts'

/** An issuer that people sign in at. */
export interface Issuer {
  readonly oidc_issuer: string
  readonly oidc_client_id: string
}

const SCOPE = 'openid profile email'

/** The one address that the issuer sends browsers back to. */
const REDIRECT = `${BASE_URL}/`
/** What an issuer adds to it, which is no part of an address to come back to. */
const OF_RETURN = ['code', 'state', 'iss', 'session_state', 'error', 'error_description', 'error_uri']

/** Leaves for the issuer: the authorisation code flow with PKCE. Rejects with IssuerUnreachable. */
export async function leaveForIssuer(issuer: Issuer): Promise<void> {
  location.assign(await addressAt(issuer, false))
}

/**
 * Leaves for it without anything to be typed there: an issuer that still knows the browser sends it straight back, another says so.
 * Rejects with IssuerUnreachable.
 */
export async function askIssuerSilently(issuer: Issuer): Promise<void> {
  const address = await addressAt(issuer, true)
  // So that whatever it answers is not asked again and again.
  forgetIssuer()
  location.replace(address)
}

/**
 * Takes the tokens that the issuer's code stands for, and restores the address that was left. The one with which the service knows the
 * user comes first; there are none where the issuer was asked silently and knows nobody. Undefined where the issuer did not just send the
 * browser back. Rejects with IssuerUnreachable: one that was asked silently can then be asked once more.
 */
export async function tokensOfReturn(issuer: Issuer): Promise<readonly string[] | undefined> {
  const returned = new URL(location.href)
  if (!returned.searchParams.has('code') && !returned.searchParams.has('error')) return undefined
  const pending = takePending()
  // A code that is not taken is not left lying in the address either.
  history.replaceState(null, '', pending?.back ?? withoutReturn(returned.href))
  if (pending === undefined) return undefined
  try {
    return await tokensOf(issuer, returned, pending)
  } catch (error) {
    if (pending.isSilent && error instanceof IssuerUnreachable) rememberIssuer(issuer.oidc_issuer)
    throw error
  }
}

async function tokensOf(issuer: Issuer, returned: URL, pending: Pending): Promise<readonly string[]> {
  const server = await discover(issuer)
  const client = { client_id: issuer.oidc_client_id }
  const parameters = parametersOf(server, client, returned, pending)
  if (parameters === undefined) return []
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    REDIRECT,
    pending.verifier,
    askingOf(issuer),
  )
  const { access_token, id_token } = await oauth.processAuthorizationCodeResponse(server, client, response)
  return [access_token, id_token].flatMap((token) => (token?.split('.').length === 3 ? [token] : []))
}

async function addressAt(issuer: Issuer, isSilent: boolean): Promise<URL> {
  const server = await discover(issuer)
  const { authorization_endpoint: endpoint } = server
  if (endpoint === undefined) throw new Error('The identity provider has no authorization endpoint.')
  const pending = {
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    back: withoutReturn(location.href),
    isSilent,
  }
  writePending(pending)
  const target = new URL(endpoint)
  const parameters = {
    client_id: issuer.oidc_client_id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: SCOPE,
    state: pending.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    ...(isSilent ? { prompt: 'none' } : {}),
  }
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value)
  return target
}

/** What the issuer has sent, once it is known to answer this very question; undefined where it was asked silently and refuses. */
function parametersOf(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  returned: URL,
  { state, isSilent }: Pending,
): URLSearchParams | undefined {
  try {
    return oauth.validateAuthResponse(server, client, returned, state)
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError)) throw error
    if (isSilent) return undefined
    const { error: code, error_description: description } = error
    throw new Error(`the identity provider returned ${[code, description].filter((text) => text !== undefined).join(': ')}`, {
      cause: error,
    })
  }
}

// Left alone where there is nothing to take off: an address is to come back letter by letter.
function withoutReturn(address: string): string {
  const url = new URL(address)
  const found = OF_RETURN.filter((name) => url.searchParams.has(name))
  for (const name of found) url.searchParams.delete(name)
  return found.length === 0 ? address : url.href
}

async function discover(issuer: Issuer): Promise<oauth.AuthorizationServer> {
  const address = new URL(issuer.oidc_issuer)
  const response = await oauth.discoveryRequest(address, { algorithm: 'oidc', ...askingOf(issuer) })
  return oauth.processDiscoveryResponse(address, response)
}

// Without TLS only where the service itself was configured so, on one machine.
function askingOf({ oidc_issuer }: Issuer) {
  return { [oauth.allowInsecureRequests]: oidc_issuer.startsWith('http:'), [oauth.customFetch]: fetchOfIssuer }
}

/** What the tab remembers while the browser is at the issuer. */
interface Pending {
  readonly verifier: string
  readonly state: string
  /** Address to come back to. */
  readonly back: string
  /** Whether the issuer was told to ask nothing. */
  readonly isSilent: boolean
}

const KEY = 'plumbline.signin'

function writePending(pending: Pending): void {
  sessionStorage.setItem(KEY, JSON.stringify(pending))
}

/** What was remembered, which serves once; undefined where no sign-in was begun in this tab. */
function takePending(): Pending | undefined {
  const text = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  const read: unknown = text === null ? undefined : JSON.parse(text)
  return isPending(read) ? read : undefined
}

function isPending(value: unknown): value is Pending {
  if (typeof value !== 'object' || value === null) return false
  const { verifier, state, back, isSilent }: { [Name in keyof Pending]?: unknown } = value
  return [verifier, state, back].every((text) => typeof text === 'string') && typeof isSilent === 'boolean'
}
