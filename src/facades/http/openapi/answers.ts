import { z } from '@hono/zod-openapi'
import type { MetricDefinition, MetricRoute } from '../../../engine/engine.ts'
import { MEDIA_TYPES } from '../accept.ts'
import { type HeaderName, pickHeaders } from './headers.ts'
import { queriesOf } from './metric-parameters.ts'
import { schemasOf } from './metric-schemas.ts'

const WORKBOOK = z
  .string()
  .meta({ contentMediaType: MEDIA_TYPES.xlsx })
  .describe('Workbook with one sheet each for the answer, the question and the definitions')

const HEADERS = [
  'x-data-through',
  'x-definitions',
  'x-warnings',
  'x-warning-details',
  'x-total-count',
  'x-compared-with',
] as const

/** The 200 response of a metric route: a plain value, or rows when grouped or cut into periods. */
export function answerDocs(definition?: MetricDefinition, route?: MetricRoute) {
  const schema = definition === undefined || route === undefined ? ANY_ANSWER : shapes(definition, route)
  return inAnyFormat('The result', schema, route === undefined ? HEADERS : [...HEADERS, 'etag'])
}

const cell = z.union([z.string(), z.number(), z.boolean()]).nullable()
const row = z.record(z.string(), cell).meta({ id: 'AnswerRow', description: 'A row of a result: a value per column' })

/** The result of any query of any metric. */
const ANY_ANSWER = z
  .union([z.number(), row, z.array(row)])
  .nullable()
  .meta({
    id: 'MetricAnswer',
    description: 'A single value, an object of values, or rows. It has the shape that the GET endpoint of the same query returns',
  })

/** Headers of answers with records. */
export const RECORD_HEADERS = ['x-data-through', 'x-warnings', 'x-warning-details', 'etag'] as const

/** Headers of answers about one number of a metric. */
export const NUMBER_HEADERS = ['x-data-through', 'x-definitions', 'x-warnings', 'x-warning-details', 'etag'] as const

/** The 304 response of routes with an entity tag. */
export const UNCHANGED = { description: 'Not modified: the entity tag matches `If-None-Match`' } as const

/** A 200 response that is also available as CSV and as a workbook. */
export function inAnyFormat(description: string, schema: z.ZodType, headers: readonly HeaderName[]) {
  return {
    description,
    headers: pickHeaders('x-request-id', 'x-currency', 'x-unit', 'x-time-zone', 'content-disposition', ...headers),
    content: {
      'application/json': { schema },
      'text/csv': { schema: z.string().describe('CSV (RFC 4180) with a header row') },
      [MEDIA_TYPES.xlsx]: { schema: WORKBOOK },
    },
  }
}

const known = new WeakMap<MetricRoute, z.ZodType>()

function shapes(definition: MetricDefinition, route: MetricRoute): z.ZodType {
  const found = known.get(route) ?? distinctShapes(definition, route)
  known.set(route, found)
  return found
}

function distinctShapes(definition: MetricDefinition, route: MetricRoute): z.ZodType {
  const schemas = schemasOf(definition)
  const found = queriesOf(definition, route).flatMap((name) => schemas.get(name) ?? [])
  const [first = z.unknown(), ...others] = unique(found.flatMap(({ plain, lists }) => [plain, ...lists]))
  return others.length === 0 ? first : z.union([first, ...others])
}

// Queries of one metric share shapes.
function unique(schemas: readonly z.ZodType[]): readonly z.ZodType[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(z.toJSONSchema(schema)), schema])).values()]
}
