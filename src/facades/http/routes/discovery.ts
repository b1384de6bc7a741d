import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { seesCustomers } from '../access/ask-options.ts'
import { setWarnings } from '../answer.ts'
import { DATABASE_CODES, errorResponses } from '../openapi/errors.ts'
import { metricParameter } from '../openapi/metric-parameters.ts'
import { jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'

const label = z.string().describe('Display name')
const type = z.enum(['string', 'number', 'boolean', 'date', 'timestamp'])
const names = z.array(z.string()).readonly()

const dimension = z.object({ key: z.string(), label, type, queries: names.describe('Query types that can be grouped by it') })
const attribute = z.object({
  key: z.string(),
  label,
  type,
  source: z.string(),
  description: z.string().optional(),
  queries: names.describe('Query types that can be grouped by it'),
})

const answer = z
  .object({
    dimensions: z.array(dimension).readonly(),
    time_dimensions: z.array(z.object({ key: z.string(), label })).readonly(),
    attributes: z.array(attribute).readonly(),
    filters: z.array(z.object({ key: z.string(), label, type, operators: names })).readonly(),
    query_types: names,
    numbers: z
      .array(
        z.object({
          query_type: z.string(),
          dates: z
            .enum(['day', 'range'])
            .describe('Whether the number is that of a day (`at`) or of a range (`start`, `end`, `range`)'),
        }),
      )
      .readonly()
      .describe('The query types that answer one number. A bridge takes them'),
  })
  .meta({ id: 'MetricFields', description: 'The dimensions, attributes and filters of a metric' })

const common = { tags: ['Discovery'] }

const all = createRoute({
  ...common,
  method: 'get',
  path: '/api/metrics',
  operationId: 'metrics',
  summary: 'List metrics',
  description:
    'Names of all metrics, including those that the connector cannot supply. For dimensions and filters, see `GET /api/metrics/{metric}/fields`.',
  responses: { 200: jsonResponse('Metric names in ascending order', names), ...errorResponses(['internal']) },
})

const fieldsOf = (metrics: readonly string[]) =>
  createRoute({
    ...common,
    method: 'get',
    path: '/api/metrics/{metric}/fields',
    operationId: 'metric_fields',
    summary: 'List the fields of a metric',
    description:
      'Dimensions with the query types that can be grouped by them, and filters with their types and operators. Attributes are included.',
    request: { params: metricParameter(metrics) },
    responses: {
      200: jsonResponse('The fields, each list sorted by key', answer),
      ...errorResponses(['unknown_metric', ...DATABASE_CODES]),
    },
  })

const tenants = createRoute({
  ...common,
  method: 'get',
  path: '/api/tenants',
  operationId: 'tenants',
  summary: 'List tenants',
  description:
    'The tenants of the billing engine that this service serves. Their names are the values of the dimension and filter `tenant`.',
  responses: {
    200: jsonResponse(
      'The tenants',
      z
        .array(
          z
            .object({ name: z.string(), source_id: z.string().describe('Id of the tenant in the billing engine') })
            .meta({ id: 'Tenant', description: 'A tenant of the billing engine' }),
        )
        .readonly(),
    ),
    ...errorResponses(['unsupported_by_connector', 'connector_unavailable', 'overloaded', 'query_timeout', 'internal']),
  },
})

/** The names of the metrics, the fields of each, and the tenants. */
export function registerDiscovery(app: App, engine: Pick<Engine, 'metrics' | 'fields' | 'tenants'>): void {
  serve(app, all, (context) => context.json(engine.metrics(), 200))
  serve(app, tenants, async (context) => context.json(await engine.tenants(), 200))
  serve(app, fieldsOf(engine.metrics()), async (context) => {
    const { data, meta } = await engine.fields(context.req.param('metric'), { numbersOnly: !seesCustomers(context) })
    const response = context.json(data, 200)
    setWarnings(response.headers, meta)
    return response
  })
}
