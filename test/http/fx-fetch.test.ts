import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../src/app/config/config.ts'
import { openSampleService } from '../support/product/examples/sample-service.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { type RatePublisher, startRatePublisher } from '../support/product/rate-publisher.ts'

type Service = Awaited<ReturnType<typeof openSampleService>>
const PATH = '/api/fx/fetch/ecb'

/** The service with a base currency that the store has no rates for. */
const opened = (ecb_url: string) =>
  openSampleService({
    isCached: false,
    configure: (config: Config) => ({
      ...config,
      fx: { ecb_url },
      definitions: { ...config.definitions, base_currency: 'CHF' },
    }),
  })

describe('rates of the European Central Bank over HTTP', () => {
  let publisher: RatePublisher
  let service: Service
  const post = async (of: Service, body: unknown = {}, headers: Readonly<Record<string, string>> = {}) => {
    const response = await of.app.request(PATH, {
      method: 'POST',
      headers: { ...JSON_BODY, ...headers },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  const get = async (path: string) => JSON.parse(await (await service.app.request(path)).text())

  beforeAll(async () => {
    publisher = await startRatePublisher()
    service = await opened(publisher.url)
  })
  afterAll(async () => {
    await service.close()
    await publisher.close()
  })

  it('are fetched from the configured address, counted and used by the next answer', async () => {
    expect(await get('/api/metrics/mrr')).toMatchObject({ code: 'missing_fx_rate' })
    expect(await get('/api/fx/missing')).toMatchObject([
      { to: 'CHF', rates_since: null },
      { to: 'CHF', rates_since: null },
      { to: 'CHF', rates_since: null },
      { to: 'CHF', rates_since: null },
    ])
    // The rates of the second day only: what came before has none.
    expect(await post(service, { since: '2026-11-01' })).toMatchObject({
      status: 200,
      body: { rows_read: 2, rows_upserted: 4, rows_rejected: [], rows_rejected_total: 0 },
    })
    const late: { rates_since: string; first_day: string }[] = await get('/api/fx/missing')
    expect(late).toHaveLength(4)
    for (const { rates_since, first_day } of late) {
      expect(rates_since).toBe('2026-11-02')
      expect(first_day < rates_since).toBe(true)
    }

    expect(await post(service)).toMatchObject({ status: 200, body: { rows_read: 2, rows_upserted: 8 } })
    expect(await get('/api/fx/missing')).toEqual([])
    expect(await get('/api/metrics/mrr')).toBeGreaterThan(0)
    expect(await get('/api/fx/rates?to=CHF&from=USD&latest=true')).toEqual([
      { date: '2026-11-02', from: 'USD', to: 'CHF', rate: '0.826086956522' },
    ])
  })

  it('the caller chooses currency and first day, and nothing else', async () => {
    expect(await post(service, { to: 'usd', since: '2026-01-01' })).toMatchObject({ status: 200, body: { rows_upserted: 4 } })
    const refused = await post(service, { url: 'http://127.0.0.1/x', to: 'dollar', since: '2026-02-30' })
    expect([refused.status, refused.body.code]).toEqual([422, 'validation_failed'])
    expect(refused.body.issues.map(({ where }: { where: string }) => where).sort()).toEqual(['body.since', 'body.to', 'body.url'])
  })

  it('pages of other origins and forms are refused', async () => {
    expect(await post(service, {}, { origin: 'https://evil.example' })).toMatchObject({ status: 403 })
    expect(await post(service, {}, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
  })

  it('a server that fails is a 503 that names its host and stores nothing', async () => {
    const failing = await opened(publisher.brokenUrl)
    try {
      const { status, body } = await post(failing)
      expect([status, body.code]).toEqual([503, 'connector_unavailable'])
      expect(body.detail).toMatch(/^The file cannot be fetched from 127\.0\.0\.1:\d+: it answers with status 500\.$/)
      const missing = await (await failing.app.request('/api/fx/missing')).json()
      expect(missing).toHaveLength(4)
    } finally {
      await failing.close()
    }
  })

  it('a second download waits for nothing: it is refused while one runs', async () => {
    const slow = await opened(publisher.slowUrl)
    try {
      const first = post(slow)
      await vi.waitUntil(() => publisher.slowRequests() === 1, 10_000)
      expect(await post(slow)).toMatchObject({ status: 409, body: { code: 'conflict' } })
      publisher.release()
      expect(await first).toMatchObject({ status: 200, body: { rows_upserted: 8 } })
      const again = post(slow)
      await vi.waitUntil(() => publisher.slowRequests() === 2, 10_000)
      publisher.release()
      expect(await again).toMatchObject({ status: 200 })
    } finally {
      await slow.close()
    }
  })
})
