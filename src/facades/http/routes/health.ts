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
      .enum(['replica', 'store', 'lake'])
      .optional()
      .describe('Why the service is not ready. Absent if it is ready, or if `checks` has the details'),
    checks: z
      .object({
        replica: z.object({
          ok: z.boolean(),
          role: z.enum(['replica', 'primary', 'unknown']),
          lag_seconds: z.number().nullable().describe('Replication lag. Null on a primary, and if unknown'),
          version: z.string().nullable(),
          schema: z.string().nullable(),
          reason: z.string().optional().describe('Why the replica is not known to be up to date. Absent if it is'),
        }),
        store: z.object({ ok: z.boolean().nullable().describe('Null if the store is switched off') }),
        sources: z
          .object({
            needs_reconnect: z.array(z.string()).readonly(),
            dead_letters: z.number().int(),
            waiting: z.number().int().describe('Number of notifications waiting to be processed'),
            oldest_waiting_at: z.iso.datetime().nullable().describe('Arrival time of the oldest waiting notification'),
          })
          .optional()
          .describe('Expense sources that need attention. Absent if there are none. They do not affect readiness'),
        deliveries: z
          .object({
            ok: z.boolean(),
            failed: z.array(z.string()).readonly().describe('Ids of those whose last run could not be sent'),
          })
          .optional()
          .describe('Deliveries. Absent if there are none. They do not affect readiness'),
        cache: z
          .object({
            status: z.enum(['idle', 'filling', 'ready', 'failed']).describe('Unless `ready`, requests go to the replica'),
            accounts: z.number().int().describe('Number of accounts in the cache, or read so far'),
            progress: z
              .object({
                rows: z.number().int().describe('Number of rows read from the billing database so far'),
                accounts_total: z.number().int().nullable().describe('Number of accounts to fill. Null until they are counted'),
                share: z.number().nullable().describe('Share of the work that is done, from 0 to 1. Null until it is known'),
                seconds_left: z
                  .number()
                  .int()
                  .nullable()
                  .describe('Estimate of the seconds until the end. Null until there is one'),
              })
              .optional()
              .describe('How far the filling is. Absent unless `status` is `filling`'),
            reason: z
              .string()
              .optional()
              .describe('Why the last fill failed. Absent if none failed, or if the reason is only in the log'),
            snapshot_at: z.iso
              .datetime()
              .nullable()
              .describe('Timestamp of the replica snapshot that the cache reflects. Null before the first fill'),
            answered: z.number().int().describe('Number of requests answered from the cache since the process started'),
            declined: z
              .record(z.string(), z.number().int())
              .describe(
                'Number of requests sent to the replica instead, by reason: `not_started`, `not_filled`, `refresh_failed`, `outdated`, `now_out_of_range`, `failed`, `dropped`, `waited_too_long`, `closing`',
              ),
            refills: z
              .record(z.string(), z.number().int())
              .describe(
                'Number of times that the cache was filled again, by reason: `settings`, `database_replaced`, `rows_gone`, `role_rights`, `many_customers`, `daily`, `replaced_rows`, `failure`, or another reason of the connector',
              ),
          })
          .optional()
          .describe('Absent if there is no cache'),
        lake: z
          .object({
            ok: z.boolean().describe('True if questions are answered'),
            status: z
              .enum(['ready', 'stale', 'none'])
              .describe(
                '`stale`: the newest publication is of another version or other definitions, or too old. `none`: no publication answers',
              ),
            publication: z.string().nullable().describe('Id of the publication that answers'),
            data_through: z.iso.datetime().nullable().describe('Timestamp up to which its billing tables were surely complete'),
            made_at: z.iso.datetime().nullable(),
            age_seconds: z.number().int().nullable().describe('Age of the publication'),
            reason: z.string().optional().describe('Why the status is not `ready`. Absent if it is'),
          })
          .optional()
          .describe('Absent if the configuration names no lake'),
      })
      .optional()
      .describe('If `auth.enabled` is set, only for credentials with the scope `read`'),
  })
  .meta({ id: 'Readiness', description: 'Readiness of the service and its dependencies' })

const NOT_STORED = { 'cache-control': 'no-store' }

const common = { tags: ['Health'] }

const liveness = createRoute({
  ...common,
  method: 'get',
  path: '/healthz',
  operationId: 'healthz',
  summary: 'Check liveness',
  description: 'Returns 200 if the process is running. It contacts no database.',
  responses: {
    200: jsonResponse('The process is running', z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' })),
    ...errorResponses(['internal']),
  },
})

const ready = createRoute({
  ...common,
  method: 'get',
  path: '/readyz',
  operationId: 'readyz',
  summary: 'Check readiness',
  description:
    'Checks the replica, the store and the lake. A load balancer can use it to send requests only to instances that can answer. If `auth.enabled` is ' +
    'set, the details need a credential with the scope `read`. Without one, the response has only `status` and `reason`.',
  responses: {
    200: jsonResponse('Ready', readiness),
    503: jsonResponse(
      'Not ready: the replica is unreachable, lags too far behind, or its lag is unknown; the schema check failed; the store is unreachable; or the lake has no publication to answer from',
      readiness,
      ['retry-after'],
    ),
    ...errorResponses(['internal']),
  },
})

/** Liveness, which contacts nothing, and readiness, which checks everything that answers need. */
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

// Versions, schema and counts need the scope `read`.
function briefly({ status, checks }: Readiness) {
  if (status === 'ok') return { status }
  if (!checks.replica.ok) return { status, reason: 'replica' as const }
  return { status, reason: checks.store.ok === false ? ('store' as const) : ('lake' as const) }
}

const figures = createRoute({
  method: 'get',
  path: '/metrics',
  operationId: 'prometheus',
  tags: ['Health'],
  summary: 'Prometheus metrics of the service',
  description:
    'Requests, queues, cache, replica, store and process, in the text exposition format. The metrics are of this process.',
  responses: { 200: textResponse('Prometheus text format', 'text/plain', z.string()), ...errorResponses(['internal']) },
})

/** The Prometheus metrics of the service. */
export function registerPrometheus(app: App, exposition: Exposition): void {
  serve(app, figures, async (context) => context.text(await exposition.text(), 200, { 'Content-Type': exposition.contentType }))
}
