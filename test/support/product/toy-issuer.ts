import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'

const TWO_MINUTES = 120

/** A key of an issuer, whole. */
export interface IssuerKey {
  readonly kid: string
  readonly alg: string
  readonly secret: CryptoKey
  readonly shown: JWK
  /** The public part as text, which everybody has. */
  readonly pem: string
}

/** An OpenID Connect issuer that is a real HTTP server and does what a test wants. */
export interface ToyIssuer {
  readonly url: string
  readonly key: IssuerKey
  /** Requests so far, by path. */
  readonly asked: ReadonlyMap<string, number>
  /** A token of this issuer. The given claims replace its usual ones, and undefined leaves a claim out. */
  token(claims?: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>, key?: IssuerKey): Promise<string>
  /** Shows other keys from now on. */
  show(...keys: readonly IssuerKey[]): void
  /** Answers every request so, until it is taken back with undefined. */
  intercept(handler: ((path: string, response: ServerResponse) => boolean) | undefined): void
  /** Replaces values of the discovery document with wrong ones. */
  claim(metadata: Readonly<Record<string, unknown>>): void
  close(): Promise<void>
}

export const AUDIENCE = 'https://plumbline.example.com'

/** Makes a key that no issuer shows yet. */
export async function makeIssuerKey(kid: string, alg = 'RS256'): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return {
    kid,
    alg,
    secret: privateKey,
    shown: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' },
    pem: await exportSPKI(publicKey),
  }
}

/** Drawn once: to make one takes longer than most of what it is used for. */
let usualKey: Promise<IssuerKey> | undefined

/** Starts it on a free port of this machine, on the one given when it comes back. */
export async function startToyIssuer(port = 0): Promise<ToyIssuer> {
  usualKey ??= makeIssuerKey('first')
  const key = await usualKey
  const asked = new Map<string, number>()
  let shown: readonly IssuerKey[] = [key]
  let claimed: Readonly<Record<string, unknown>> = {}
  let intercepted: ((path: string, response: ServerResponse) => boolean) | undefined
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.set(path, (asked.get(path) ?? 0) + 1)
    if (intercepted?.(path, response) === true) return
    const body =
      path === '/.well-known/openid-configuration'
        ? { issuer: url, jwks_uri: `${url}/keys`, ...claimed }
        : path === '/keys'
          ? { keys: shown.map((each) => each.shown) }
          : undefined
    response
      .writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json', connection: 'close' })
      .end(JSON.stringify(body ?? {}))
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    key,
    asked,
    async token(claims = {}, header = {}, { kid, alg, secret } = key) {
      const now = Math.floor(Date.now() / 1_000)
      const usual = { iss: url, aud: AUDIENCE, sub: 'ann', iat: now, exp: now + TWO_MINUTES, plumbline_scope: 'read' }
      const payload = { ...usual, ...claims } as JWTPayload
      return new SignJWT(payload).setProtectedHeader({ alg, kid, typ: 'at+jwt', ...header }).sign(secret)
    },
    show: (...keys) => {
      shown = keys
    },
    intercept: (handler) => {
      intercepted = handler
    },
    claim: (metadata) => {
      claimed = metadata
    },
    close: () => new Promise((closed) => void server.close(() => closed()).closeAllConnections()),
  }
}
