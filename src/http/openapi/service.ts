import { type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Environment } from '../environment.ts'
import { type ErrorSchema, errorResponses } from './errors.ts'
import { pickHeaders } from './headers.ts'
import { jsonResponse, textResponse } from './response.ts'

const readiness = z.object({
  status: z.enum(['ok', 'unavailable']),
  checks: z.object({
    replica: z.object({
      ok: z.boolean(),
      role: z.enum(['replica', 'primary', 'unknown']),
      lag_seconds: z.number().nullable(),
      version: z.string().nullable(),
      schema: z.string().nullable(),
    }),
    store: z.object({ ok: z.boolean().nullable().describe('null if switched off') }),
    cache: z
      .object({
        status: z.enum(['idle', 'filling', 'ready', 'failed']).describe('Unless ready, answers come from the replica'),
        accounts: z.number().int().describe('Accounts held, or read so far'),
      })
      .optional()
      .describe('Absent where there is no cache'),
  }),
})

/** Health and documentation in the document. */
export function describeService(app: OpenAPIHono<Environment>, error: ErrorSchema): void {
  const { openAPIRegistry: registry } = app
  const internal = errorResponses(error, ['internal'])
  const health = { method: 'get' as const, tags: ['Health'] }
  registry.registerPath({
    ...health,
    path: '/healthz',
    operationId: 'healthz',
    summary: 'Liveness; touches no database',
    responses: { 200: jsonResponse('The process answers', z.object({ status: z.literal('ok') })), ...internal },
  })
  registry.registerPath({
    ...health,
    path: '/readyz',
    operationId: 'readyz',
    summary: 'Readiness: replica and store',
    responses: {
      200: jsonResponse('Ready', readiness),
      503: jsonResponse('Replica unreachable or too far behind, schema check failed, or store unreachable', readiness, [
        'retry-after',
      ]),
      ...internal,
    },
  })
  const docs = { method: 'get' as const, tags: ['Documentation'] }
  const page = textResponse('HTML page', 'text/html', z.string())
  registry.registerPath({
    ...docs,
    path: '/docs',
    operationId: 'docs',
    summary: 'Interactive documentation',
    responses: { 200: page, ...internal },
  })
  registry.registerPath({
    ...docs,
    path: '/redoc',
    operationId: 'redoc',
    summary: 'The same as one page',
    responses: { 200: page, ...internal },
  })
  registry.registerPath({
    ...docs,
    path: '/docs/assets/{file}',
    operationId: 'docs_asset',
    summary: 'Script, style or image of the documentation pages',
    request: { params: z.object({ file: z.string().describe('File name') }) },
    responses: {
      200: textResponse('The file', 'application/octet-stream', z.string()),
      ...errorResponses(error, ['not_found', 'internal']),
    },
  })
  registry.registerPath({
    ...docs,
    path: '/openapi.json',
    operationId: 'openapi',
    summary: 'This document',
    responses: { 200: jsonResponse('OpenAPI 3.1 document', z.looseObject({ openapi: z.string() })), ...internal },
  })
  registry.registerPath({
    ...docs,
    path: '/',
    operationId: 'root',
    summary: 'Leads to the documentation',
    responses: { 302: { description: 'To `/docs`', headers: pickHeaders('x-request-id') }, ...internal },
  })
}
