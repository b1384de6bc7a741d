import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { PLACE, SECTION } from '../../../workspace/records/dashboard.ts'
import { readJson } from '../body.ts'
import { DATABASE_CODES, errorResponses, WRITE_CODES } from '../openapi/errors.ts'
import { DELETED, jsonBody, jsonResponse, UPDATED } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'
import { viewerOf } from '../viewer.ts'

const common = { tags: ['Dashboards'] }
const params = z.object({ id: z.string().describe('Id of the dashboard') })
const ofSection = params.extend({ sid: z.string().describe('Id of the section') })

const addition = createRoute({
  ...common,
  method: 'post',
  path: '/api/dashboards/{id}/sections',
  operationId: 'add_section',
  summary: 'Add a section to a dashboard',
  description: 'The default position is 0. A dashboard can have up to 100 sections.',
  request: { params, body: jsonBody(SECTION.body.shown) },
  responses: { 201: jsonResponse('The section', SECTION.answer), ...errorResponses(['not_found', ...WRITE_CODES]) },
})

const change = createRoute({
  ...common,
  method: 'put',
  path: '/api/dashboards/{id}/sections/{sid}',
  operationId: 'update_section',
  summary: 'Update a section',
  description: 'Renames or moves the section. Omitted fields stay unchanged. Other sections keep their positions.',
  request: {
    params: ofSection,
    body: jsonBody(SECTION.change.shown),
  },
  responses: {
    200: jsonResponse('The section was updated', UPDATED),
    ...errorResponses(['not_found', 'conflict', ...WRITE_CODES]),
  },
})

const deletion = createRoute({
  ...common,
  method: 'delete',
  path: '/api/dashboards/{id}/sections/{sid}',
  operationId: 'delete_section',
  summary: 'Delete a section',
  description: 'Its charts are removed from the dashboard but stay saved.',
  request: { params: ofSection },
  responses: { 200: jsonResponse('Deleted', DELETED), ...errorResponses(['not_found', ...DATABASE_CODES]) },
})

const ofPlace = params.extend({ cid: z.string().describe('Id of the placement (not of the chart)') })
const placement = createRoute({
  ...common,
  method: 'post',
  path: '/api/dashboards/{id}/charts',
  operationId: 'place_chart',
  summary: 'Add a chart to a dashboard',
  description:
    'Places a saved chart in a section. The default position is 0. A dashboard can have up to 200 charts, each only once.',
  request: {
    params,
    body: jsonBody(PLACE.body.shown),
  },
  responses: {
    201: jsonResponse(
      'The placement',
      z
        .object({ id: z.string().describe('Id of the placement'), status: z.literal('added') })
        .meta({ id: 'ChartAdded', description: 'The chart was added to the dashboard' }),
    ),
    ...errorResponses(['not_found', 'conflict', ...WRITE_CODES]),
  },
})

const move = createRoute({
  ...common,
  method: 'put',
  path: '/api/dashboards/{id}/charts/{cid}',
  operationId: 'move_chart',
  summary: 'Move a chart on its dashboard',
  description:
    'Moves the chart to another position or section. Omitted fields stay unchanged. Other charts keep their positions.',
  request: {
    params: ofPlace,
    body: jsonBody(PLACE.change.shown),
  },
  responses: { 200: jsonResponse('The chart was moved', UPDATED), ...errorResponses(['not_found', 'conflict', ...WRITE_CODES]) },
})

const removal = createRoute({
  ...common,
  method: 'delete',
  path: '/api/dashboards/{id}/charts/{cid}',
  operationId: 'remove_chart',
  summary: 'Remove a chart from a dashboard',
  description: 'The chart itself stays saved.',
  request: { params: ofPlace },
  responses: {
    200: jsonResponse('Removed', z.object({ status: z.literal('removed') }).meta({ id: 'ChartRemoved' })),
    ...errorResponses(['not_found', ...DATABASE_CODES]),
  },
})

/** The sections of a user's dashboards, and the charts in them. */
export function registerDashboardContents(app: App, { dashboards }: Pick<Engine, 'dashboards'>): void {
  serve(app, addition, async (context) => {
    const section = await dashboards(viewerOf(context)).addSection(context.req.param('id'), await readJson(context))
    return context.json(section, 201)
  })
  serve(app, change, async (context) => {
    const { id, sid } = context.req.param()
    await dashboards(viewerOf(context)).updateSection(id, sid, await readJson(context))
    return context.json({ status: 'updated' as const }, 200)
  })
  serve(app, deletion, async (context) => {
    const { id, sid } = context.req.param()
    await dashboards(viewerOf(context)).deleteSection(id, sid)
    return context.json({ status: 'deleted' as const }, 200)
  })
  serve(app, placement, async (context) => {
    const id = await dashboards(viewerOf(context)).place(context.req.param('id'), await readJson(context))
    return context.json({ id, status: 'added' as const }, 201)
  })
  serve(app, move, async (context) => {
    const { id, cid } = context.req.param()
    await dashboards(viewerOf(context)).move(id, cid, await readJson(context))
    return context.json({ status: 'updated' as const }, 200)
  })
  serve(app, removal, async (context) => {
    const { id, cid } = context.req.param()
    await dashboards(viewerOf(context)).removeChart(id, cid)
    return context.json({ status: 'removed' as const }, 200)
  })
}
