import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { setWarnings } from '../answer.ts'
import { limitBody, readJson } from '../body.ts'
import { errorResponses } from '../openapi/errors.ts'
import { jsonBody, jsonResponse } from '../openapi/response.ts'
import { SEGMENT_DEFINITION } from '../openapi/segment-definition.ts'
import { type App, serve } from '../serve.ts'

const names = z.array(z.string()).readonly()

const entry = z
  .object({
    field: z.string().describe('What a condition names it by'),
    label: z.string().describe('For people'),
    type: z.enum(['string', 'number', 'boolean', 'date', 'timestamp']),
    operators: names,
    examples: z
      .array(z.union([z.string(), z.number(), z.boolean()]))
      .readonly()
      .describe('All values where they are few and fixed, else some that customers share; never names, addresses or ids'),
    metrics: names.describe('Metrics that a segment with the field narrows'),
  })
  .meta({ id: 'SegmentField', description: 'What a condition of a segment may name' })

const all = createRoute({
  method: 'get',
  path: '/api/segments/fields',
  operationId: 'segment_fields',
  tags: ['Segments'],
  summary: 'What conditions of segments may name, with types, operators and examples of values',
  description:
    'The fixed fields that the connector supplies, and every attribute of customers. Examples come from the catalog, from what several customers have, and for what has few values from the definitions.',
  responses: {
    200: jsonResponse('Fields by name', z.array(entry).readonly()),
    ...errorResponses(['connector_unavailable', 'overloaded', 'query_timeout', 'internal']),
  },
})

/** The fields that segments may use. To be registered before the paths that take a segment's id. */
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
    errors: messages.describe('Messages, each begun with the path to what is wrong'),
    errors_by_metric: z.record(z.string(), messages).describe('The same by metric; empty where the shape is wrong'),
  })
  .meta({ id: 'SegmentVerdict', description: 'Everything that is wrong with a definition' })

const wrapped = z.object({ definition: SEGMENT_DEFINITION, metric: z.string().optional() }).meta({ id: 'SegmentForMetric' })

const validation = createRoute({
  method: 'post',
  path: '/api/segments/validate',
  operationId: 'validate_segment',
  tags: ['Segments'],
  summary: 'Everything that is wrong with a definition, without saving it',
  description: 'The body is a definition, or one with the metric that it is meant for.',
  request: { body: jsonBody(z.union([SEGMENT_DEFINITION, wrapped])) },
  responses: {
    200: jsonResponse('The verdict', verdict),
    ...errorResponses([
      'payload_too_large',
      'invalid_json',
      'unknown_metric',
      'unsupported_by_connector',
      'connector_unavailable',
      'overloaded',
      'query_timeout',
      'internal',
    ]),
  },
})

/** Judges a segment's definition without saving it. To be registered before the paths that take a segment's id. */
export function registerSegmentValidation(app: App, engine: Pick<Engine, 'validateSegment'>, bodyBytes: number): void {
  serve(
    app,
    validation,
    async (context) => context.json(await engine.validateSegment(await readJson(context)), 200),
    limitBody(bodyBytes),
  )
}
