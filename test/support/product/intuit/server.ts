import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { stringify } from 'lossless-json'
import { type Answer, answerApi, fault } from './accounting-api.ts'
import { type Books, createBooks } from './company-books.ts'
import { consentPage } from './consent-page.ts'
import { createTroubles, respond } from './faults.ts'
import { type App, type Authority, createAuthority, type Lives } from './oauth.ts'
import { createMeter } from './rate-limits.ts'

/** A double of Intuit on loopback: authorisation server and accounting API, from the public reference. */
export interface Intuit {
  readonly url: string
  readonly discoveryUrl: string
  readonly app: App
  readonly authority: Authority
  /** The next faults. */
  readonly troubles: ReturnType<typeof createTroubles>
  /** Every request to the API, path and query. */
  readonly requests: readonly string[]
  /** The most requests that were under way at a time. */
  mostAtOnce(): number
  /** Books of a company, empty at first. */
  company(realm: string): Books
  stop(): Promise<void>
}

export interface IntuitOptions {
  readonly app?: Partial<App>
  readonly lives?: Partial<Lives>
  readonly realms?: readonly string[]
  /** Requests of a company within a minute and at a time, more are `429`. */
  readonly perMinute?: number
  readonly atOnce?: number
  /** How long the API takes over an answer, in milliseconds. */
  readonly answerMs?: number
  readonly port?: number
}

export async function startIntuit(options: IntuitOptions = {}): Promise<Intuit> {
  const app = { clientId: 'double-client', clientSecret: 'double-secret', redirectUris: [CALLBACK], ...options.app }
  const authority = createAuthority(app, { access: 3600, refresh: 8_726_400, ...options.lives })
  const companies = new Map((options.realms ?? ['4620']).map((realm) => [realm, newCompany()]))
  const troubles = createTroubles()
  const meter = createMeter({ perMinute: options.perMinute ?? 500, atOnce: options.atOnce ?? 10 })
  const requests: string[] = []

  async function api(request: IncomingMessage, address: URL): Promise<Answer> {
    const [, realm = '', path = ''] = /^\/v3\/company\/([^/]+)\/(.+)$/.exec(address.pathname) ?? []
    const books = companies.get(realm)
    if (authority.realmOf(request.headers.authorization) !== realm || books === undefined) return UNAUTHORIZED
    if (Number(address.searchParams.get('minorversion')) < 75) return fault(400, '2020', 'minorversion must be 75 or later')
    return meter.pass(options.answerMs ?? 0, () => answerApi(books, path, address.searchParams))
  }

  async function answer(request: IncomingMessage, address: URL, form: URLSearchParams): Promise<Answer> {
    const { authorization } = request.headers
    switch (address.pathname) {
      case '/.well-known/openid_configuration':
        return { status: 200, body: discoveryDocument(address.origin) }
      case '/oauth2/v1/tokens/bearer':
        return authority.token(authorization, form)
      case '/v2/oauth2/tokens/revoke':
        return authority.revoke(authorization, form.get('token'))
      default:
        return api(request, address)
    }
  }

  const server = createServer(async (request, response) => {
    const address = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const form = new URLSearchParams(await bodyOf(request))
    if (address.pathname === '/connect/oauth2') {
      const { status, headers, text } = consented(authority, [...companies.keys()], request.method, address.searchParams, form)
      response.writeHead(status, headers).end(text)
      return
    }
    const path = `${address.pathname}${address.search}`
    if (address.pathname.startsWith('/v3/')) requests.push(decodeURIComponent(path.replaceAll('+', ' ')))
    const trouble = troubles.take(path)
    const { status, body } = await answer(request, address, form)
    await respond(response, { status, text: stringify(body) ?? '' }, trouble)
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${portOf(server.address())}`
  return {
    url,
    discoveryUrl: `${url}/.well-known/openid_configuration`,
    app,
    authority,
    troubles,
    requests,
    mostAtOnce: meter.mostAtOnce,
    company(realm) {
      const books = companies.get(realm) ?? newCompany()
      companies.set(realm, books)
      return books
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The books of a company in the United States that also buys in other currencies. */
function newCompany(): Books {
  const books = createBooks()
  const HomeCurrency = { value: 'USD' }
  books.put('Preferences', { Id: '1', CurrencyPrefs: { MultiCurrencyEnabled: true, HomeCurrency } })
  return books
}

export const CALLBACK = 'http://127.0.0.1:8000/api/connectors/quickbooks/oauth/callback'

const UNAUTHORIZED: Answer = {
  status: 401,
  body: { fault: { error: [{ message: 'message=AuthenticationFailed', code: '3200' }], type: 'AUTHENTICATION' } },
}

function discoveryDocument(origin: string) {
  return {
    issuer: 'https://oauth.platform.intuit.com/op/v1',
    authorization_endpoint: `${origin}/connect/oauth2`,
    token_endpoint: `${origin}/oauth2/v1/tokens/bearer`,
    revocation_endpoint: `${origin}/v2/oauth2/tokens/revoke`,
    userinfo_endpoint: `${origin}/v1/openid_connect/userinfo`,
    response_types_supported: ['code'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
  }
}

/** The consent page, and what its buttons lead to. */
function consented(
  authority: Authority,
  realms: readonly string[],
  method: string | undefined,
  query: URLSearchParams,
  form: URLSearchParams,
): { readonly status: number; readonly headers: Record<string, string>; readonly text: string } {
  const given = method === 'POST' ? form : query
  const redirectUri = given.get('redirect_uri')
  if (redirectUri === null || !authority.allows(given.get('client_id'), redirectUri)) {
    return { status: 400, headers: { 'content-type': 'text/plain' }, text: 'The redirect_uri is not one of the app.' }
  }
  if (method !== 'POST') {
    return { status: 200, headers: { 'content-type': 'text/html;charset=utf-8' }, text: consentPage(query, realms) }
  }
  const target = new URL(redirectUri)
  const realm = form.get('realm') ?? ''
  const parameters =
    form.get('decision') === 'connect'
      ? { code: authority.consent(realm, redirectUri), state: form.get('state') ?? '', realmId: realm }
      : { error: 'access_denied', state: form.get('state') ?? '' }
  target.search = new URLSearchParams(parameters).toString()
  return { status: 302, headers: { location: target.href }, text: '' }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}
