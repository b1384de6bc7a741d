import { createRoute, z } from '@hono/zod-openapi'
import { AppError } from '../../../core/errors.ts'
import { updated } from '../../../workspace/records/define-record.ts'
import { DELIVERY, DELIVERY_RUN } from '../../../workspace/records/delivery.ts'
import type { Deliveries } from '../../deliveries/contract.ts'
import { readJson } from '../body.ts'
import type { RequestContext } from '../environment.ts'
import { DATABASE_CODES, errorResponses, WRITE_CODES } from '../openapi/errors.ts'
import { DELETED, jsonBody, jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'

const params = z.object({ id: z.string() })
const common = { tags: ['Deliveries'] }

const SIGNING_KEY = z
  .string()
  .nullable()
  .describe('The key that signs bodies of JSON webhooks. It is returned only once, when the first such webhook is added')
const SAVED = DELIVERY.answer.extend({ signing_key: SIGNING_KEY }).meta({ id: 'SavedDelivery' })

const PREVIEW = z
  .object({
    sends: z.boolean(),
    reason: z.string().nullable().describe('Why a run now would send nothing. Null if it would send'),
    subject: z.string().nullable(),
    text: z.string().nullable(),
    html: z.string().nullable(),
  })
  .meta({ id: 'DeliveryPreview', description: 'What a run now would send' })

const all = createRoute({
  ...common,
  method: 'get',
  path: '/api/deliveries',
  operationId: 'deliveries',
  summary: 'List deliveries',
  description:
    'All deliveries and alerts of the workspace, by name. Addresses of webhooks are secrets: only their hosts are shown.',
  responses: { 200: jsonResponse('The deliveries', z.array(DELIVERY.answer).readonly()), ...errorResponses(DATABASE_CODES) },
})

const creation = createRoute({
  ...common,
  method: 'post',
  path: '/api/deliveries',
  operationId: 'create_delivery',
  summary: 'Create a delivery',
  description:
    'Each receiver first gets a test message. If one does not accept it, nothing is saved. What an alert watches is asked once, so that a wrong question is refused now.',
  request: { body: jsonBody(DELIVERY.body.shown) },
  responses: { 201: jsonResponse('The delivery', SAVED), ...errorResponses(['conflict', ...WRITE_CODES]) },
})

const one = createRoute({
  ...common,
  method: 'get',
  path: '/api/deliveries/{id}',
  operationId: 'delivery',
  summary: 'Get a delivery',
  request: { params },
  responses: { 200: jsonResponse('The delivery', DELIVERY.answer), ...errorResponses(['not_found', ...DATABASE_CODES]) },
})

const change = createRoute({
  ...common,
  method: 'put',
  path: '/api/deliveries/{id}',
  operationId: 'update_delivery',
  summary: 'Update a delivery',
  description:
    'Omitted fields stay unchanged. Only new receivers get a test message. A webhook that stays is named by its `id` and `form`.',
  request: { params, body: jsonBody(DELIVERY.change.shown) },
  responses: {
    200: jsonResponse('The delivery', updated(SAVED)),
    ...errorResponses(['not_found', 'conflict', ...WRITE_CODES]),
  },
})

const deletion = createRoute({
  ...common,
  method: 'delete',
  path: '/api/deliveries/{id}',
  operationId: 'delete_delivery',
  summary: 'Delete a delivery',
  description: 'Also deletes its runs.',
  request: { params },
  responses: { 200: jsonResponse('Deleted', DELETED), ...errorResponses(['not_found', ...DATABASE_CODES]) },
})

const runs = createRoute({
  ...common,
  method: 'get',
  path: '/api/deliveries/{id}/runs',
  operationId: 'delivery_runs',
  summary: 'List the runs of a delivery',
  description: 'The 50 newest runs, the newest first.',
  request: { params },
  responses: {
    200: jsonResponse('The runs', z.array(DELIVERY_RUN).readonly()),
    ...errorResponses(['not_found', ...DATABASE_CODES]),
  },
})

const trial = createRoute({
  ...common,
  method: 'post',
  path: '/api/deliveries/{id}/test',
  operationId: 'test_delivery',
  summary: 'Send a test message',
  description: 'Every receiver gets a test message without figures. The answer comes when all have accepted it.',
  request: { params },
  responses: {
    200: jsonResponse('Sent', z.object({ status: z.literal('sent') }).meta({ id: 'DeliveryTested' })),
    ...errorResponses(['not_found', ...WRITE_CODES]),
  },
})

const preview = createRoute({
  ...common,
  method: 'post',
  path: '/api/deliveries/{id}/preview',
  operationId: 'preview_delivery',
  summary: 'Show what a run would send',
  description: 'The message of a run now, as text and HTML. Nothing is sent, and nothing is noted.',
  request: { params },
  responses: { 200: jsonResponse('The message', PREVIEW), ...errorResponses(['not_found', ...WRITE_CODES]) },
})

/** Deliveries and alerts. */
export function registerDeliveries(app: App, deliveries: Deliveries | undefined): void {
  const opened = (): Deliveries => {
    if (deliveries === undefined) throw new AppError('unsupported_by_connector', 'This service sends nothing.')
    return deliveries
  }
  serve(app, all, async (context) => context.json(await opened().list(), 200))
  serve(app, creation, async (context) => {
    const body = await readJson(context)
    const { delivery, signing_key } = await opened().create(body, signedIn(context), context.req.raw.signal)
    context.set('made', delivery.id)
    return context.json({ ...delivery, signing_key }, 201)
  })
  serve(app, one, async (context) => context.json(await opened().get(context.req.param('id')), 200))
  serve(app, change, async (context) => {
    const body = await readJson(context)
    const { delivery, signing_key } = await opened().update(context.req.param('id'), body, context.req.raw.signal)
    return context.json({ status: 'updated' as const, ...delivery, signing_key }, 200)
  })
  serve(app, deletion, async (context) => {
    await opened().remove(context.req.param('id'))
    return context.json({ status: 'deleted' as const }, 200)
  })
  serve(app, runs, async (context) => context.json(await opened().runs(context.req.param('id')), 200))
  serve(app, trial, async (context) => {
    await opened().test(context.req.param('id'), context.req.raw.signal)
    return context.json({ status: 'sent' as const }, 200)
  })
  serve(app, preview, async (context) =>
    context.json(await opened().preview(context.req.param('id'), context.req.raw.signal), 200),
  )
}

function signedIn(context: RequestContext): string | null {
  const { id, kind } = context.get('principal')
  return kind === 'anonymous' ? null : id
}
