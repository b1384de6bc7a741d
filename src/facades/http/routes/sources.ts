import { createRoute, z } from '@hono/zod-openapi'
import type { ErrorCode } from '../../../core/errors.ts'
import type { Engine } from '../../../engine/engine.ts'
import { limitBody, readJson } from '../body.ts'
import { errorResponses } from '../openapi/errors.ts'
import { INSTANT, jsonBody, jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'

const count = z.int()

const run = z
  .object({
    id: z.string(),
    kind: z.enum(['backfill', 'changes']),
    status: z.enum(['running', 'succeeded', 'failed']),
    started_at: INSTANT,
    finished_at: INSTANT.nullable(),
    counts: z
      .object({
        vendor: count,
        account: count,
        item: count,
        bill: count,
        vendor_credit: count,
        purchase: count,
        bill_payment: count,
      })
      .describe('Records that it has changed'),
    error: z.string().nullable(),
  })
  .meta({ id: 'SourceRun', description: 'A reading of the books of a source' })

/** A source as it is answered. */
export const SOURCE = z
  .object({
    id: z.string(),
    type: z.string(),
    name: z.string(),
    kind: z.enum(['database', 'accounting', 'file']),
    status: z
      .enum(['connected', 'needs_reconnect', 'disconnected'])
      .describe('`needs_reconnect`: the platform takes its tokens no longer, or their key is another one; its books stay'),
    config: z.record(z.string(), z.unknown()).describe('What is no secret'),
    created_at: INSTANT.nullable(),
    last_synced_at: INSTANT.nullable().describe('All that was changed before has been read'),
    last_run: run.nullable(),
    waiting: count.describe('Notifications that wait to be worked off'),
    dead_letters: count.describe('Notifications that were given up'),
  })
  .meta({ id: 'Source', description: 'Where billing data or books come from' })

const started = z
  .object({ status: z.literal('started'), source_id: z.string(), run_id: z.string() })
  .meta({ id: 'BackfillStarted' })
const nothing = z
  .object({ status: z.literal('nothing_to_backfill'), source_id: z.string(), detail: z.string() })
  .meta({ id: 'NothingToBackfill' })

/** Codes of whatever reads the store. */
export const SOURCE_READ: readonly ErrorCode[] = [
  'unsupported_by_connector',
  'connector_unavailable',
  'overloaded',
  'query_timeout',
  'internal',
]
/** Codes of a body on top. */
export const SOURCE_WRITE: readonly ErrorCode[] = ['payload_too_large', 'invalid_json', 'validation_failed', ...SOURCE_READ]

const common = { tags: ['Sources'] }
const params = z.object({ id: z.string() })

const all = createRoute({
  ...common,
  method: 'get',
  path: '/api/sources',
  operationId: 'sources',
  summary: 'All sources by id: databases of the billing engine, accounting platforms, series of files',
  description: 'With the state of each, its last run and what waits or was given up.',
  responses: { 200: jsonResponse('The sources, without secrets', z.array(SOURCE).readonly()), ...errorResponses(SOURCE_READ) },
})

const addition = createRoute({
  ...common,
  method: 'post',
  path: '/api/sources',
  operationId: 'add_source',
  summary: 'Add a source of an accounting platform',
  description: 'Where the platform asks for consent in the browser the source is `needs_reconnect` until that was given.',
  request: {
    body: jsonBody(
      z
        .object({
          type: z.string().min(1).max(64).describe('Name of the platform'),
          name: z.string().min(1).max(200).optional(),
          config: z.record(z.string(), z.unknown()).optional().describe('What the platform needs to know, such as `realm_id`'),
        })
        .meta({ id: 'NewSource' }),
    ),
  },
  responses: { 201: jsonResponse('The source', SOURCE), ...errorResponses(['conflict', ...SOURCE_WRITE]) },
})

const disconnection = createRoute({
  ...common,
  method: 'delete',
  path: '/api/sources/{id}',
  operationId: 'disconnect_source',
  summary: 'End the connection of a source; what was read from it stays and counts',
  description: 'Its tokens are deleted, and revoked where the platform can be reached.',
  request: { params },
  responses: {
    200: jsonResponse(
      'Disconnected',
      z
        .object({
          status: z.literal('disconnected'),
          source_id: z.string(),
          revoked: z.boolean().describe('Whether the platform knows'),
        })
        .meta({ id: 'Disconnection' }),
    ),
    ...errorResponses(['not_found', ...SOURCE_READ]),
  },
})

const backfill = createRoute({
  ...common,
  method: 'post',
  path: '/api/sources/{id}/backfill',
  operationId: 'backfill_source',
  summary: 'Read all books of a source anew',
  description:
    'It goes on after the answer; `last_run` of the source tells how far it is. One that was cut off or has failed is taken up again.',
  request: {
    params,
    body: jsonBody(
      z.object({ since: z.iso.date().optional().describe('Documents dated before are left out') }).meta({ id: 'Backfill' }),
    ),
  },
  responses: {
    202: jsonResponse('It runs', started),
    200: jsonResponse('A database is read live, files are imported', nothing),
    ...errorResponses(['not_found', 'conflict', ...SOURCE_WRITE]),
  },
})

/** The sources. */
export function registerSources(app: App, { sources }: Pick<Engine, 'sources'>, bodyBytes: number): void {
  const limited = limitBody(bodyBytes)
  serve(app, all, async (context) => context.json(await sources.list(), 200))
  serve(
    app,
    addition,
    async (context) => {
      const source = await sources.add(await readJson(context))
      context.set('made', source.id)
      return context.json(source, 201)
    },
    limited,
  )
  serve(app, disconnection, async (context) =>
    context.json({ status: 'disconnected' as const, ...(await sources.disconnect(context.req.param('id'))) }, 200),
  )
  serve(
    app,
    backfill,
    async (context) => {
      const answer = await sources.backfill(context.req.param('id'), await readJson(context))
      return answer.status === 'started' ? context.json(answer, 202) : context.json(answer, 200)
    },
    limited,
  )
}
