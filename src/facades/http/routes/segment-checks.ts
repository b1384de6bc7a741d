import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { SEGMENT_TO_VALIDATE } from '../../../workspace/records/segment.ts'
import { setWarnings } from '../answer.ts'
import { readJson } from '../body.ts'
import { DATABASE_CODES, errorResponses } from '../openapi/errors.ts'
import { jsonBody, jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'

const names = z.array(z.string()).readonly()

const entry = z
  .object({
    field: z.string().describe('Name of the field in conditions'),
    label: z.string().describe('Display name'),
    type: z.enum(['string', 'number', 'boolean', 'date', 'timestamp']),
    operators: names,
    examples: z
      .array(z.union([z.string(), z.number(), z.boolean()]))
      .readonly()
      .describe(
        'All values if they are few and fixed. Otherwise some values that several customers share. Never names, addresses or ids',
      ),
    metrics: names.describe('Metrics that support segments with this field'),
  })
  .meta({ id: 'SegmentField', description: 'A field that conditions of segments can use' })

const all = createRoute({
  method: 'get',
  path: '/api/segments/fields',
  operationId: 'segment_fields',
  tags: ['Segments'],
  summary: 'List segment fields',
  description:
    'The fields that conditions of segments can use: the fixed fields of the connector and all attributes of customers. Each has a type, operators and example values. Examples come from the catalog, from values that several customers share, and from the definitions for fields with few values.',
  responses: {
    200: jsonResponse('The fields, sorted by name', z.array(entry).readonly()),
    ...errorResponses(['connector_unavailable', 'overloaded', 'query_timeout', 'internal']),
  },
})

/** The fields that segments can use. Register it before the paths with a segment id. */
export function registerSegmentFields(app: App, engine: Pick<Engine, 'segmentFields'>): void {
  serve(app, all, async (context) => {
    const { data, meta } = await engine.segmentFields()
    const response = context.json(data, 200)
    setWarnings(response.headers, meta)
    return response
  })
}

const messages = z.array(z.string()).readonly()

const verdict = z
  .object({
    valid: z.boolean(),
    errors: messages.describe('Messages. Each begins with the path of the problem'),
    errors_by_metric: z
      .record(z.string(), messages)
      .describe('Messages by metric. Empty if the shape of the definition is wrong'),
    warnings: messages.describe('Values that no row has. A definition with warnings is valid'),
  })
  .meta({ id: 'SegmentVerdict', description: 'All problems of a segment definition' })

const validation = createRoute({
  method: 'post',
  path: '/api/segments/validate',
  operationId: 'validate_segment',
  tags: ['Segments'],
  summary: 'Validate a segment definition',
  description:
    'Lists all problems without saving the segment. Send a definition, or a definition with the metric to check it for.',
  request: { body: jsonBody(SEGMENT_TO_VALIDATE) },
  responses: {
    200: jsonResponse('The result of the validation', verdict),
    ...errorResponses(['payload_too_large', 'invalid_json', 'validation_failed', 'unknown_metric', ...DATABASE_CODES]),
  },
})

/** Validates a segment definition without saving it. Register it before the paths with a segment id. */
export function registerSegmentValidation(app: App, engine: Pick<Engine, 'validateSegment'>): void {
  serve(app, validation, async (context) => {
    const { signal } = context.req.raw
    return context.json(await engine.validateSegment(await readJson(context), { signal }), 200)
  })
}
