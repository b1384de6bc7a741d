import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { INSTANT } from '../../../workspace/records/fields.ts'
import { BACKFILL, NEW_SOURCE } from '../../../workspace/records/source.ts'
import { readJson } from '../body.ts'
import { DATABASE_CODES, errorResponses, WRITE_CODES } from '../openapi/errors.ts'
import { jsonBody, jsonResponse } from '../openapi/response.ts'
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
      .describe('Number of changed records, by kind'),
    error: z.string().nullable(),
  })
  .meta({ id: 'SourceRun', description: 'A backfill of a source, or a read of its changes' })

/** A source in responses. */
export const SOURCE = z
  .object({
    id: z.string(),
    type: z.string(),
    name: z.string(),
    kind: z.enum(['database', 'accounting', 'file']),
    status: z
      .enum(['connected', 'needs_reconnect', 'disconnected'])
      .describe(
        '`needs_reconnect`: the platform rejects the tokens, or the key that encrypts them has changed. Records that were read stay',
      ),
    config: z.record(z.string(), z.unknown()).describe('Settings without secrets'),
    created_at: INSTANT.nullable(),
    last_synced_at: INSTANT.nullable().describe('All changes before this time have been read'),
    // A named schema that may be null loses the null in the document.
    last_run: z.union([run, z.null()]),
    waiting: count.describe('Number of notifications waiting to be processed'),
    dead_letters: count.describe('Number of notifications that were given up'),
    unsupported: z
      .array(z.string())
      .readonly()
      .describe('Names of metrics and lists that a database cannot supply, such as `billing_health`. Empty for other sources'),
  })
  .meta({ id: 'Source', description: 'A source of billing data or expenses' })

const started = z
  .object({ status: z.literal('started'), source_id: z.string(), run_id: z.string() })
  .meta({ id: 'BackfillStarted' })
const nothing = z
  .object({ status: z.literal('nothing_to_backfill'), source_id: z.string(), detail: z.string() })
  .meta({ id: 'NothingToBackfill' })

const common = { tags: ['Sources'] }
const params = z.object({ id: z.string() })

const all = createRoute({
  ...common,
  method: 'get',
  path: '/api/sources',
  operationId: 'sources',
  summary: 'List sources',
  description:
    'Billing databases, accounting platforms and imported files, sorted by id. Each has its status, its last run and its notification counts.',
  responses: { 200: jsonResponse('The sources, without secrets', z.array(SOURCE).readonly()), ...errorResponses(DATABASE_CODES) },
})

const addition = createRoute({
  ...common,
  method: 'post',
  path: '/api/sources',
  operationId: 'add_source',
  summary: 'Add a source',
  description:
    'Adds a source of an accounting platform. If the platform requires consent in the browser, the status is `needs_reconnect` until consent is given.',
  request: {
    body: jsonBody(NEW_SOURCE.shown),
  },
  responses: { 201: jsonResponse('The source', SOURCE), ...errorResponses(['conflict', ...WRITE_CODES]) },
})

const disconnection = createRoute({
  ...common,
  method: 'delete',
  path: '/api/sources/{id}',
  operationId: 'disconnect_source',
  summary: 'Disconnect a source',
  description:
    'Deletes the tokens, and revokes them if the platform can be reached. Records that were read stay and still count.',
  request: { params },
  responses: {
    200: jsonResponse(
      'The source was disconnected',
      z
        .object({
          status: z.literal('disconnected'),
          source_id: z.string(),
          revoked: z.boolean().describe('True if the platform confirmed that the tokens are revoked'),
        })
        .meta({ id: 'Disconnection' }),
    ),
    ...errorResponses(['not_found', ...DATABASE_CODES]),
  },
})

const backfill = createRoute({
  ...common,
  method: 'post',
  path: '/api/sources/{id}/backfill',
  operationId: 'backfill_source',
  summary: 'Backfill a source',
  description:
    'Reads all records of a source again. The backfill runs in the background: see `last_run` of the source for its progress. A backfill that failed or was interrupted is resumed.',
  request: {
    params,
    body: jsonBody(BACKFILL.shown),
  },
  responses: {
    202: jsonResponse('The backfill has started', started),
    200: jsonResponse('Nothing to do: databases are read live, files are imported', nothing),
    ...errorResponses(['not_found', 'conflict', ...WRITE_CODES]),
  },
})

/** The sources. */
export function registerSources(app: App, { sources }: Pick<Engine, 'sources'>): void {
  serve(app, all, async (context) => context.json(await sources.list(), 200))
  serve(app, addition, async (context) => {
    const source = await sources.add(await readJson(context))
    context.set('made', source.id)
    return context.json(source, 201)
  })
  serve(app, disconnection, async (context) =>
    context.json({ status: 'disconnected' as const, ...(await sources.disconnect(context.req.param('id'))) }, 200),
  )
  serve(app, backfill, async (context) => {
    const answer = await sources.backfill(context.req.param('id'), await readJson(context))
    return answer.status === 'started' ? context.json(answer, 202) : context.json(answer, 200)
  })
}
