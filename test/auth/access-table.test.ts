import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { accessTable, checkAccess } from '../../src/facades/http/access/access.ts'
import { ACCESS } from '../../src/facades/http/access/table.ts'
import type { Environment } from '../../src/facades/http/environment.ts'
import { jsonResponse } from '../../src/facades/http/openapi/response.ts'
import { canonicalPath } from '../../src/facades/http/paths.ts'
import { serve } from '../../src/facades/http/serve.ts'
import { builtInRegistry } from '../../src/metrics/built-in.ts'
import { segmentFields } from '../../src/query/segment-fields.ts'
import { serviceOver } from '../http/recording-engine.ts'

const registry = builtInRegistry()
const METRICS: Pick<Engine, 'metrics' | 'metric'> = {
  metrics: () => registry.names,
  metric: (name) => registry.metrics.get(name),
}

describe('the table of who may ask for what', () => {
  it('has a line for every operation of the service, and none for what does not exist', () => {
    const { app } = serviceOver()
    const registered = app.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    expect(Object.keys(ACCESS).filter((name) => !registered.includes(name))).toEqual([])
  })

  it.each(['get', 'post', 'delete'] as const)('keeps a service from starting that has another operation: %s', (method) => {
    const app = new OpenAPIHono<Environment>({ getPath: canonicalPath })
    const responses = { 200: jsonResponse('Seats', z.object({ seats: z.number() })) }
    const route = createRoute({ method, path: '/api/seats/{plan}', responses })
    serve(app, route, (context) => context.json({ seats: 1 }, 200))
    const missing = `has no entry for ${method.toUpperCase()} /api/seats/{plan}`
    expect(() => checkAccess(app, accessTable(METRICS))).toThrow(missing)
    const withLine = { ...ACCESS, [`${method.toUpperCase()} /api/seats/{plan}`]: { needs: 'read' } as const }
    expect(() => checkAccess(app, accessTable(METRICS, withLine))).not.toThrow()
  })

  it('keeps a service from starting that has one without a document', () => {
    const app = new OpenAPIHono<Environment>()
    app.get('/api/hidden', (context) => context.text('open'))
    expect(() => checkAccess(app, accessTable(METRICS))).toThrow('GET /api/hidden')
    const pages = new OpenAPIHono<Environment>()
    pages.get('/*', (context) => context.text('open'))
    expect(() => checkAccess(pages, accessTable(METRICS))).toThrow('GET /*')
  })
})

describe('numbers without customers', () => {
  it('are decided on for every query of the product', () => {
    const decided = [...registry.metrics.values()].flatMap(({ name, queries }) =>
      Object.entries(queries).map(([query, { shows }]) => [`${name}.${query}`, shows === 'totals'] as const),
    )
    expect(
      decided
        .filter(([, isOpen]) => !isOpen)
        .map(([name]) => name)
        .sort(),
    ).toEqual(['churn.detail', 'churn.revenue_events', 'expenses.by_vendor', 'mrr.why', 'usage_revenue.by_customer'])
  })

  it('are decided on for every field that the product groups or filters by', () => {
    const fields = [...registry.metrics.values()].flatMap(({ queries }) =>
      Object.values(queries).flatMap(({ inputs }) => [
        ...inputs.dimensions,
        ...inputs.series_dimensions,
        ...inputs.time_fields,
        ...inputs.filter_fields,
      ]),
    )
    const keysThat = (show: string) => new Set(fields.flatMap(({ key, shows }) => (shows === show ? [key] : [])))
    const [open, closed] = [keysThat('totals'), keysThat('customers')]
    expect([...closed].filter((key) => !key.startsWith('customer.')).sort()).toEqual([
      'bundle_id',
      'cancel_reason',
      'class',
      'customer_id',
      'customer_name',
      'department',
      'gateway_error',
      'invoice_id',
      'project',
      'subscription_id',
      'vendor_id',
      'vendor_name',
    ])
    // A key is open in all queries or in none. Fields of a record in segments are closed, also those with the values of open dimensions.
    expect([...open].filter((key) => closed.has(key))).toEqual([])
    expect(open.size).toBeGreaterThan(25)
    const ofSegments = [...segmentFields(() => true).values()].map(({ field }) => field)
    const ofRecords = ofSegments.filter(({ key }) => key.includes('.'))
    expect(ofRecords.length).toBeGreaterThan(40)
    expect(ofRecords.filter(({ shows }) => shows === 'totals').map(({ key }) => key)).toEqual([])
    expect(ofSegments.filter(({ key, shows }) => shows === 'totals' && !open.has(key)).map(({ key }) => key)).toEqual([])
  })

  it('are not what a metric of somebody else answers, as nobody knows', () => {
    const mrr = registry.metrics.get('mrr')
    if (mrr === undefined) throw new Error('there is a metric mrr')
    const queries = Object.fromEntries(Object.entries(mrr.queries).map(([name, { shows: _, ...query }]) => [name, query]))
    const own = { ...mrr, name: 'own', queries, routes: mrr.routes.map((route) => ({ ...route, path: `own/${route.path}` })) }
    const table = accessTable({ metrics: () => ['own'], metric: () => own })
    for (const { path } of own.routes) expect(table.of('GET', `/api/metrics/${path}`)).toEqual({ needs: 'read' })
    expect(accessTable(METRICS).of('GET', '/api/metrics/mrr')).toEqual({ needs: 'read:aggregate' })
    expect(accessTable(METRICS).of('GET', '/api/metrics/usage_revenue/by_customer')).toEqual({ needs: 'read' })
  })
})
