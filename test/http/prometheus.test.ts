import { describe, expect, it } from 'vitest'
import type { Engine, Readiness } from '../../src/engine/engine.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { serviceOver } from './recording-engine.ts'

type App = ReturnType<typeof serviceOver>['app']

const SAMPLE = /^([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? (-?[\d.e+-]+|NaN|[+-]Inf)$/i

/** Samples of a scrape by name and labels; every line must be of the exposition format. */
async function scrape(app: App): Promise<ReadonlyMap<string, number>> {
  const response = await app.request('/metrics')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('# '))
  return new Map(
    lines.map((line) => {
      const [, name, labels, value] = SAMPLE.exec(line) ?? expect.fail(`not a sample: ${line}`)
      return [labels === undefined ? `${name}` : `${name}{${labels}}`, Number(value)]
    }),
  )
}

const named = (samples: ReadonlyMap<string, number>, name: string): Record<string, number> =>
  Object.fromEntries([...samples].filter(([key]) => key === name || key.startsWith(`${name}{`)))

const READY: Readiness = {
  status: 'ok',
  checks: { replica: { ok: true, role: 'replica', lag_seconds: 7, version: '15', schema: 'kb' }, store: { ok: null } },
}

describe('/metrics', () => {
  it('counts requests by method, pattern and status', async () => {
    const { app } = serviceOver()
    await app.request('/api/metrics/mrr?filter=plan_id=secret')
    await app.request('/api/metrics/mrr/')
    await app.request('/api/metrics/mrr', { method: 'HEAD' })
    await app.request('/api/metrics/mrr', { method: 'POST', headers: JSON_BODY, body: '{' })
    await app.request('/api/segments', { method: 'POST', body: '{}' })
    await app.request('/api/metrics/mrr', { headers: { host: 'evil.example' } })
    const samples = await scrape(app)
    expect(named(samples, 'plumbline_http_requests_total')).toEqual({
      'plumbline_http_requests_total{method="GET",route="/api/metrics/mrr",status="200"}': 2,
      'plumbline_http_requests_total{method="HEAD",route="/api/metrics/mrr",status="200"}': 1,
      'plumbline_http_requests_total{method="POST",route="/api/metrics/:metric",status="400"}': 1,
      'plumbline_http_requests_total{method="POST",route="/api/segments",status="415"}': 1,
      'plumbline_http_requests_total{method="GET",route="/api/metrics/mrr",status="403"}': 1,
    })
    const count = named(samples, 'plumbline_http_request_duration_seconds_count')
    expect(count['plumbline_http_request_duration_seconds_count{method="GET",route="/api/metrics/mrr"}']).toBe(3)
    expect(named(samples, 'plumbline_http_requests_running')).toEqual({ plumbline_http_requests_running: 1 })
  })

  it('has as many series as there are routes, however many paths and methods are asked', async () => {
    const { app } = serviceOver()
    for (let index = 0; index < 200; index++) {
      await app.request(`/api/customers/person-${index}@example.com`)
      await app.request(`/nowhere/person-${index}`)
      await app.request(`/api/metrics/person-${index}`, { method: `METHOD${index}` })
    }
    const samples = await scrape(app)
    expect([...samples.keys()].filter((key) => /person|METHOD\d/.test(key))).toEqual([])
    expect(named(samples, 'plumbline_http_requests_total')).toEqual({
      'plumbline_http_requests_total{method="GET",route="/api/customers/:id",status="200"}': 200,
      'plumbline_http_requests_total{method="GET",route="unknown",status="404"}': 200,
      'plumbline_http_requests_total{method="other",route="/api/metrics/:metric",status="404"}': 200,
    })
  })

  it('a client that went away is no failure of ours', async () => {
    const { app } = serviceOver({ query: () => Promise.reject(new Error('cancelled')) })
    await app.request(new Request('http://localhost/api/metrics/mrr', { signal: AbortSignal.abort() }))
    expect(Object.keys(named(await scrape(app), 'plumbline_http_requests_total'))).toEqual([
      'plumbline_http_requests_total{method="GET",route="/api/metrics/mrr",status="aborted"}',
    ])
  })

  it('says how full the queues are and what the cache has done', async () => {
    const statistics: ReturnType<Engine['statistics']> = {
      queues: { replica: { running: 3, waiting: 2, size: 4, queue_size: 200 }, cache: null },
      cache: {
        status: 'ready',
        accounts: 12,
        snapshot_at: new Date(Date.now() - 60_000).toISOString(),
        answered: 40,
        declined: { filling: 2, history: 1 },
        refills: { settings: 1, daily: 3 },
      },
    }
    const samples = await scrape(serviceOver({ statistics: () => statistics }).app)
    expect(named(samples, 'plumbline_queue_running')).toEqual({ 'plumbline_queue_running{queue="replica"}': 3 })
    expect(named(samples, 'plumbline_queue_waiting')).toEqual({ 'plumbline_queue_waiting{queue="replica"}': 2 })
    expect(samples.get('plumbline_cache_status{status="ready"}')).toBe(1)
    expect(samples.get('plumbline_cache_status{status="failed"}')).toBe(0)
    expect(samples.get('plumbline_cache_answered_total')).toBe(40)
    expect(named(samples, 'plumbline_cache_declined_total')).toEqual({
      'plumbline_cache_declined_total{reason="filling"}': 2,
      'plumbline_cache_declined_total{reason="history"}': 1,
    })
    expect(named(samples, 'plumbline_cache_refills_total')).toEqual({
      'plumbline_cache_refills_total{reason="settings"}': 1,
      'plumbline_cache_refills_total{reason="daily"}': 3,
    })
    expect(samples.get('plumbline_cache_snapshot_age_seconds')).toBeGreaterThanOrEqual(60)
  })

  it('says how old the publication of a lake is, and how its queries ended', async () => {
    const made_at = new Date(Date.now() - 90_000).toISOString()
    const lake = {
      publication: { made_at, seconds: 42, rows: 1_000 },
      queries: { ok: 7, PAGE_TRANSPORT_TIMEOUT: 2 },
      retries: { ECONNRESET: 1 },
    }
    const without = { queues: { replica: null, cache: null }, cache: null }
    const samples = await scrape(serviceOver({ statistics: () => ({ ...without, lake }) }).app)
    expect(samples.get('plumbline_lake_publication_age_seconds')).toBeGreaterThanOrEqual(90)
    expect(samples.get('plumbline_lake_publication_duration_seconds')).toBe(42)
    expect(samples.get('plumbline_lake_publication_rows')).toBe(1_000)
    expect(named(samples, 'plumbline_trino_queries_total')).toEqual({
      'plumbline_trino_queries_total{code="ok"}': 7,
      'plumbline_trino_queries_total{code="PAGE_TRANSPORT_TIMEOUT"}': 2,
    })
    expect(named(samples, 'plumbline_trino_retries_total')).toEqual({ 'plumbline_trino_retries_total{code="ECONNRESET"}': 1 })
    const empty = await scrape(serviceOver({ statistics: () => ({ ...without, lake: { ...lake, publication: null } }) }).app)
    expect([...empty.keys()].filter((key) => key.startsWith('plumbline_lake'))).toEqual([])
    const elsewhere = await scrape(serviceOver({ statistics: () => without }).app)
    expect([...elsewhere.keys()].filter((key) => /plumbline_(lake|trino)/.test(key))).toEqual([])
  })

  it('counts what is done for sources of books, and says how much waits how long', async () => {
    const sources = {
      notifications: 9,
      attempts: { done: 5, later: 2, dead: 1, released: 0 },
      runs: { succeeded: 3, failed: 1, stopped: 0 },
      changed: 120,
    }
    const statistics = () => ({ queues: { replica: null, cache: null }, cache: null, sources })
    const waiting = { waiting: 4, oldest_waiting_at: new Date(Date.now() - 90_000).toISOString() }
    const checks = { ...READY.checks, sources: { needs_reconnect: ['quickbooks-1'], dead_letters: 2, ...waiting } }
    const { app } = serviceOver({ statistics, readiness: () => Promise.resolve({ ...READY, checks }) })
    await scrape(app)
    const samples = await scrape(app)
    expect(samples.get('plumbline_sources_notifications_total')).toBe(9)
    expect(samples.get('plumbline_sources_attempts_total{outcome="dead"}')).toBe(1)
    expect(samples.get('plumbline_sources_runs_total{outcome="failed"}')).toBe(1)
    expect(samples.get('plumbline_sources_changed_records_total')).toBe(120)
    expect(samples.get('plumbline_sources_waiting')).toBe(4)
    expect(samples.get('plumbline_sources_dead_letters')).toBe(2)
    expect(samples.get('plumbline_sources_to_reconnect')).toBe(1)
    expect(samples.get('plumbline_sources_oldest_waiting_age_seconds')).toBeGreaterThanOrEqual(90)
  })

  it('leaves out what does not exist or is not known', async () => {
    const { app } = serviceOver()
    const names = [...(await scrape(app)).keys()]
    expect(names.filter((name) => /^plumbline_(cache|queue|replica|source|store)/.test(name))).toEqual([])
    expect(names).toContain('process_start_time_seconds')
    expect(names.some((name) => name.startsWith('nodejs_eventloop_lag_seconds'))).toBe(true)
  })

  it('tells of replica and store what was found last, and looks at them once for many scrapes', async () => {
    let looks = 0
    const readiness = () => {
      looks++
      return Promise.resolve(READY)
    }
    const { app } = serviceOver({ readiness })
    for (let scrapes = 0; scrapes < 20; scrapes++) await scrape(app)
    const samples = await scrape(app)
    expect(looks).toBe(1)
    expect(samples.get('plumbline_replica_up')).toBe(1)
    expect(samples.get('plumbline_replica_lag_seconds')).toBe(7)
    expect(samples.has('plumbline_store_up')).toBe(false)
    expect(samples.get('plumbline_readiness_timestamp_seconds')).toBeGreaterThan(1_600_000_000)
  })

  it('answers while a database hangs, and logs a look that fails', async () => {
    let looks = 0
    const hanging = serviceOver({
      readiness: () => {
        looks++
        return new Promise(() => {})
      },
    })
    for (let scrapes = 0; scrapes < 5; scrapes++) await scrape(hanging.app)
    expect(looks).toBe(1)
    const failing = serviceOver({ readiness: () => Promise.reject(new Error('secret')) })
    await scrape(failing.app)
    expect((await scrape(failing.app)).has('plumbline_replica_up')).toBe(false)
    expect(failing.logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', request_id: 'prometheus' }])
    expect(failing.logged.join()).not.toContain('secret')
  })

  it('is of one service alone', async () => {
    const [one, other] = [serviceOver().app, serviceOver().app]
    await one.request('/healthz')
    await scrape(one)
    expect(named(await scrape(other), 'plumbline_http_requests_total')).toEqual({})
  })
})
