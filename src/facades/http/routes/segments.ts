import { createRoute, z } from '@hono/zod-openapi'
import type { Engine, Segment } from '../../../engine/engine.ts'
import { updated } from '../../../workspace/records/define-record.ts'
import { SEGMENT } from '../../../workspace/records/segment.ts'
import { seesCustomers } from '../access/ask-options.ts'
import { readJson } from '../body.ts'
import { DATABASE_CODES, errorResponses, WRITE_CODES } from '../openapi/errors.ts'
import { DELETED, jsonBody, jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'
import { signedIn } from '../signed-in.ts'

const params = z.object({ id: z.string() })

const common = { tags: ['Segments'] }

const all = createRoute({
  ...common,
  path: '/api/segments',
  method: 'get',
  operationId: 'segments',
  summary: 'List segments',
  description:
    'All segments with their definitions, most recently changed first. With the scope `read:aggregate` alone, `description`, `created_by` and `definition` are null, because they can name people.',
  responses: { 200: jsonResponse('The segments', z.array(SEGMENT.answer).readonly()), ...errorResponses(DATABASE_CODES) },
})

const creation = createRoute({
  ...common,
  path: '/api/segments',
  method: 'post',
  operationId: 'create_segment',
  summary: 'Create a segment',
  description: 'An invalid definition is refused. A name that does not exist yet is saved and listed in `warnings`.',
  request: { body: jsonBody(SEGMENT.body.shown) },
  responses: { 201: jsonResponse('The segment', SEGMENT.answer), ...errorResponses(['conflict', ...WRITE_CODES]) },
})

const one = createRoute({
  ...common,
  path: '/api/segments/{id}',
  method: 'get',
  operationId: 'segment',
  summary: 'Get a segment',
  description: 'Includes the definition, and `warnings` for names that do not exist.',
  request: { params },
  responses: { 200: jsonResponse('The segment', SEGMENT.answer), ...errorResponses(['not_found', ...DATABASE_CODES]) },
})

const change = createRoute({
  ...common,
  path: '/api/segments/{id}',
  method: 'put',
  operationId: 'update_segment',
  summary: 'Update a segment',
  description: 'Omitted fields stay unchanged. Queries use the new definition from now on.',
  request: { params, body: jsonBody(SEGMENT.change.shown) },
  responses: {
    200: jsonResponse('The segment', updated(SEGMENT.answer)),
    ...errorResponses(['not_found', 'conflict', ...WRITE_CODES]),
  },
})

const deletion = createRoute({
  ...common,
  path: '/api/segments/{id}',
  method: 'delete',
  operationId: 'delete_segment',
  summary: 'Delete a segment',
  description: 'Queries that use the segment are then refused with `unknown_segment`.',
  request: { params },
  responses: {
    200: jsonResponse('Deleted', DELETED),
    ...errorResponses(['not_found', ...DATABASE_CODES]),
  },
})

/** The saved segments. */
export function registerSegments(app: App, { segments }: Pick<Engine, 'segments'>): void {
  serve(app, all, async (context) => {
    const found = await segments.list()
    return context.json(seesCustomers(context) ? found : found.map(nameOnly), 200)
  })
  serve(app, creation, async (context) => {
    const segment = await segments.create(await readJson(context), signedIn(context))
    context.set('made', segment.id)
    return context.json(segment, 201)
  })
  serve(app, one, async (context) => context.json(await segments.get(context.req.param('id')), 200))
  serve(app, change, async (context) => {
    const segment = await segments.update(context.req.param('id'), await readJson(context))
    return context.json({ status: 'updated' as const, ...segment }, 200)
  })
  serve(app, deletion, async (context) => {
    await segments.delete(context.req.param('id'))
    return context.json({ status: 'deleted' as const }, 200)
  })
}

/** The segment without its description, creator and conditions. */
function nameOnly(segment: Segment): Segment {
  return { ...segment, description: null, created_by: null, definition: null, warnings: [] }
}
