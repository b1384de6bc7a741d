import { describe, expect, it } from 'vitest'
import { FRIEND, openGuardedService } from '../support/product/guarded-service.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { serviceOver } from './recording-engine.ts'

const { app } = serviceOver({}, { corsOrigins: [FRIEND] })
const HOST = 'http://localhost'

type Headers = Readonly<Record<string, string>>

async function outcome(path: string, headers: Headers, init: RequestInit = {}, of: Pick<typeof app, 'request'> = app) {
  const response = await of.request(`${HOST}${path}`, { ...init, headers: { ...headers, ...(init.headers as Headers) } })
  const text = await response.text()
  return [response.status, /"reason":"(\w+)"/.exec(text)?.[1]].filter((part) => part !== undefined).join(' ')
}

/** The headers of a browser for a request from another site's page. */
const FOREIGN: readonly (readonly [string, Headers])[] = [
  ['a script of another origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
  ['a picture of another origin', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a page of the same site and another port', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }],
  ['an old browser', { origin: 'http://localhost.evil.example' }],
  ['another port', { origin: 'http://localhost:9999' }],
  ['a file', { origin: 'file://' }],
  ['a file of this machine', { origin: 'file://localhost' }],
  ['a sandbox', { origin: 'null' }],
  ['an extension', { origin: 'chrome-extension://localhost' }],
  ['an extension of another browser', { origin: 'moz-extension://localhost' }],
  ['an app', { origin: 'app://localhost' }],
  ['text in place of an origin', { origin: 'localhost' }],
]
const LINK = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

/** Requests from the page itself, a typed address, a listed origin or no browser. */
const OWN: readonly (readonly [string, Headers])[] = [
  ['a script of the page', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
  ['a link of the page to a file', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }],
  ['an address that was typed', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  ['a listed origin', { origin: FRIEND, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
  ['its own origin', { origin: HOST }],
  ['its own origin behind TLS', { origin: 'https://localhost' }],
  ['a program', {}],
]

const READS = [
  '/api/metrics/mrr',
  '/api/metrics/mrr?format=csv',
  '/api/customers',
  '/auth/config',
  '/auth/me',
  '/metrics',
  '/api/nowhere',
]

describe('where nobody signs in, a page elsewhere', () => {
  it.each(FOREIGN)('reads nothing: %s', async (_, headers) => {
    for (const path of READS) {
      expect(await outcome(path, headers), path).toBe('403 foreign_origin')
      expect(await outcome(path, headers, { method: 'HEAD' }), path).toBe('403')
    }
  })

  it.each(FOREIGN)('changes and asks nothing: %s', async (_, headers) => {
    const init = { method: 'POST', headers: JSON_BODY, body: '{}' }
    for (const path of ['/api/metrics/mrr', '/mcp', '/api/segments']) {
      expect(await outcome(path, headers, init), path).toBe('403 foreign_origin')
    }
  })

  it('leads by a link to the pages and to the end of a consent, and to no data', async () => {
    for (const path of ['/', '/docs', '/redoc', '/openapi.json', '/healthz', '/customers']) {
      expect(await outcome(path, LINK), path).not.toMatch(/^403/)
    }
    expect(await outcome('/api/connectors/quickbooks/oauth/callback?state=x', LINK)).not.toMatch(/foreign_origin/)
    for (const path of READS) expect(await outcome(path, LINK), path).toBe('403 foreign_origin')
    // A script may call itself a navigation, but it cannot leave out its origin.
    expect(await outcome('/docs', { ...LINK, origin: 'https://evil.example' })).toBe('403 foreign_origin')
  })

  it('has no part in what the page itself, a program or a listed origin reads', async () => {
    for (const [name, headers] of OWN) {
      for (const path of READS) expect(await outcome(path, headers), `${name}: ${path}`).not.toMatch(/^403/)
      expect(await outcome('/api/metrics/mrr', headers), name).toBe('200')
    }
  })
})

it('where everybody signs in, a credential decides and not the page', async () => {
  const guarded = await openGuardedService()
  try {
    const { secret } = await guarded.makeKey(['read'])
    const headers = { origin: 'https://evil.example', authorization: `Bearer ${secret}` }
    expect(await outcome('/api/metrics/mrr', headers, {}, guarded.app)).toBe('200')
    expect(await outcome('/api/metrics/mrr', { origin: 'https://evil.example' }, {}, guarded.app)).toBe('401 missing')
    // A change is refused whatever it brings with it, also from a file on a machine that calls itself localhost.
    const write = { method: 'POST', headers: JSON_BODY, body: '{}' }
    const file = { origin: 'file://localhost', authorization: `Bearer ${secret}` }
    expect(await outcome('/api/segments/validate', file, write, guarded.app)).toBe('403 foreign_origin')
  } finally {
    await guarded.close()
  }
})
