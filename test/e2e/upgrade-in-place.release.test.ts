import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BUILT_IN_METRICS } from '../../src/metrics/built-in.ts'
import { copyOfReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { askAll } from '../support/product/examples/record-examples.ts'
import { createRecorder } from '../support/product/examples/recorder.ts'
import { type Installation, install } from '../support/product/installation.ts'
import { type ServiceProcess, serveReady } from '../support/product/product-process.ts'
import { type RatePublisher, startRatePublisher } from '../support/product/rate-publisher.ts'

const NOW = '2026-11-20T23:59:59Z'

/** An answer of more rows than a workbook of the service's own thread takes. */
const LARGE = '/api/metrics/mrr?start=2024-01-01&end=2026-11-01&interval=day&dimensions=plan_id'

oneEngineInRotation('a service whose installation is replaced while it runs', (target) => {
  let installed: Installation
  let publisher: RatePublisher
  let folder: string
  let database: TestDatabase
  let service: ServiceProcess
  let tools: Client

  beforeAll(async () => {
    installed = await install()
    publisher = await startRatePublisher()
    folder = await mkdtemp(join(tmpdir(), 'pl-upgrade-'))
    database = await copyOfReal(target)
    const settings = {
      PLUMBLINE_DATABASE_URL: database.url,
      PLUMBLINE_CONNECTOR_TENANT: 'alpha',
      PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'USD',
      PLUMBLINE_STORE_URL: `sqlite:${join(folder, 'store.db')}`,
      PLUMBLINE_FX_ECB_URL: publisher.url,
      PLUMBLINE_NOW: NOW,
    }
    const program = (name: string) => join(installed.root, 'dist', 'src', 'app', 'bin', `${name}.js`)
    service = await serveReady({ ...settings, PLUMBLINE_CACHE_DIRECTORY: join(folder, 'cache') }, [program('serve')])
    tools = new Client({ name: 'test', version: '0' })
    // Without the directory of the cache, the process answers by itself.
    const env = { ...settings, PLUMBLINE_CACHE_DIRECTORY: 'none' }
    await tools.connect(
      new StdioClientTransport({ command: process.execPath, args: [program('cli'), 'mcp'], env, stderr: 'ignore' }),
    )
    await installed.replace()
  })
  afterAll(async () => {
    await tools?.close()
    await service?.stop()
    await publisher?.close()
    await installed?.remove()
    await rm(folder, { recursive: true, force: true })
  })

  const ask = (path: string, init?: RequestInit) => fetch(`${service.url}${path}`, init)
  const statusOf = async (path: string) => {
    const answer = await ask(path)
    const { byteLength } = await answer.arrayBuffer()
    return `${path.split('?')[0]} ${answer.status} ${byteLength > 0}`
  }

  it('answers every operation, reads and writes its store and fetches rates', async () => {
    const rates = 'date,from,to,rate\n2020-01-01,EUR,USD,1.1\n2020-01-01,GBP,USD,1.3\n2020-01-01,JPY,USD,0.009\n'
    const form = new FormData()
    form.set('file', new Blob([rates]), 'rates.csv')
    expect((await ask('/api/fx/rates/import', { method: 'POST', body: form })).status).toBe(200)
    const document = (await (await ask('/openapi.json')).json()) as Parameters<typeof createRecorder>[1]
    const recorder = createRecorder({ request: ask }, document, NOW)
    // The recorder rejects every answer of 500 or more.
    await askAll(recorder, {
      now: NOW,
      metrics: BUILT_IN_METRICS,
      keepSegment: async () => {},
      flush: async () => {},
      askSources: async () => void (await recorder.ask('sources')),
    })
    const { mrr } = recorder.examples()
    expect(Object.values(mrr ?? {}).map(({ status }) => status)).toContain(200)
  })

  it('answers the tools of a process that speaks over its standard streams', async () => {
    for (const name of ['list_customers', 'list_invoices', 'list_segments', 'billing_health']) {
      const { isError, content } = await tools.callTool({ name, arguments: {} })
      expect([name, isError ?? false, content]).toEqual([name, false, expect.anything()])
    }
  })

  it('opens several connections to its store at once', async () => {
    const paths = Array.from({ length: 12 }, (_, index) => ['/api/segments', '/api/attributes', '/api/fx/rates'][index % 3] ?? '')
    const answers = await Promise.all(paths.map(async (path) => (await ask(path)).status))
    expect(new Set(answers)).toEqual(new Set([200]))
  })

  it('writes small and large workbooks, and CSV', async () => {
    for (const path of ['/api/customers?limit=5&format=xlsx', `${LARGE}&format=xlsx`]) {
      const answer = await ask(path)
      expect([path, answer.status, (await answer.arrayBuffer()).byteLength > 1_000]).toEqual([path, 200, true])
    }
    const lines = (await (await ask(`${LARGE}&format=csv`)).text()).split('\n')
    expect(lines.length).toBeGreaterThan(2_000)
  })

  it('reads a catalog that comes later in a new thread', async () => {
    const padding = `<!-- ${'x'.repeat(120_000)} -->`
    await database.adminQuery(
      `update tenant_kvs set tenant_value = concat(tenant_value, '${padding}') where tenant_key = 'CATALOG'`,
    )
    const answer = await ask('/api/metrics/mrr?dimensions=plan_id')
    expect(answer.status, await answer.text()).toBe(200)
    expect(service.process.output.stderr).not.toContain('"message":"failure"')
  })

  it('shows the page and the documentation', async () => {
    const page = await (await ask('/', { headers: { accept: 'text/html' } })).text()
    const assets = [...page.matchAll(/(?:src|href)="\.?\/?(assets\/[^"]+)"/g)].map(([, path]) => `/${path}`)
    expect(assets.length).toBeGreaterThan(0)
    const documents = ['/docs', '/redoc', '/metrics', '/readyz']
    const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'start-swagger.js', 'favicon-32x32.png', 'redoc.standalone.js']
    const paths = [...assets, ...documents, ...files.map((file) => `/docs/assets/${file}`)]
    expect(await Promise.all(paths.map(statusOf))).toEqual(paths.map((path) => `${path} 200 true`))
  })
})
