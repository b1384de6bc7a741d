import { z } from '@hono/zod-openapi'
import type { MetricDefinition, MetricRoute } from '../../../engine/engine.ts'
import { filterableFields, groupableFields } from '../../../engine/shapes.ts'
import type { ParameterDefinition } from '../../presentation/parameters.ts'

/** The parameters of a metric's path, with the names it accepts. */
export function metricParameters(definition: MetricDefinition, route: MetricRoute): readonly ParameterDefinition[] {
  const offers = queriesOf(definition, route).flatMap((name) => definition.queries[name]?.inputs ?? [])
  const dimensions = keysOf(offers.flatMap((inputs) => groupableFields(inputs, true)))
  const filters = keysOf(offers.flatMap((inputs) => filterableFields(inputs, true)))
  const queries = z.enum(Object.keys(definition.queries))
  return route.params.map((parameter) => {
    switch (parameter.name) {
      case 'query_type':
      case 'type':
        return withSchema(parameter, queries)
      case 'dimensions':
        return withSchema(parameter, dimensionNames(dimensions))
      case 'filter':
        return { ...parameter, description: `${parameter.description} Keys: ${[...filters, 'attr.X'].join(', ')}.` }
      default:
        return parameter
    }
  })
}

// A query that can be grouped by customer can be grouped by attributes too. Their names are not known in advance.
function dimensionNames(names: readonly string[]): z.ZodType {
  const known = z.enum(names)
  return names.includes('customer_id') ? z.union([known, z.string().regex(/^attr\./)]) : known
}

function withSchema<P extends ParameterDefinition>(parameter: P, schema: z.ZodType): P {
  return { ...parameter, type: { ...parameter.type, schema } }
}

function keysOf(fields: readonly { readonly key: string }[]): readonly string[] {
  return [...new Set(fields.map(({ key }) => key))]
}

/** Path parameter of a metric. */
export function metricParameter(metrics: readonly string[]) {
  return z.object({
    metric: z.string().meta({ description: `Name of the metric: ${metrics.join(', ')}`, example: metrics[0] ?? 'mrr' }),
  })
}

/** Parameters that name a query. */
const CHOICES = ['query_type', 'type']

/** True if the request chooses the query of a path. */
function choosesQuery({ params }: MetricRoute): boolean {
  return params.some(({ name }) => CHOICES.includes(name))
}

/**
 * The query names of a path: its fixed query, all queries that the request can name, or the queries that its dates can select.
 */
export function queriesOf({ queries, choose }: MetricDefinition, route: MetricRoute): readonly string[] {
  if (route.query_type !== undefined) return [route.query_type]
  if (choosesQuery(route)) return Object.keys(queries)
  return [...new Set([choose(undefined, {}, {}), choose(undefined, { start: '2000-01-01', end: '2000-01-31' }, {})])]
}
