import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { MARK } from '../../../engine/shapes.ts'
import { readJson } from '../body.ts'
import { DATABASE_CODES, errorResponses, WRITE_CODES } from '../openapi/errors.ts'
import { DELETED, jsonBody, jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'

const common = { tags: ['Marks'] }

const all = createRoute({
  ...common,
  path: '/api/billing-health/marks',
  method: 'get',
  operationId: 'billing_marks',
  summary: 'List marks of findings and notices',
  description:
    'All marks, newest first. A mark counts while its finding or notice exists. It stays in this list until it is removed.',
  responses: { 200: jsonResponse('The marks', z.array(MARK.answer).readonly()), ...errorResponses(DATABASE_CODES) },
})

const creation = createRoute({
  ...common,
  path: '/api/billing-health/marks',
  method: 'post',
  operationId: 'create_billing_mark',
  summary: 'Mark a finding or a notice',
  description:
    'Marks it as `seen`, or as `no_error`, which takes it out of the sums. An earlier mark of it is replaced. Give as many ids as it takes to name one: those that are null or left out do not narrow. If nothing has these ids at present, the answer is 404; if several have, it is 409.',
  request: { body: jsonBody(MARK.body.shown) },
  responses: {
    201: jsonResponse('The mark', MARK.answer),
    ...errorResponses(['not_found', 'conflict', ...WRITE_CODES]),
  },
})

const deletion = createRoute({
  ...common,
  path: '/api/billing-health/marks/{id}',
  method: 'delete',
  operationId: 'delete_billing_mark',
  summary: 'Remove a mark',
  description: 'The finding or notice counts as before.',
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: jsonResponse('Deleted', DELETED), ...errorResponses(['not_found', ...DATABASE_CODES]) },
})

/** Marks of findings and notices of billing health (http-api.md 12). */
export function registerBillingMarks(app: App, { marks }: Pick<Engine, 'marks'>): void {
  serve(app, all, async (context) => context.json(await marks.list(), 200))
  serve(app, creation, async (context) => {
    const { id, kind } = context.get('principal')
    const mark = await marks.create(await readJson(context), kind === 'anonymous' ? null : id)
    context.set('made', mark.id)
    return context.json(mark, 201)
  })
  serve(app, deletion, async (context) => {
    await marks.delete(context.req.param('id'))
    return context.json({ status: 'deleted' as const }, 200)
  })
}
