import { beforeAll, expect, it } from 'vitest'
import { AppError, ERROR_CODES, type ErrorCode } from '../../src/core/errors.ts'
import type { Engine, EngineDependencies } from '../../src/engine/engine.ts'
import { createApp } from '../../src/facades/http/app.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { importFxRates } from '../../src/workspace/exchange-rates/import/csv.ts'
import { insertRows } from '../support/data/killbill/insert-rows.ts'
import { loadRecordScenario, SCENARIO_NOW } from '../support/data/record-scenario.ts'
import { exampleConnector, SPANS } from '../support/data/worked-example.ts'
import { executorInState } from '../support/databases/executor-with-state.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { embeddedPlace } from '../support/databases/store-places.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { whileLocked } from '../support/databases/while-locked.ts'
import { describedPart } from '../support/product/described-part.ts'
import { exampleEngine } from '../support/product/example-engine.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'
import { keptStore } from '../support/product/store-with-segments.ts'
import { openToySources } from '../support/product/toy-platform/toy-sources.ts'
import { serviceOver } from './recording-engine.ts'

interface Found {
  readonly code: unknown
  readonly status: number
  /** Method and path in the OpenAPI document of what was asked; absent where it is no operation. */
  readonly operation?: readonly [path: string, method: string]
}

interface Situation {
  readonly database: TestDatabase
  readonly executor: Executor
  /** An engine over the recorded scenario, two tenants together. */
  readonly engine: Engine
}

type Producer = (situation: Situation) => Promise<Found>
type App = ReturnType<typeof createApp>

const serve = (engine: Engine): App =>
  createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 200 }, log: () => {} })

async function found(app: App, path: string, init?: RequestInit, described?: string): Promise<Found> {
  const response = await app.request(path, init)
  const { code } = (await response.json()) as { code: unknown }
  const method = (init?.method ?? 'GET').toLowerCase()
  const [bare = path] = path.split('?')
  return { code, status: response.status, operation: [described ?? bare, method] }
}

const get =
  (path: string, described?: string): Producer =>
  ({ engine }) =>
    found(serve(engine), path, undefined, described)

const post =
  (body: string): Producer =>
  ({ engine }) =>
    found(serve(engine), '/api/metrics/mrr', { method: 'POST', headers: JSON_BODY, body }, '/api/metrics/{metric}')

const example =
  (path: string, overrides: (situation: Situation) => Partial<EngineDependencies>): Producer =>
  (situation) =>
    found(serve(exampleEngine(situation.executor, overrides(situation))), path)

const ELEVEN = Array.from({ length: 11 }, (_, index) => `compare_segments=s${index}`).join('&')

const segments =
  (path: string): Producer =>
  async ({ executor }) =>
    found(serve(exampleEngine(executor, { store: await keptStore({}) })), path)

async function refused(work: Promise<unknown>): Promise<Found> {
  const error = await work.catch((thrown: unknown) => thrown)
  if (!(error instanceof AppError)) throw error
  return { code: error.code, status: error.status }
}

const withoutOperation = ({ code, status }: Found): Found => ({ code, status })

const LATE = { role: 'replica', lag_seconds: 400, data_through: null, doubt: null, version: null, schema: null } as const
const SLEEPING = SPANS.map((row) => (row['subscription_id'] === 'S1' ? { ...row, status: 'sleeping' } : row))

const TIER = (id: string) => ({
  tenant_record_id: 1,
  account_record_id: 1,
  object_id: id,
  object_type: 'ACCOUNT',
  field_name: 'tier',
  field_value: 'silver',
  is_active: true,
})

const PRODUCERS: Readonly<Record<ErrorCode, Producer>> = {
  unauthorized: async () => {
    const place = await embeddedPlace()
    const { sources, close } = openToySources(place, { url: 'http://127.0.0.1:1', secret: 'secret' })
    const { app } = serviceOver({ sources })
    return found(app, '/api/webhooks/toy', { method: 'POST', body: '{}' }, '/api/webhooks/{address}').finally(async () => {
      await close()
      await place.remove()
    })
  },
  forbidden_host: async ({ engine }) => found(serve(engine), '/api/metrics/mrr', { headers: { host: 'elsewhere.example' } }),
  forbidden: async ({ engine }) =>
    found(serve(engine), '/api/segments', { method: 'POST', headers: { ...JSON_BODY, origin: 'https://elsewhere.example' } }),
  payload_too_large: post(' '.repeat(201)),
  unsupported_media_type: async ({ engine }) => found(serve(engine), '/api/segments', { method: 'POST', body: '{}' }),
  not_acceptable: async ({ engine }) => found(serve(engine), '/api/metrics/mrr', { headers: { accept: 'text/html' } }),
  not_found: get('/api/customers/nobody', '/api/customers/{id}'),
  method_not_allowed: async ({ engine }) =>
    withoutOperation(await found(serve(engine), '/api/metrics/mrr/waterfall', { method: 'DELETE' })),
  unknown_metric: get('/api/metrics/mmr/fields', '/api/metrics/{metric}/fields'),
  invalid_json: post('{'),
  validation_failed: post('[]'),
  unknown_dimension: get('/api/metrics/mrr?dimensions=plan'),
  unknown_filter: get('/api/metrics/mrr?filter=plan=x'),
  unknown_attribute: get('/api/metrics/mrr?filter=attr.tear=x'),
  too_many_segments: segments(`/api/metrics/mrr?${ELEVEN}`),
  unknown_segment: segments('/api/metrics/mrr?segment=nobody'),
  invalid_operator: post('{"spec":{"filters":{"plan_id":{"~":"x"}}}}'),
  invalid_value: get('/api/metrics/mrr?at=yesterday'),
  invalid_interval: get('/api/metrics/mrr?start=2025-01-01&end=2025-02-01&interval=eon'),
  invalid_range: get('/api/metrics/mrr/breakdown?start=2025-03-01&end=2025-02-01'),
  invalid_csv: async () => refused(importFxRates('date;from', await ratesOnly('date,from,to,rate\n'), { maxBytes: 1_000 })),
  conflict: get('/api/customers/same', '/api/customers/{id}'),
  read_only_attribute: async ({ database, engine }) => {
    const { data } = await engine.list('customers', { limit: '1' })
    const id = (data as { rows: readonly { id: string }[] }).rows[0]?.id ?? ''
    await insertRows(database, 'custom_fields', [TIER(id)])
    const body = JSON.stringify({ attributes: { tier: 'gold' } })
    const withStore = await engineOver(database, { tenant: ['all'], now: SCENARIO_NOW, store: await keptStore({}) })
    const init = { method: 'POST', headers: JSON_BODY, body }
    return found(serve(withStore), `/api/customers/${id}/attributes`, init, '/api/customers/{id}/attributes')
  },
  unsupported_by_connector: example('/api/invoices', () => ({})),
  missing_fx_rate: get('/api/metrics/summary'),
  unpriced_plan: get('/api/metrics/summary?filter=customer_id=D'),
  canonical_enum_violation: ({ executor }) =>
    refused(
      exampleEngine(executor, { connector: exampleConnector({ spans: SLEEPING }) }).rows.getActiveSubscriptions('2025-02-01'),
    ),
  result_too_large: example('/api/metrics/mrr?start=2025-01-01&end=2025-01-31&interval=day', () => ({
    limits: { max_rows: 30 },
  })),
  connector_unavailable: async ({ database }) => {
    const closed = database.executor({})
    await closed.close()
    return found(serve(exampleEngine(closed)), '/api/metrics/mrr')
  },
  overloaded: async ({ database }) => {
    const executor = database.executor({ poolSize: 1, queueMs: 1 })
    return executor.withSnapshot(() => found(serve(exampleEngine(executor)), '/api/metrics/mrr'))
  },
  replica_lagging: example('/api/metrics/mrr', ({ executor }) => ({
    executor: executorInState(executor, LATE),
    replica: { max_lag_seconds: 300, lag_policy: 'refuse', require_read_only: false },
  })),
  query_timeout: async ({ database }) => {
    const engine = await engineOver(database, { tenant: ['all'], now: SCENARIO_NOW, settings: { statementTimeoutMs: 200 } })
    return whileLocked(database, () => found(serve(engine), '/api/customers'))
  },
  internal: example('/api/metrics/mrr', () => ({
    connector: { ...exampleConnector(), open: () => Promise.reject(new Error('broken')) },
  })),
}

/** Errors that are found while a database is asked. */
const OF_DATABASES: ReadonlySet<string> = new Set<ErrorCode>([
  'not_found',
  'conflict',
  'read_only_attribute',
  'missing_fx_rate',
  'unpriced_plan',
  'canonical_enum_violation',
  'result_too_large',
  'connector_unavailable',
  'overloaded',
  'query_timeout',
])

interface Document {
  readonly components: {
    readonly schemas: {
      readonly Error: { readonly description: string; readonly properties: { readonly code: { readonly enum: string[] } } }
    }
  }
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Record<string, { description: string }> }>>>>
}

oneEngineInRotation('every error code', (target) => {
  let situation: Situation
  let document: Document
  beforeAll(async () => {
    const database = await target.createDatabase()
    await loadRecordScenario(database)
    const store = await ratesOnly('date,from,to,rate\n2025-01-01,GBP,USD,1.3\n')
    const engine = await engineOver(database, { tenant: ['all'], now: SCENARIO_NOW, store })
    situation = { database, executor: database.executor(), engine }
    document = (await (await serve(engine).request('/openapi.json')).json()) as Document
  })

  // PGlite has no time limits. The second engine gets a share of the refusals before a database is asked.
  const reachable = Object.entries(PRODUCERS).filter(([code]) => target.name !== 'pglite' || code !== 'query_timeout')
  const ofDatabases = reachable.filter(([code]) => OF_DATABASES.has(code))
  const others = reachable.filter(([code]) => !OF_DATABASES.has(code))
  const asked = [...ofDatabases, ...sampleOf(target, others, { first: 1 })]

  it.each(asked)('%s is produced with its status, and documented where it is', async (name, produce) => {
    const { code, status, operation } = await produce(situation)
    expect(code).toBe(name)
    expect(status).toBe(ERROR_CODES[name as ErrorCode].status)
    if (operation === undefined) return
    const [path, method] = operation
    const refusal = describedPart(document, document.paths[path]?.[method]?.responses[status])
    expect(refusal?.description, `${method} ${path}`).toContain(`\`${name}\``)
  })

  it('the document has a meaning for each, and none that does not exist', () => {
    expect(document.components.schemas.Error.properties.code.enum).toEqual(Object.keys(ERROR_CODES))
    const rows = [...document.components.schemas.Error.description.matchAll(/^\| `(\w+)` \| (\d+) \| (.{10,}) \|$/gm)]
    expect(rows.map(([, code, status]) => [code, Number(status)])).toEqual(
      Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status]),
    )
  })
})
