import { z } from '@hono/zod-openapi'
import type { MetricDefinition, MetricRoute } from '../../../engine/engine.ts'
import { filterableFields, groupableFields } from '../../../engine/shapes.ts'
import type { ParameterDefinition } from '../../presentation/parameters.ts'
import { queriesOf } from './metric-queries.ts'

/** What a path of a metric takes, with the names that there are to choose from. */
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

// What tells customers apart tells their attributes, whose names are not known beforehand.
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
