import * as oauth from 'oauth4webapi'
import { BASE_URL } from '../api/base.ts'

/** An issuer that people sign in at. */
export interface Issuer {
  readonly oidc_issuer: string
  readonly oidc_client_id: string
}

/** What is remembered while the browser is at the issuer. */
interface Pending {
  readonly verifier: string
  readonly state: string
  /** Address to come back to. */
  readonly back: string
}

const PENDING = 'plumbline.signin'
const SCOPE = 'openid profile email'

/** The one address that the issuer sends browsers back to. */
const REDIRECT = `${BASE_URL}/`

/** Leaves for the issuer: the authorisation code flow with PKCE. */
export async function leaveForIssuer(issuer: Issuer): Promise<void> {
  const server = await discover(issuer)
  const { authorization_endpoint: endpoint } = server
  if (endpoint === undefined) throw new Error('The issuer names no address to sign in at.')
  const pending = { verifier: oauth.generateRandomCodeVerifier(), state: oauth.generateRandomState(), back: location.href }
  sessionStorage.setItem(PENDING, JSON.stringify(pending))
  const target = new URL(endpoint)
  const parameters = {
    client_id: issuer.oidc_client_id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: SCOPE,
    state: pending.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value)
  location.assign(target)
}

/** Whether the issuer has just sent the browser back. */
export function isBackFromIssuer(): boolean {
  const { searchParams } = new URL(location.href)
  return sessionStorage.getItem(PENDING) !== null && (searchParams.has('code') || searchParams.has('error'))
}

/** Takes the tokens that the issuer's code stands for, and restores the address that was left. The one with which the service knows the user comes first. */
export async function tokensOfReturn(issuer: Issuer): Promise<readonly string[]> {
  const pending = JSON.parse(sessionStorage.getItem(PENDING) ?? '{}') as Pending
  const returned = new URL(location.href)
  sessionStorage.removeItem(PENDING)
  history.replaceState(null, '', pending.back)
  const server = await discover(issuer)
  const client = { client_id: issuer.oidc_client_id }
  const parameters = oauth.validateAuthResponse(server, client, returned, pending.state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    REDIRECT,
    pending.verifier,
    insecure(issuer),
  )
  const { access_token, id_token } = await oauth.processAuthorizationCodeResponse(server, client, response)
  return [access_token, id_token].flatMap((token) => (token?.split('.').length === 3 ? [token] : []))
}

async function discover(issuer: Issuer): Promise<oauth.AuthorizationServer> {
  const address = new URL(issuer.oidc_issuer)
  const response = await oauth.discoveryRequest(address, { algorithm: 'oidc', ...insecure(issuer) })
  return oauth.processDiscoveryResponse(address, response)
}

// Without TLS only where the service itself was configured so, on one machine.
function insecure({ oidc_issuer }: Issuer) {
  return { [oauth.allowInsecureRequests]: oidc_issuer.startsWith('http:') }
}
