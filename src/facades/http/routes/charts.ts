import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { CHART } from '../../../workspace/records/dashboard.ts'
import { readJson } from '../body.ts'
import type { RequestContext } from '../environment.ts'
import { DATABASE_CODES, errorResponses, WRITE_CODES } from '../openapi/errors.ts'
import { DELETED, jsonBody, jsonResponse, UPDATED } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'

const common = { tags: ['Dashboards'] }
const params = z.object({ id: z.string() })

const all = createRoute({
  ...common,
  method: 'get',
  path: '/api/charts',
  operationId: 'charts',
  summary: 'List charts',
  description: 'The charts of the current user with their configurations, most recently changed first.',
  responses: { 200: jsonResponse('The charts', z.array(CHART.answer).readonly()), ...errorResponses(DATABASE_CODES) },
})

const creation = createRoute({
  ...common,
  method: 'post',
  path: '/api/charts',
  operationId: 'create_chart',
  summary: 'Save a chart',
  description: 'The chart is visible only to its user. A user can have up to 500 charts.',
  request: { body: jsonBody(CHART.body.shown) },
  responses: { 201: jsonResponse('The chart', CHART.answer), ...errorResponses(WRITE_CODES) },
})

const change = createRoute({
  ...common,
  method: 'put',
  path: '/api/charts/{id}',
  operationId: 'update_chart',
  summary: 'Update a chart',
  description:
    'Renames the chart or replaces its configuration. Omitted fields stay unchanged. The chart changes on all its dashboards.',
  request: {
    params,
    body: jsonBody(CHART.change.shown),
  },
  responses: { 200: jsonResponse('The chart was updated', UPDATED), ...errorResponses(['not_found', ...WRITE_CODES]) },
})

const deletion = createRoute({
  ...common,
  method: 'delete',
  path: '/api/charts/{id}',
  operationId: 'delete_chart',
  summary: 'Delete a chart',
  description: 'The chart is also removed from all its dashboards.',
  request: { params },
  responses: { 200: jsonResponse('Deleted', DELETED), ...errorResponses(['not_found', ...DATABASE_CODES]) },
})

/** The charts of the current user. */
export function registerCharts(app: App, engine: Pick<Engine, 'charts'>): void {
  const own = (context: RequestContext) => engine.charts(context.get('principal').id)
  serve(app, all, async (context) => context.json(await own(context).list(), 200))
  serve(app, creation, async (context) => {
    const chart = await own(context).create(await readJson(context))
    context.set('made', chart.id)
    return context.json(chart, 201)
  })
  serve(app, change, async (context) => {
    await own(context).update(context.req.param('id'), await readJson(context))
    return context.json({ status: 'updated' as const }, 200)
  })
  serve(app, deletion, async (context) => {
    await own(context).delete(context.req.param('id'))
    return context.json({ status: 'deleted' as const }, 200)
  })
}
