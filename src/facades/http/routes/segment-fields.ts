import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { setWarnings } from '../answer.ts'
import { errorResponses } from '../openapi/errors.ts'
import { jsonResponse } from '../openapi/response.ts'
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
