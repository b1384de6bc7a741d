import { z } from '@hono/zod-openapi'
import type { MetricDefinition, MetricRoute } from '../../engine/engine.ts'
import { type HeaderName, pickHeaders } from './headers.ts'
import type { ResponseConfig } from './response.ts'

const HEADERS = ['x-data-through', 'x-definitions', 'x-warnings'] as const

/** The 200 response of a metric route: the plain answer, or the rows it becomes when grouped or cut into periods. */
export function answerDocs(definition?: MetricDefinition, route?: MetricRoute): ResponseConfig {
  const schema = definition === undefined || route === undefined ? z.unknown() : shapes(definition, route)
  return csvOrJson('The answer', schema, route === undefined ? HEADERS : [...HEADERS, 'etag'])
}

/** A 200 response that is also answered as CSV. */
export function csvOrJson(description: string, schema: z.ZodType, headers: readonly HeaderName[]): ResponseConfig {
  return {
    description,
    headers: pickHeaders('x-request-id', ...headers),
    content: {
      'application/json': { schema },
      'text/csv': { schema: z.string().describe('RFC 4180 with a header row') },
    },
  }
}

function shapes(definition: MetricDefinition, route: MetricRoute): z.ZodType {
  const chooses = route.params.some(({ name }) => name === 'query_type' || name === 'type')
  const known = Object.keys(definition.queries)
  const names = route.query_type !== undefined ? [route.query_type] : chooses ? known : known.slice(0, 1)
  const queries = names.flatMap((name) => definition.queries[name] ?? [])
  const all = queries.flatMap((query) => [
    query.plain,
    z.array(query.row.loose()),
    ...(query.series_row === undefined ? [] : [z.array(query.series_row.loose())]),
  ])
  const [first, ...others] = all
  if (first === undefined) return z.unknown()
  return others.length === 0 ? first : z.union([first, ...others])
}
