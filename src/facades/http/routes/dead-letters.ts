import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { limitBody, readJson } from '../body.ts'
import { errorResponses } from '../openapi/errors.ts'
import { named, queryOf } from '../openapi/query-parameters.ts'
import { DELETED, INSTANT, jsonBody, jsonResponse, pageOf } from '../openapi/response.ts'
import { parametersOf } from '../request.ts'
import { type App, serve } from '../serve.ts'
import { SOURCE_READ, SOURCE_WRITE } from './sources.ts'

const letter = z
  .object({
    id: z.string(),
    entity: z.string(),
    entity_id: z.string(),
    operation: z.string(),
    received_at: INSTANT,
    attempts: z.int(),
    error: z.string().nullable().describe('Why the last attempt failed'),
  })
  .meta({ id: 'DeadLetter', description: 'A notification that was given up' })

const common = { tags: ['Sources'] }
const params = z.object({ id: z.string().describe('Id of the source') })

const page = createRoute({
  ...common,
  method: 'get',
  path: '/api/sources/{id}/dead-letters',
  operationId: 'dead_letters',
  summary: 'Notifications that were given up after six attempts, by when they came',
  description: 'Each says why its last attempt failed.',
  request: { params, query: queryOf(named(['limit', 'offset'])) },
  responses: {
    200: jsonResponse('A page', pageOf(letter)),
    ...errorResponses(['not_found', 'invalid_value', ...SOURCE_READ]),
  },
})

const retry = createRoute({
  ...common,
  method: 'post',
  path: '/api/sources/{id}/dead-letters/retry',
  operationId: 'retry_dead_letters',
  summary: 'Try dead letters again',
  description: 'They wait like new notifications and have all their attempts again.',
  request: {
    params,
    body: jsonBody(
      z
        .object({
          ids: z
            .union([z.literal('all'), z.array(z.string()).min(1).max(1_000)])
            .optional()
            .describe('`all` if absent'),
        })
        .meta({ id: 'LettersToRetry' }),
    ),
  },
  responses: {
    200: jsonResponse(
      'How many wait again',
      z.object({ status: z.literal('waiting'), retried: z.int() }).meta({ id: 'LettersRetried' }),
    ),
    ...errorResponses(['not_found', ...SOURCE_WRITE]),
  },
})

const drop = createRoute({
  ...common,
  method: 'delete',
  path: '/api/sources/{id}/dead-letters/{letter}',
  operationId: 'drop_dead_letter',
  summary: 'Drop a dead letter',
  description: 'What it told of stays unread until the record changes again or the source is backfilled.',
  request: { params: params.extend({ letter: z.string().describe('Id of the dead letter') }) },
  responses: {
    200: jsonResponse('Dropped', DELETED),
    ...errorResponses(['not_found', ...SOURCE_READ]),
  },
})

/** The notifications of a source that were given up. */
export function registerDeadLetters(app: App, { sources }: Pick<Engine, 'sources'>, bodyBytes: number): void {
  serve(app, page, async (context) =>
    context.json(await sources.deadLetters(context.req.param('id'), parametersOf(context)), 200),
  )
  serve(
    app,
    retry,
    async (context) => {
      const retried = await sources.retryDeadLetters(context.req.param('id'), await readJson(context))
      return context.json({ status: 'waiting' as const, retried }, 200)
    },
    limitBody(bodyBytes),
  )
  serve(app, drop, async (context) => {
    await sources.dropDeadLetter(context.req.param('id'), context.req.param('letter'))
    return context.json({ status: 'deleted' as const }, 200)
  })
}
