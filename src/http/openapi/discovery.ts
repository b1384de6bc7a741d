import { type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Environment } from '../environment.ts'
import { type ErrorSchema, errorResponses } from './errors.ts'
import { jsonResponse } from './response.ts'

const label = z.string().describe('For people')
const type = z.enum(['string', 'number', 'boolean', 'date', 'timestamp'])

const fields = z.object({
  dimensions: z.array(
    z.object({ key: z.string(), label, type, queries: z.array(z.string()).describe('Query types that offer it') }),
  ),
  time_dimensions: z.array(z.object({ key: z.string(), label })),
  attributes: z.array(z.object({ key: z.string(), label, type, source: z.string(), description: z.string().optional() })),
  filters: z.array(z.object({ key: z.string(), label, type, operators: z.array(z.string()) })),
  query_types: z.array(z.string()),
})

/** Path parameter of a metric. */
export function metricParameter(metrics: readonly string[]) {
  return z.object({
    metric: z.string().meta({ description: `Name of a metric: ${metrics.join(', ')}`, example: metrics[0] ?? 'mrr' }),
  })
}

/** Discovery in the document. */
export function describeDiscovery(app: OpenAPIHono<Environment>, error: ErrorSchema, metrics: readonly string[]): void {
  const { openAPIRegistry: registry } = app
  const common = { method: 'get' as const, tags: ['Discovery'] }
  registry.registerPath({
    ...common,
    path: '/api/metrics',
    operationId: 'metrics',
    summary: 'Names of all metrics, also of those the connector cannot supply',
    responses: { 200: jsonResponse('Names, ascending', z.array(z.string())), ...errorResponses(error, ['internal']) },
  })
  registry.registerPath({
    ...common,
    path: '/api/metrics/{metric}/fields',
    operationId: 'metric_fields',
    summary: 'What a metric can be grouped and filtered by',
    request: { params: metricParameter(metrics) },
    responses: {
      200: jsonResponse('Fields, each list sorted by key', fields),
      ...errorResponses(error, [
        'unknown_metric',
        'unsupported_by_connector',
        'connector_unavailable',
        'query_timeout',
        'internal',
      ]),
    },
  })
}
