import { createRoute, z } from '@hono/zod-openapi'
import type { Engine, Readiness } from '../../../engine/engine.ts'
import { errorResponses } from '../openapi/errors.ts'
import { jsonResponse, textResponse } from '../openapi/response.ts'
import type { Exposition } from '../prometheus/exposition.ts'
import { type App, serve } from '../serve.ts'

const readiness = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    reason: z
      .enum(['replica', 'store'])
      .optional()
      .describe('Why not, in a word; absent where it is ready, and where `checks` says more'),
    checks: z
      .object({
        replica: z.object({
          ok: z.boolean(),
          role: z.enum(['replica', 'primary', 'unknown']),
          lag_seconds: z.number().nullable().describe('null on a primary, and where it is not known'),
          version: z.string().nullable(),
          schema: z.string().nullable(),
          reason: z.string().optional().describe('What keeps the replica from being known as up to date; absent if nothing does'),
        }),
        store: z.object({ ok: z.boolean().nullable().describe('null if switched off') }),
        sources: z
          .object({
            needs_reconnect: z.array(z.string()).readonly(),
            dead_letters: z.number().int(),
            waiting: z.number().int().describe('Notifications that wait to be worked off'),
            oldest_waiting_at: z.iso.datetime().nullable().describe('When the one came that waits longest'),
          })
          .optional()
          .describe('Sources of books that somebody has to look after; absent where there are none. They do not make it unready'),
        cache: z
          .object({
            status: z.enum(['idle', 'filling', 'ready', 'failed']).describe('Unless ready, answers come from the replica'),
            accounts: z.number().int().describe('Accounts held, or read so far'),
            reason: z
              .string()
              .optional()
              .describe('Why the last filling failed; absent where none has, or only the log may tell'),
            snapshot_at: z.iso
              .datetime()
              .nullable()
              .describe('Instant of the replica that it was brought up to last; null before it was filled'),
            answered: z.number().int().describe('Answers that came from it since the process started'),
            declined: z
              .record(z.string(), z.number().int())
              .describe(
                'Requests left to the replica, by reason: not_started, not_filled, refresh_failed, outdated, now_out_of_range, failed, dropped, waited_too_long, closing',
              ),
          })
          .optional()
          .describe('Absent where there is no cache'),
      })
      .optional()
      .describe('With `auth.enabled` only for a credential with the scope `read`'),
  })
  .meta({ id: 'Readiness', description: 'Whether the service can answer, and what it depends on' })

const NOT_STORED = { 'cache-control': 'no-store' }

const common = { tags: ['Health'] }

const liveness = createRoute({
  ...common,
  method: 'get',
  path: '/healthz',
  operationId: 'healthz',
  summary: 'Liveness; touches no database',
  description: 'Says that the process answers, and nothing else.',
  responses: {
    200: jsonResponse('The process answers', z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' })),
    ...errorResponses(['internal']),
  },
})

const ready = createRoute({
  ...common,
  method: 'get',
  path: '/readyz',
  operationId: 'readyz',
  summary: 'Readiness: replica and store',
  description:
    'Asks the replica and the store, so that a balancer sends requests only where they can be answered. With `auth.enabled` the details ' +
    'need a credential with the scope `read`; without one the answer is the status, and the reason in a word.',
  responses: {
    200: jsonResponse('Ready', readiness),
    503: jsonResponse(
      'Replica unreachable, too far behind or nobody knows how far, schema check failed, or store unreachable',
      readiness,
      ['retry-after'],
    ),
    ...errorResponses(['internal']),
  },
})

/** Liveness, which touches nothing, and readiness, which asks the replica and the store. */
export function registerHealth(app: App, engine: Pick<Engine, 'readiness'>): void {
  serve(app, liveness, (context) => context.json({ status: 'ok' as const }, 200, NOT_STORED))
  serve(app, ready, async (context) => {
    const known = await engine.readiness()
    const found = context.get('principal').scopes.includes('read') ? known : briefly(known)
    return found.status === 'ok'
      ? context.json(found, 200, NOT_STORED)
      : context.json(found, 503, { ...NOT_STORED, 'retry-after': '5' })
  })
}

// Versions, schema and counts are for those who may read.
function briefly({ status, checks }: Readiness) {
  if (status === 'ok') return { status }
  return { status, reason: checks.replica.ok ? ('store' as const) : ('replica' as const) }
}

const figures = createRoute({
  method: 'get',
  path: '/metrics',
  operationId: 'prometheus',
  tags: ['Health'],
  summary: 'Figures of the service itself, for Prometheus: requests, queues, cache, replica, store, process',
  description: 'The text exposition format. The figures are of this process.',
  responses: { 200: textResponse('Text exposition format', 'text/plain', z.string()), ...errorResponses(['internal']) },
})

/** The service's own figures, for Prometheus. */
export function registerPrometheus(app: App, exposition: Exposition): void {
  serve(app, figures, async (context) => context.text(await exposition.text(), 200, { 'Content-Type': exposition.contentType }))
}
