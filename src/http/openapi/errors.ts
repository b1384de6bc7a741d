import { type OpenAPIHono, z } from '@hono/zod-openapi'
import { ERROR_CODES, type ErrorCode } from '../../core/errors.ts'
import type { Environment } from '../environment.ts'
import { pickHeaders } from './headers.ts'
import type { ResponseConfig } from './response.ts'

const codes = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]

const issueSchema = z.object({
  code: z.enum(codes),
  where: z.string().describe('`query.<name>`, `body.<path>` or `path.<name>`'),
  value: z.unknown().optional().describe('What was sent'),
  message: z.string(),
  did_you_mean: z.array(z.string()).describe('Near names, nearest first'),
})

const CODE_TABLE = codes.map((code) => `| \`${code}\` | ${ERROR_CODES[code].status} | ${ERROR_CODES[code].title} |`).join('\n')

/** Markdown table of every error code. */
export const ERROR_TABLE = `| Code | Status | Meaning |\n|---|---|---|\n${CODE_TABLE}`

export type ErrorSchema = typeof errorSchema

const errorSchema = z
  .looseObject({
    detail: z.string().describe('A sentence for people; programs test `code`'),
    code: z.enum(codes),
    request_id: z.string(),
    issues: z.array(issueSchema).optional().describe('Everything that is wrong with the request, at once'),
  })
  .describe('Error. Further fields depend on the code, such as `available_dimensions` or `missing`.')

/** Codes a metric query may answer; those of bodies come on top for POST. */
export const QUERY_CODES: readonly ErrorCode[] = [
  'unknown_dimension',
  'unknown_filter',
  'unknown_attribute',
  'invalid_operator',
  'invalid_value',
  'invalid_interval',
  'invalid_range',
  'too_many_segments',
  'unknown_segment',
  'unsupported_by_connector',
  'missing_fx_rate',
  'unpriced_plan',
  'canonical_enum_violation',
  'result_too_large',
  'connector_unavailable',
  'replica_lagging',
  'query_timeout',
  'internal',
]

/** The schema of an error body, once per document. */
export function registerErrorSchema(app: OpenAPIHono<Environment>): ErrorSchema {
  return app.openAPIRegistry.register('Error', errorSchema)
}

/** Response entries for the codes, one per status. */
export function errorResponses(schema: ErrorSchema, list: readonly ErrorCode[]): Record<string, ResponseConfig> {
  const statuses = [...new Set(list.map((code) => ERROR_CODES[code].status))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const own = list.filter((code) => ERROR_CODES[code].status === status)
      const description = own.map((code) => `\`${code}\`: ${ERROR_CODES[code].title}.`).join(' ')
      const headers = status === 503 ? pickHeaders('x-request-id', 'retry-after') : pickHeaders('x-request-id')
      return [String(status), { description, headers, content: { 'application/json': { schema } } }]
    }),
  )
}
