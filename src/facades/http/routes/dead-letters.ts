import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { INSTANT } from '../../../workspace/records/fields.ts'
import { LETTERS_TO_RETRY } from '../../../workspace/records/source.ts'
import { readJson } from '../body.ts'
import { DATABASE_CODES, errorResponses, WRITE_CODES } from '../openapi/errors.ts'
import { named, queryOf } from '../openapi/query-parameters.ts'
import { DELETED, jsonBody, jsonResponse, pageOf } from '../openapi/response.ts'
import { parametersOf } from '../request.ts'
import { type App, serve } from '../serve.ts'

const letter = z
  .object({
    id: z.string(),
    entity: z.string(),
    entity_id: z.string(),
    operation: z.string(),
    received_at: INSTANT,
    attempts: z.int(),
    error: z.string().nullable().describe('Reason why the last attempt failed'),
  })
  .meta({ id: 'DeadLetter', description: 'A notification that was given up after six failed attempts' })

const common = { tags: ['Sources'] }
const params = z.object({ id: z.string().describe('Id of the source') })

const page = createRoute({
  ...common,
  method: 'get',
  path: '/api/sources/{id}/dead-letters',
  operationId: 'dead_letters',
  summary: 'List dead letters',
  description:
    'Notifications that were given up after six failed attempts, in order of arrival. Each has the reason of its last failure.',
  request: { params, query: queryOf(named(['limit', 'offset'])) },
  responses: {
    200: jsonResponse('A page of dead letters', pageOf(letter)),
    ...errorResponses(['not_found', 'invalid_value', ...DATABASE_CODES]),
  },
})

const retry = createRoute({
  ...common,
  method: 'post',
  path: '/api/sources/{id}/dead-letters/retry',
  operationId: 'retry_dead_letters',
  summary: 'Retry dead letters',
  description: 'The notifications are queued like new ones, with all six attempts.',
  request: {
    params,
    body: jsonBody(LETTERS_TO_RETRY.shown),
  },
  responses: {
    200: jsonResponse(
      'Number of notifications queued again',
      z.object({ status: z.literal('waiting'), retried: z.int() }).meta({ id: 'LettersRetried' }),
    ),
    ...errorResponses(['not_found', ...WRITE_CODES]),
  },
})

const drop = createRoute({
  ...common,
  method: 'delete',
  path: '/api/sources/{id}/dead-letters/{letter}',
  operationId: 'drop_dead_letter',
  summary: 'Delete a dead letter',
  description: 'Its record is not read until it changes again or you backfill the source.',
  request: { params: params.extend({ letter: z.string().describe('Id of the dead letter') }) },
  responses: {
    200: jsonResponse('Deleted', DELETED),
    ...errorResponses(['not_found', ...DATABASE_CODES]),
  },
})

/** The dead letters of a source. */
export function registerDeadLetters(app: App, { sources }: Pick<Engine, 'sources'>): void {
  serve(app, page, async (context) =>
    context.json(await sources.deadLetters(context.req.param('id'), parametersOf(context)), 200),
  )
  serve(app, retry, async (context) => {
    const retried = await sources.retryDeadLetters(context.req.param('id'), await readJson(context))
    return context.json({ status: 'waiting' as const, retried }, 200)
  })
  serve(app, drop, async (context) => {
    await sources.dropDeadLetter(context.req.param('id'), context.req.param('letter'))
    return context.json({ status: 'deleted' as const }, 200)
  })
}
