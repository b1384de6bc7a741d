import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'

export interface ProviderOptions {
  readonly client: string
  readonly audience: string
  /** Where it sends browsers back to. */
  readonly redirect: string
}

export interface OpenIdProvider {
  readonly url: string
  close(): Promise<void>
}

/** A certified OpenID provider in this process, with one client that is a page. */
export async function startOpenIdProvider({ client, audience, redirect }: ProviderOptions): Promise<OpenIdProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const made = new Provider(url, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'provider', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key for the cookies of the test'] },
    clients: [
      {
        client_id: client,
        token_endpoint_auth_method: 'none',
        application_type: 'web',
        redirect_uris: [redirect],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub', 'plumbline_scope'], email: ['email'] },
    // The page asks from its own origin.
    clientBasedCORS: () => true,
    conformIdTokenClaims: false,
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: `${id}@example.com`, plumbline_scope: 'read' }),
    }),
    features: {
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({ scope: 'openid', audience, accessTokenFormat: 'jwt', accessTokenTTL: 300 }),
      },
    },
    extraTokenClaims: () => ({ plumbline_scope: 'write' }),
  })
  server.on('request', made.callback())
  return { url, close: () => new Promise<void>((closed) => void server.close(() => closed()).closeAllConnections()) }
}
