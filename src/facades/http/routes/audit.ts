import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { AUDIT_INPUTS, acceptedByList, plainFilter } from '../../../engine/shapes.ts'
import { errorResponses } from '../openapi/errors.ts'
import { named, queryOf } from '../openapi/query-parameters.ts'
import { INSTANT, jsonResponse, pageOf } from '../openapi/response.ts'
import { parametersOf } from '../request.ts'
import { type App, serve } from '../serve.ts'

const event = z
  .object({
    id: z.string(),
    at: INSTANT,
    actor_id: z.string(),
    actor_kind: z.enum(['anonymous', 'api_key', 'oidc', 'command_line']),
    actor_name: z.string().nullable().describe('As it was called then'),
    action: z.string().describe('`sign_in`, `credential.refused`, `personal.read`, `export`, `segment.create`, …'),
    path: z.string().nullable().describe('Method and path of the operation, without the values in it'),
    target: z.string().nullable().describe('Ids in the path or of what was made; of a refusal its reason'),
    remote_address: z.string().nullable(),
    request_id: z.string().nullable(),
    outcome: z.enum(['ok', 'refused', 'failed']),
    status: z.int().nullable(),
    count: z.int().describe('How many alike it stands for'),
  })
  .meta({ id: 'AuditEvent', description: 'What somebody did or tried; never a body or a secret' })

const log = createRoute({
  tags: ['Authentication'],
  method: 'get',
  path: '/api/audit',
  operationId: 'audit',
  summary: 'What was done and by whom, the newest first',
  description:
    'Sign-ins, refused credentials, changes, imports, exports and reads of personal data, as far back as `auth.audit_days`. What was done shows up within a second.',
  request: {
    query: queryOf([
      ...AUDIT_INPUTS.fields.map((field) => plainFilter(field, field.known)),
      ...named(acceptedByList(AUDIT_INPUTS), { start: 'First day, in UTC.', end: 'Last day, in UTC.' }),
    ]),
  },
  responses: {
    200: jsonResponse('A page and the number of events in all', pageOf(event)),
    ...errorResponses([
      'invalid_operator',
      'invalid_value',
      'invalid_interval',
      'invalid_range',
      'unsupported_by_connector',
      'connector_unavailable',
      'overloaded',
      'query_timeout',
      'internal',
    ]),
  },
})

/** The audit log. */
export function registerAudit(app: App, { auth }: Pick<Engine, 'auth'>): void {
  serve(app, log, async (context) => context.json(await auth.audit(parametersOf(context)), 200))
}
