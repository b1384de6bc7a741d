import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { askOptions, seesCustomers } from '../access/ask-options.ts'
import { setWarnings } from '../answer.ts'
import { DATABASE_CODES, errorResponses } from '../openapi/errors.ts'
import { metricParameter } from '../openapi/metric-parameters.ts'
import { named, queryOf } from '../openapi/query-parameters.ts'
import { jsonResponse } from '../openapi/response.ts'
import { parametersOf } from '../request.ts'
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

const query = z.record(z.string(), z.string()).describe('Parameters to add')
const figure = z
  .object({
    id: z.string(),
    label,
    query_type: z.string(),
    measure: z.string().describe('Its column'),
    chart: z.enum(['area', 'bars', 'line']).describe('How it is drawn over time'),
    place: z.int().describe('Place in menus, over all metrics'),
    search: z.string().describe('Further words of a search'),
    headline: z.string().nullable().describe('Its column in the summary; null if the summary does not have it'),
    path: z.string().describe('The question for it'),
    query,
    is_level: z.boolean().describe('True if it is the level of a day (`at`); otherwise it is that of a range'),
    step: z.enum(['interval', 'granularity']).nullable().describe('The parameter of its periods; null if it has none'),
    alone: z.string().nullable().describe('The question for the number without groups; null if there is none'),
    is_counted: z.boolean().describe('True if the measure needs no exchange rate, although other measures of the query do'),
    rows: z
      .object({ query, measures: names.describe('The measures to choose from'), note: z.string().nullable() })
      .describe('The rows behind it, at `/api/metrics/{metric}/rows`'),
  })
  .meta({ id: 'Figure', description: 'A number that people look for by its name' })

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
    figures: z.array(figure).readonly().describe('The figures that menus and searches offer, in their order'),
  })
  .meta({ id: 'MetricFields', description: 'The dimensions, attributes, filters and figures of a metric' })

const valuesAnswer = z
  .object({
    values: names.describe('In ascending order, at most 1,000. Fixed values keep their usual order'),
    count: z
      .int()
      .nullable()
      .describe('The number of values that contain the search. null: the values of this field are not listed'),
  })
  .meta({ id: 'FieldValues', description: 'The values that a filter on a field may name' })

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

const valuesOf = (metrics: readonly string[]) =>
  createRoute({
    ...common,
    method: 'get',
    path: '/api/metrics/{metric}/fields/{field}/values',
    operationId: 'field_values',
    summary: 'List the values of a field',
    description:
      'The values of a filter that rows have at any time, or all values of a field with few fixed ones. Fields of segments count as filters. Names, addresses, keys and ids are never listed, nor numbers and dates. For the values of an attribute, see `GET /api/attributes/{key}/values`.',
    request: {
      params: z.object({ ...metricParameter(metrics).shape, field: z.string().describe('Key of the field') }),
      query: queryOf(named(['search'], { search: 'Only values that contain this text, in any letters.' })),
    },
    responses: {
      200: jsonResponse('The values', valuesAnswer),
      ...errorResponses(['unknown_metric', 'unknown_filter', 'invalid_value', ...DATABASE_CODES]),
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
export function registerDiscovery(app: App, engine: Pick<Engine, 'metrics' | 'fields' | 'fieldValues' | 'tenants'>): void {
  serve(app, all, (context) => context.json(engine.metrics(), 200))
  serve(app, tenants, async (context) => context.json(await engine.tenants(), 200))
  serve(app, fieldsOf(engine.metrics()), async (context) => {
    const { data, meta } = await engine.fields(context.req.param('metric'), { numbersOnly: !seesCustomers(context) })
    const response = context.json(data, 200)
    setWarnings(response.headers, meta)
    return response
  })
  serve(app, valuesOf(engine.metrics()), async (context) => {
    const { metric, field } = context.req.param()
    return context.json(await engine.fieldValues(metric, field, parametersOf(context), askOptions(context)), 200)
  })
}
