import { z } from '@hono/zod-openapi'
import { ERROR_CODES, type ErrorCode } from '../../../core/errors.ts'
import { pickHeaders } from './headers.ts'

const codes = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]

const issueSchema = z
  .object({
    code: z.enum(codes),
    where: z.string().describe('`query.<name>`, `body.<path>` or `path.<name>`'),
    value: z.unknown().optional().describe('The value you sent'),
    message: z.string(),
    did_you_mean: z.array(z.string()).describe('Similar names, most similar first'),
  })
  .meta({ id: 'Issue', description: 'One problem with the request' })

const CODE_TABLE = codes.map((code) => `| \`${code}\` | ${ERROR_CODES[code].status} | ${ERROR_CODES[code].title} |`).join('\n')

const ERROR_TABLE = `| Code | Status | Meaning |\n|---|---|---|\n${CODE_TABLE}`

/** The body of every error. The document describes it once. */
export const ERROR = z
  .looseObject({
    detail: z.string().describe('Human-readable message. Test `code` in programs'),
    code: z.enum(codes),
    request_id: z.string(),
    issues: z
      .array(issueSchema)
      .optional()
      .describe('All problems with the request: the first 100, or the first `limits.issues`'),
    issues_total: z.int().optional().describe('Total number of issues, including those not listed'),
  })
  .meta({
    id: 'Error',
    description: `Additional fields depend on the code, such as \`available_dimensions\` or \`missing\`.\n\n${ERROR_TABLE}`,
  })

/** Last error codes of a request that reads the billing database. */
export const DATABASE_CODES = [
  'unsupported_by_connector',
  'connector_unavailable',
  'overloaded',
  'query_timeout',
  'internal',
] as const satisfies readonly ErrorCode[]

/** Error codes of a request with a JSON body that writes to a store. */
export const WRITE_CODES: readonly ErrorCode[] = ['payload_too_large', 'invalid_json', 'validation_failed', ...DATABASE_CODES]

/** Error codes of records: lists of the billing engine's rows, and what follows from them. */
export const RECORD_CODES: readonly ErrorCode[] = [
  'unknown_dimension',
  'unknown_filter',
  'unknown_attribute',
  'invalid_value',
  'invalid_interval',
  'invalid_range',
  'unknown_segment',
  'not_acceptable',
  'unsupported_by_connector',
  'connector_unavailable',
  'overloaded',
  'replica_lagging',
  'query_timeout',
  'internal',
]

/** Error codes of a metric query. A POST adds those of its body. */
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
  'not_acceptable',
  'unsupported_by_connector',
  'missing_fx_rate',
  'unpriced_plan',
  'canonical_enum_violation',
  'result_too_large',
  'connector_unavailable',
  'overloaded',
  'replica_lagging',
  'query_timeout',
  'internal',
]

/**
 * Response entries for the codes, one per status. The return type is opaque on purpose: a handler throws its errors, so the compiler
 * checks only the successful responses of a route.
 */
export function errorResponses(list: readonly ErrorCode[]): object {
  const statuses = [...new Set(list.map((code) => ERROR_CODES[code].status))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const own = list.filter((code) => ERROR_CODES[code].status === status)
      const description = own.map((code) => `\`${code}\`: ${ERROR_CODES[code].title}.`).join(' ')
      const headers = status === 503 ? pickHeaders('x-request-id', 'retry-after') : pickHeaders('x-request-id')
      return [String(status), { description, headers, content: { 'application/json': { schema: ERROR } } }]
    }),
  )
}
