import { type OpenAPIHono, z } from '@hono/zod-openapi'
import type { ErrorCode } from '../../core/errors.ts'
import type { MetricDefinition, MetricRoute } from '../../engine/engine.ts'
import { PARAMETERS } from '../../engine/facade/parameters.ts'
import type { Environment } from '../environment.ts'
import { answerDocs } from './answers.ts'
import { metricParameter } from './discovery.ts'
import { type ErrorSchema, errorResponses, QUERY_CODES } from './errors.ts'
import { metricText } from './metric-text.ts'

const BODY_CODES: readonly ErrorCode[] = ['payload_too_large', 'unknown_metric', 'invalid_json', 'validation_failed']

/** The GET routes of a metric in the document, from its definition. */
export function describeMetric(
  app: OpenAPIHono<Environment>,
  error: ErrorSchema,
  definition: MetricDefinition,
  label: string,
): void {
  for (const route of definition.routes) {
    app.openAPIRegistry.registerPath({
      method: 'get',
      path: `/api/metrics/${route.path}`,
      operationId: route.path.replaceAll(/[/-]/g, '_'),
      tags: [label],
      summary: route.summary,
      description: metricText(definition),
      request: { query: querySchema(route) },
      responses: {
        200: answerDocs(definition, route),
        304: { description: 'Unchanged since `If-None-Match`' },
        ...errorResponses(error, QUERY_CODES),
      },
    })
  }
}

/** The generic POST in the document. */
export function describeGenericQuery(
  app: OpenAPIHono<Environment>,
  error: ErrorSchema,
  definitions: readonly MetricDefinition[],
  metrics: readonly string[],
): void {
  const types = definitions.map((definition) => `${definition.name}: ${Object.keys(definition.queries).join(', ')}`)
  app.openAPIRegistry.registerPath({
    method: 'post',
    path: '/api/metrics/{metric}',
    operationId: 'query_metric',
    tags: ['Generic query'],
    summary: 'Any query of a metric, with operators in its filters',
    description: `\`params.query_type\` is one of these, the first by default. ${types.join('. ')}.`,
    request: {
      params: metricParameter(metrics),
      query: z.object({ format: PARAMETERS.format.schema.optional() }),
      body: { content: { 'application/json': { schema: bodySchema() } } },
    },
    responses: { 200: answerDocs(), ...errorResponses(error, [...BODY_CODES, ...QUERY_CODES]) },
  })
}

function querySchema(route: MetricRoute) {
  const entries = route.params.map((parameter) => {
    const one = parameter.isRepeatable ? z.array(parameter.schema).describe(parameter.description) : parameter.schema
    return [parameter.name, parameter.isRequired ? one : one.optional()] as const
  })
  return z.object(Object.fromEntries(entries))
}

function bodySchema() {
  const value = z.union([z.string(), z.number(), z.boolean()])
  return z.strictObject({
    params: z
      .record(z.string(), z.union([value, z.null()]))
      .optional()
      .describe('`query_type` and the single-valued parameters of the GET; `segment` may stand here or in `spec`'),
    spec: z
      .strictObject({
        dimensions: z.array(z.string()).optional(),
        filters: z
          .record(z.string(), z.union([value, z.array(value), z.record(z.string(), z.unknown())]))
          .optional()
          .describe('`name: value`, `name: [values]` (any of) or `name: {operator: value}` (all hold)'),
        granularity: z.string().optional(),
        segment: z.string().optional().describe('Id of a segment: only its customers count'),
        compare: z.array(z.string()).max(10).optional().describe('Ids of the segments to compare'),
        time_range: z.tuple([z.string(), z.string()]).optional().describe('`[start, end]`, days'),
      })
      .optional(),
  })
}
