import { type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Environment } from '../environment.ts'
import { type ErrorSchema, errorResponses } from './errors.ts'
import { jsonResponse } from './response.ts'

const verdict = z.object({
  valid: z.boolean(),
  errors: z.array(z.string()).describe('Messages, each begun with the path to what is wrong'),
  errors_by_metric: z.record(z.string(), z.array(z.string())).describe('The same by metric; empty where the shape is wrong'),
})

/** A definition of a segment as a schema; groups hold groups and conditions, 20 deep at most. */
export const segmentDefinition = z
  .object({ version: z.literal(1).optional(), root: z.object({ op: z.enum(['and', 'or']), conditions: z.array(z.unknown()) }) })
  .describe('`conditions` holds groups {op, conditions} and conditions {field, op, value}')

/** The check of a definition in the document. */
export function describeSegmentValidation(app: OpenAPIHono<Environment>, error: ErrorSchema): void {
  const wrapped = z.object({ definition: segmentDefinition, metric: z.string().optional() })
  app.openAPIRegistry.registerPath({
    method: 'post',
    path: '/api/segments/validate',
    operationId: 'validate_segment',
    tags: ['Segments'],
    summary: 'Everything that is wrong with a definition, without saving it',
    request: { body: { content: { 'application/json': { schema: z.union([segmentDefinition, wrapped]) } } } },
    responses: {
      200: jsonResponse('The verdict', verdict),
      ...errorResponses(error, [
        'payload_too_large',
        'invalid_json',
        'unknown_metric',
        'unsupported_by_connector',
        'connector_unavailable',
        'query_timeout',
        'internal',
      ]),
    },
  })
}
