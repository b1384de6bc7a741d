import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { embeddedPlace, type StorePlace } from '../support/databases/store-places.ts'
import { startToyServer, type ToyServer } from '../support/product/toy-platform/toy-server.ts'
import { openToySources, type ToySources } from '../support/product/toy-platform/toy-sources.ts'
import { serviceOver } from './recording-engine.ts'

const BASE = '/figures/plumbline'
const { app } = serviceOver({}, { basePath: BASE })
const statusOf = async (path: string) => (await app.request(path)).status

describe('a service behind a path', () => {
  it('answers below it, by either spelling, and to the client of that address', async () => {
    for (const path of ['/api/metrics/mrr', '/api/metrics/mrr/', '/healthz', '/readyz', '/metrics', '/openapi.json'])
      expect(await statusOf(BASE + path), path).toBe(200)
    const client = createClient({
      baseUrl: `http://localhost${BASE}/`,
      fetch: async (address, init) => app.request(address, init),
    })
    expect((await client.get('/api/metrics/mrr')).data).toBe(17133)
    const posted = await app.request(`${BASE}/api/metrics/mrr`, { method: 'POST', body: '{}' })
    expect([posted.status, await posted.json()]).toEqual([415, expect.objectContaining({ code: 'unsupported_media_type' })])
  })

  it('finds nothing outside of it but the probes', async () => {
    const beside = [
      '/',
      '/docs',
      '/api/metrics/mrr',
      '//api/metrics/mrr',
      '/figures',
      `${BASE}s/api/metrics/mrr`,
      `${BASE}${BASE}/docs`,
    ]
    for (const path of beside) expect(await statusOf(path), path).toBe(404)
    for (const path of ['/healthz', '/readyz/', '/metrics']) expect(await statusOf(path), path).toBe(200)
  })

  it('leads to its own pages, which take everything from below it', async () => {
    for (const path of [BASE, `${BASE}/`]) expect((await app.request(path)).headers.get('location'), path).toBe(`${BASE}/docs`)
    const scripts: string[] = []
    for (const page of ['/docs', '/docs/', '/redoc']) {
      const html = await (await app.request(BASE + page)).text()
      const linked = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '')
      for (const address of linked) expect(await statusOf(address), address).toBe(200)
      scripts.push(...linked)
    }
    for (const start of ['swagger', 'redoc']) {
      const address = `${BASE}/docs/assets/start-${start}.js`
      expect(scripts).toContain(address)
      expect(await (await app.request(address)).text()).toContain(`url: '${BASE}/openapi.json'`)
    }
  })

  it('says in its document where it is', async () => {
    const source = await (await app.request(`${BASE}/openapi.json`)).text()
    expect(JSON.parse(source)).toMatchObject({ servers: [{ url: BASE }], paths: { '/api/metrics/mrr': expect.anything() } })
    const config = await createConfig({ rules: { struct: 'error' } })
    expect(await lintFromString({ source, absoluteRef: 'openapi.json', config })).toEqual([])
  })
})

describe('the consent of a service behind a path', () => {
  let toy: ToyServer
  let place: StorePlace
  let opened: ToySources
  beforeAll(async () => {
    toy = await startToyServer()
    place = await embeddedPlace()
    const redirectUri = `https://books.example.com${BASE}/api/connectors/toy/oauth/callback`
    opened = openToySources(place, { url: toy.url, secret: toy.secret, redirectUri })
  })
  afterAll(async () => {
    await opened.close()
    await place.remove()
    await toy.close()
  })

  it('keeps its cookie below the path and ends there', async () => {
    const { app: behind } = serviceOver({ sources: opened.sources }, { basePath: BASE })
    const begun = await behind.request(`${BASE}/api/connectors/toy/oauth/start`)
    const cookie = begun.headers.get('set-cookie') ?? ''
    expect(cookie).toContain(`Path=${BASE}/api/connectors`)
    const consent = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' })
    const back = new URL(consent.headers.get('location') ?? '')
    const ended = await behind.request(back.pathname + back.search, { headers: { cookie: cookie.split(';')[0] ?? '' } })
    expect([ended.status, ended.headers.get('location')]).toEqual([302, `${BASE}/?toy_connected=1`])
  })
})
