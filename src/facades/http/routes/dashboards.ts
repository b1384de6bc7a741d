import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { DASHBOARD, DASHBOARD_WITH_CHARTS } from '../../../workspace/records/dashboard.ts'
import { readJson } from '../body.ts'
import type { RequestContext } from '../environment.ts'
import { DATABASE_CODES, errorResponses, WRITE_CODES } from '../openapi/errors.ts'
import { DELETED, jsonBody, jsonResponse, UPDATED } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'
import { viewerOf } from '../viewer.ts'

const common = { tags: ['Dashboards'] }
const params = z.object({ id: z.string() })

const all = createRoute({
  ...common,
  method: 'get',
  path: '/api/dashboards',
  operationId: 'dashboards',
  summary: 'List dashboards',
  description:
    'The dashboards of the current user and those that are visible to the workspace, without their charts, most recently changed first. A change of sections or charts counts as a change of the dashboard.',
  responses: { 200: jsonResponse('The dashboards', z.array(DASHBOARD.answer).readonly()), ...errorResponses(DATABASE_CODES) },
})

const creation = createRoute({
  ...common,
  method: 'post',
  path: '/api/dashboards',
  operationId: 'create_dashboard',
  summary: 'Create a dashboard',
  description: 'Without `visibility`, only its owner sees it. A user can have up to 100 dashboards.',
  request: { body: jsonBody(DASHBOARD.body.shown) },
  responses: { 201: jsonResponse('The dashboard', DASHBOARD.answer), ...errorResponses(WRITE_CODES) },
})

const one = createRoute({
  ...common,
  method: 'get',
  path: '/api/dashboards/{id}',
  operationId: 'dashboard',
  summary: 'Get a dashboard',
  description:
    'Includes its sections and charts, sorted by position, then by id. Each chart has its configuration. Charts of others are readable only here, on a dashboard that is visible to the workspace.',
  request: { params },
  responses: { 200: jsonResponse('The dashboard', DASHBOARD_WITH_CHARTS), ...errorResponses(['not_found', ...DATABASE_CODES]) },
})

const change = createRoute({
  ...common,
  method: 'put',
  path: '/api/dashboards/{id}',
  operationId: 'update_dashboard',
  summary: 'Update a dashboard',
  description:
    'Changes the name, the description or the visibility. Only the owner or an administrator may (403). Omitted fields stay unchanged. Null removes the description. With `revision`, a dashboard that has changed since is left as it is (409).',
  request: {
    params,
    body: jsonBody(DASHBOARD.change.shown),
  },
  responses: {
    200: jsonResponse('The dashboard was updated', UPDATED),
    ...errorResponses(['not_found', 'conflict', ...WRITE_CODES]),
  },
})

const deletion = createRoute({
  ...common,
  method: 'delete',
  path: '/api/dashboards/{id}',
  operationId: 'delete_dashboard',
  summary: 'Delete a dashboard',
  description: 'Its sections are deleted. Its charts stay saved. Only the owner or an administrator may delete it (403).',
  request: { params },
  responses: { 200: jsonResponse('Deleted', DELETED), ...errorResponses(['not_found', ...DATABASE_CODES]) },
})

/** The dashboards that the current user sees. */
export function registerDashboards(app: App, engine: Pick<Engine, 'dashboards'>): void {
  const own = (context: RequestContext) => engine.dashboards(viewerOf(context))
  serve(app, all, async (context) => context.json(await own(context).list(), 200))
  serve(app, creation, async (context) => {
    const dashboard = await own(context).create(await readJson(context))
    context.set('made', dashboard.id)
    return context.json(dashboard, 201)
  })
  serve(app, one, async (context) => context.json(await own(context).get(context.req.param('id')), 200))
  serve(app, change, async (context) => {
    await own(context).update(context.req.param('id'), await readJson(context))
    return context.json({ status: 'updated' as const }, 200)
  })
  serve(app, deletion, async (context) => {
    await own(context).delete(context.req.param('id'))
    return context.json({ status: 'deleted' as const }, 200)
  })
}
