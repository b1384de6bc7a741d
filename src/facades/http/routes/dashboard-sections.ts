import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { readJson } from '../body.ts'
import { limitBody } from '../limit-body.ts'
import { BOARD_NAME, DASHBOARD_READ, DASHBOARD_WRITE, DASHBOARDS, POSITION, SECTION } from '../openapi/dashboard-schemas.ts'
import { errorResponses } from '../openapi/errors.ts'
import { DELETED, jsonBody, jsonResponse, UPDATED } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'

const params = z.object({ id: z.string().describe('Id of the dashboard') })
const ofSection = params.extend({ sid: z.string().describe('Id of the section') })
const position = POSITION.optional()

const addition = createRoute({
  ...DASHBOARDS,
  method: 'post',
  path: '/api/dashboards/{id}/sections',
  operationId: 'add_section',
  summary: 'Add a section to a dashboard',
  description: 'Its position is 0 unless told. A dashboard has at most 100.',
  request: { params, body: jsonBody(z.strictObject({ title: BOARD_NAME, position }).meta({ id: 'NewSection' })) },
  responses: { 201: jsonResponse('The section', SECTION), ...errorResponses(['not_found', ...DASHBOARD_WRITE]) },
})

const change = createRoute({
  ...DASHBOARDS,
  method: 'put',
  path: '/api/dashboards/{id}/sections/{sid}',
  operationId: 'update_section',
  summary: 'Rename or move a section',
  description: 'What is absent stays as it is. The positions of others do not change.',
  request: {
    params: ofSection,
    body: jsonBody(z.strictObject({ title: BOARD_NAME.optional(), position }).meta({ id: 'SectionChange' })),
  },
  responses: { 200: jsonResponse('Changed', UPDATED), ...errorResponses(['not_found', ...DASHBOARD_WRITE]) },
})

const deletion = createRoute({
  ...DASHBOARDS,
  method: 'delete',
  path: '/api/dashboards/{id}/sections/{sid}',
  operationId: 'delete_section',
  summary: 'Delete a section',
  description: 'The charts in it are taken off the dashboard; they stay saved.',
  request: { params: ofSection },
  responses: { 200: jsonResponse('Deleted', DELETED), ...errorResponses(['not_found', ...DASHBOARD_READ]) },
})

/** The sections of the dashboards of the one who asks. */
export function registerDashboardSections(app: App, { dashboards }: Pick<Engine, 'dashboards'>, bodyBytes: number): void {
  const limited = limitBody(bodyBytes)
  serve(
    app,
    addition,
    async (context) => {
      const section = await dashboards(context.get('principal').id).addSection(context.req.param('id'), await readJson(context))
      return context.json(section, 201)
    },
    limited,
  )
  serve(
    app,
    change,
    async (context) => {
      const { id, sid } = context.req.param()
      await dashboards(context.get('principal').id).updateSection(id, sid, await readJson(context))
      return context.json({ status: 'updated' as const }, 200)
    },
    limited,
  )
  serve(app, deletion, async (context) => {
    const { id, sid } = context.req.param()
    await dashboards(context.get('principal').id).deleteSection(id, sid)
    return context.json({ status: 'deleted' as const }, 200)
  })
}
