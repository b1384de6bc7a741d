import { type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Environment } from '../environment.ts'
import { type ErrorSchema, errorResponses } from './errors.ts'
import { jsonResponse } from './response.ts'

const body = z.object({
  file: z.any().openapi({ type: 'string', format: 'binary', description: 'CSV with a header row' }),
  id_column: z.string().optional().describe('Column that says who the customer is; absent: customer_id, external or email'),
  id_kind: z
    .enum(['id', 'external', 'email'])
    .optional()
    .describe('What that column holds: account id or else external key, external key, e-mail address'),
})

const result = z.object({
  rows_read: z.int(),
  rows_upserted: z.int().describe('Rows with an accepted cell'),
  unknown_customers: z.array(z.string()).describe('At most 1,000'),
  keys_created: z.array(z.string()),
  cells_rejected: z
    .array(
      z.object({
        row: z.int().describe('From 1 after the header'),
        key: z.string(),
        value: z.string(),
        reason: z.enum(['type_mismatch', 'ambiguous_customer']),
      }),
    )
    .describe('At most 1,000'),
  unknown_customers_total: z.int(),
  cells_rejected_total: z.int(),
})

/** The import of a file in the document. */
export function describeAttributeImport(app: OpenAPIHono<Environment>, error: ErrorSchema): void {
  app.openAPIRegistry.registerPath({
    method: 'post',
    path: '/api/attributes/import',
    operationId: 'import_attributes',
    tags: ['Attributes'],
    summary: 'Import attributes from a CSV file',
    description:
      'Every column but the one that names the customer is an attribute; an empty cell leaves what is there. When the file as a whole is malformed nothing is written.',
    request: { body: { content: { 'multipart/form-data': { schema: body } } } },
    responses: {
      200: jsonResponse('What was imported', result),
      ...errorResponses(error, [
        'payload_too_large',
        'validation_failed',
        'invalid_value',
        'invalid_csv',
        'read_only_attribute',
        'unsupported_by_connector',
        'connector_unavailable',
        'query_timeout',
        'internal',
      ]),
    },
  })
}
