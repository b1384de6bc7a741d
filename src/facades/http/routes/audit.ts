import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { AUDIT_INPUTS, acceptedByList, plainFilter } from '../../../engine/shapes.ts'
import { INSTANT } from '../../../workspace/records/fields.ts'
import { DATABASE_CODES, errorResponses } from '../openapi/errors.ts'
import { named, queryOf } from '../openapi/query-parameters.ts'
import { jsonResponse, pageOf } from '../openapi/response.ts'
import { parametersOf } from '../request.ts'
import { type App, serve } from '../serve.ts'

const event = z
  .object({
    id: z.string(),
    at: INSTANT,
    actor_id: z.string(),
    actor_kind: z.enum(['anonymous', 'api_key', 'oidc', 'command_line']),
    actor_name: z.string().nullable().describe('Name of the actor at that time'),
    action: z.string().describe('`sign_in`, `credential.refused`, `personal.read`, `export`, `segment.create`, …'),
    path: z.string().nullable().describe('Method and path of the operation, without path values'),
    target: z.string().nullable().describe('Ids in the path, or id of the created record. For a refused credential, the reason'),
    remote_address: z.string().nullable(),
    request_id: z.string().nullable(),
    outcome: z.enum(['ok', 'refused', 'failed']),
    status: z.int().nullable(),
    count: z.int().describe('Number of identical events that this entry represents'),
  })
  .meta({ id: 'AuditEvent', description: 'An action or an attempt. It never contains a body or a secret' })

const log = createRoute({
  tags: ['Authentication'],
  method: 'get',
  path: '/api/audit',
  operationId: 'audit',
  summary: 'List audit events',
  description:
    'Sign-ins, refused credentials, changes, imports, exports and reads of personal data, newest first. Events are kept for `auth.audit_days`. A new event appears within a second.',
  request: {
    query: queryOf([
      ...AUDIT_INPUTS.fields.map((field) => plainFilter(field, field.known)),
      ...named(acceptedByList(AUDIT_INPUTS), { start: 'First day, in UTC.', end: 'Last day, in UTC.' }),
    ]),
  },
  responses: {
    200: jsonResponse('A page of events, with the total number', pageOf(event)),
    ...errorResponses(['invalid_operator', 'invalid_value', 'invalid_interval', 'invalid_range', ...DATABASE_CODES]),
  },
})

/** The audit log. */
export function registerAudit(app: App, { auth }: Pick<Engine, 'auth'>): void {
  serve(app, log, async (context) => context.json(await auth.audit(parametersOf(context)), 200))
}
