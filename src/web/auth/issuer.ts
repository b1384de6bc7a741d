import * as oauth from 'oauth4webapi'
import { BASE_URL } from '../api/client.ts'
import { fetchOfIssuer, IssuerUnreachable } from './issuer-retry.ts'
import { forgetIssuer, rememberIssuer } from './session.ts'

/** An OpenID issuer that users sign in at. */
export interface Issuer {
  readonly oidc_issuer: string
  readonly oidc_client_id: string
}

const SCOPE = 'openid profile email'

/** The only address that the issuer redirects browsers to. */
const REDIRECT = `${BASE_URL}/`
/** Parameters that the issuer adds to this address. They are removed before the user's address is restored. */
const OF_RETURN = ['code', 'state', 'iss', 'session_state', 'error', 'error_description', 'error_uri']

/** Redirects to the issuer: authorisation code flow with PKCE. Rejects with IssuerUnreachable. */
export async function leaveForIssuer(issuer: Issuer): Promise<void> {
  location.assign(await addressAt(issuer, false))
}

/**
 * Redirects with `prompt=none`. If the issuer recognises the browser, it redirects back at once, otherwise it returns an error.
 * Rejects with IssuerUnreachable.
 */
export async function askIssuerSilently(issuer: Issuer): Promise<void> {
  const address = await addressAt(issuer, true)
  // Ask only once, whatever the issuer answers.
  forgetIssuer()
  location.replace(address)
}

/**
 * Exchanges the issuer's code for tokens and restores the address that the user left. Returns the tokens that are JWTs, access
 * token first. Empty if the issuer was asked silently and does not recognise the browser. Undefined if this is no redirect from
 * the issuer. Rejects with IssuerUnreachable: a silent request can then be repeated.
 */
export async function tokensOfReturn(issuer: Issuer): Promise<readonly string[] | undefined> {
  const returned = new URL(location.href)
  if (!returned.searchParams.has('code') && !returned.searchParams.has('error')) return undefined
  const pending = takePending()
  // Remove the code from the address, even if it is not used.
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

/** The issuer's parameters, validated against this sign-in. Undefined if the issuer was asked silently and refuses. */
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

// If there is nothing to remove, returns the address unchanged, because `URL` may write it differently.
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

// Allows HTTP only for an issuer with an HTTP address. The service accepts such an address only on its own machine.
function askingOf({ oidc_issuer }: Issuer) {
  return { [oauth.allowInsecureRequests]: oidc_issuer.startsWith('http:'), [oauth.customFetch]: fetchOfIssuer }
}

/** State that the tab stores while the browser is at the issuer. */
interface Pending {
  readonly verifier: string
  readonly state: string
  /** The address to return to. */
  readonly back: string
  /** Whether the issuer was asked without a prompt. */
  readonly isSilent: boolean
}

const KEY = 'plumbline.signin'

function writePending(pending: Pending): void {
  sessionStorage.setItem(KEY, JSON.stringify(pending))
}

/** Reads the stored values and removes them. Undefined if this tab has started no sign-in. */
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
