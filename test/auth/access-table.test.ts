import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { isAggregateQuery } from '../../src/engine/shapes.ts'
import { isAggregateField } from '../../src/execution/plan/disclosure.ts'
import { accessTable, checkAccess } from '../../src/facades/http/access/access.ts'
import { ACCESS } from '../../src/facades/http/access/table.ts'
import type { Environment } from '../../src/facades/http/environment.ts'
import { jsonResponse } from '../../src/facades/http/openapi/response.ts'
import { canonicalPath } from '../../src/facades/http/paths.ts'
import { serve } from '../../src/facades/http/serve.ts'
import { builtInRegistry } from '../../src/metrics/built-in.ts'
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
      Object.keys(queries).map((query) => [`${name}.${query}`, isAggregateQuery(name, query)] as const),
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
    const closed = new Set(fields.map(({ key }) => key).filter((key) => !isAggregateField(key) && !key.startsWith('customer.')))
    expect([...closed].sort()).toEqual([
      'bundle_id',
      'cancel_reason',
      'class',
      'customer_id',
      'customer_name',
      'department',
      'project',
      'vendor_id',
      'vendor_name',
    ])
  })

  it('are not what a metric of somebody else answers, as nobody knows', () => {
    const mrr = registry.metrics.get('mrr')
    if (mrr === undefined) throw new Error('there is a metric mrr')
    const own = { ...mrr, name: 'own', routes: mrr.routes.map((route) => ({ ...route, path: `own/${route.path}` })) }
    const table = accessTable({ metrics: () => ['own'], metric: () => own })
    for (const { path } of own.routes) expect(table.of('GET', `/api/metrics/${path}`)).toEqual({ needs: 'read' })
    expect(accessTable(METRICS).of('GET', '/api/metrics/mrr')).toEqual({ needs: 'read:aggregate' })
    expect(accessTable(METRICS).of('GET', '/api/metrics/usage_revenue/by_customer')).toEqual({ needs: 'read' })
  })
})
