import { type OpenAPIHono, z } from '@hono/zod-openapi'
import type { ErrorCode } from '../../core/errors.ts'
import type { Environment } from '../environment.ts'
import { type ErrorSchema, errorResponses } from './errors.ts'
import { jsonResponse } from './response.ts'
import { segmentDefinition } from './segment-validation.ts'

const record = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  definition: segmentDefinition,
  created_by: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  warnings: z.array(z.string()).describe('What the definition names and nothing has; a query that meets one is refused'),
})

const name = z.string().min(1).max(200).describe('Unique, without blanks around it')
const description = z.string().nullable().optional()
const id = z.object({ id: z.string() })

const READ: readonly ErrorCode[] = ['unsupported_by_connector', 'connector_unavailable', 'query_timeout', 'internal']
const WRITE: readonly ErrorCode[] = ['payload_too_large', 'invalid_json', 'validation_failed', 'conflict', ...READ]

/** The saved segments in the document. */
export function describeSegments(app: OpenAPIHono<Environment>, error: ErrorSchema): void {
  const { openAPIRegistry: registry } = app
  const tags = ['Segments']
  registry.registerPath({
    method: 'get',
    path: '/api/segments',
    operationId: 'segments',
    tags,
    summary: 'All segments, the last changed first',
    responses: { 200: jsonResponse('The segments', z.array(record)), ...errorResponses(error, READ) },
  })
  registry.registerPath({
    method: 'post',
    path: '/api/segments',
    operationId: 'create_segment',
    tags,
    summary: 'Save a segment',
    description: 'What is wrong in itself is refused; a name that nothing has yet is saved and becomes a warning.',
    request: { body: jsonBody(z.object({ name, description, definition: segmentDefinition })) },
    responses: { 201: jsonResponse('The segment', record), ...errorResponses(error, WRITE) },
  })
  registry.registerPath({
    method: 'get',
    path: '/api/segments/{id}',
    operationId: 'segment',
    tags,
    summary: 'One segment',
    request: { params: id },
    responses: { 200: jsonResponse('The segment', record), ...errorResponses(error, ['not_found', ...READ]) },
  })
  registry.registerPath({
    method: 'put',
    path: '/api/segments/{id}',
    operationId: 'update_segment',
    tags,
    summary: 'Change a segment; what is absent stays as it is',
    request: {
      params: id,
      body: jsonBody(z.object({ name: name.optional(), description, definition: segmentDefinition.optional() })),
    },
    responses: {
      200: jsonResponse('The segment', z.object({ status: z.literal('updated') }).extend(record.shape)),
      ...errorResponses(error, ['not_found', ...WRITE]),
    },
  })
  registry.registerPath({
    method: 'delete',
    path: '/api/segments/{id}',
    operationId: 'delete_segment',
    tags,
    summary: 'Delete a segment',
    request: { params: id },
    responses: {
      200: jsonResponse('Deleted', z.object({ status: z.literal('deleted') })),
      ...errorResponses(error, ['not_found', ...READ]),
    },
  })
}

/** A request body in JSON. */
export function jsonBody(schema: z.ZodType) {
  return { content: { 'application/json': { schema } } }
}
