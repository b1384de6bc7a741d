import { type OpenAPIHono, z } from '@hono/zod-openapi'
import type { ErrorCode } from '../../core/errors.ts'
import type { ListDefinition } from '../../engine/data/definition.ts'
import { LISTS } from '../../engine/data/list.ts'
import { DATA_PARAMETERS, DAY_PARAMETERS } from '../../engine/data/parameters.ts'
import { CUSTOMER_DETAIL } from '../../engine/data/rows.ts'
import { PARAMETERS } from '../../engine/facade/parameters.ts'
import type { Environment } from '../environment.ts'
import { csvOrJson } from './answers.ts'
import { type ErrorSchema, errorResponses } from './errors.ts'

const CODES: readonly ErrorCode[] = [
  'unknown_dimension',
  'unknown_filter',
  'invalid_value',
  'invalid_interval',
  'invalid_range',
  'unknown_segment',
  'unsupported_by_connector',
  'connector_unavailable',
  'replica_lagging',
  'query_timeout',
  'internal',
]

const HEADERS = ['x-data-through', 'x-warnings', 'etag'] as const

const SUMMARIES = {
  customers: 'Customers as they are now, newest first',
  subscriptions: 'Subscriptions as they are now, newest begin first',
  invoices: 'Invoices as they are now, newest first',
} as const

/** The data endpoints in the document. */
export function describeData(app: OpenAPIHono<Environment>, error: ErrorSchema): void {
  const { openAPIRegistry: registry } = app
  const common = { method: 'get' as const, tags: ['Data'] }
  const unchanged = { description: 'Unchanged since `If-None-Match`' }
  for (const list of Object.values(LISTS)) {
    registry.registerPath({
      ...common,
      path: `/api/${list.name}`,
      operationId: list.name,
      summary: SUMMARIES[list.name],
      description: 'Accounts tagged as test accounts are left out. As CSV the answer is the rows of the page.',
      request: { query: queryOf(list) },
      responses: {
        200: csvOrJson('A page and the number of rows in all', pageOf(list), HEADERS),
        304: unchanged,
        ...errorResponses(error, CODES),
      },
    })
  }
  registry.registerPath({
    ...common,
    path: '/api/customers/{id}',
    operationId: 'customer',
    summary: 'One customer with its subscriptions',
    description: 'A key that several sources have is refused until `source_id` names one. Test accounts are answered too.',
    request: {
      params: z.object({ id: z.string().describe('Id of the account, else its external key') }),
      query: z.object({
        source_id: DATA_PARAMETERS.source_id.schema.optional(),
        format: PARAMETERS.format.schema.optional(),
      }),
    },
    responses: {
      200: csvOrJson('The customer', CUSTOMER_DETAIL, HEADERS),
      304: unchanged,
      ...errorResponses(error, ['not_found', 'conflict', ...CODES]),
    },
  })
}

function queryOf({ fields, customer_id, day }: ListDefinition) {
  const { limit, offset, search, source_id } = DATA_PARAMETERS
  const own = [limit, offset, search, source_id, ...(customer_id === undefined ? [] : [DATA_PARAMETERS.customer_id])]
  const names = fields.map((field) => `\`${field.key}\``).join(', ')
  const filter = z
    .array(z.string())
    .optional()
    .describe(`key=value, with the keys ${names}. The same key again means any of the values.`)
  const listed = [...own, ...(day === undefined ? [] : DAY_PARAMETERS)].map(
    ({ name, schema, description }) => [name, schema.optional().describe(description)] as const,
  )
  return z.object({
    ...Object.fromEntries(listed),
    segment: PARAMETERS.segment.schema.optional(),
    filter,
    format: PARAMETERS.format.schema.optional(),
  })
}

function pageOf({ row }: ListDefinition) {
  return z.object({
    total: z.number().int().nonnegative().describe('Rows of all pages'),
    limit: z.number().int(),
    offset: z.number().int(),
    rows: z.array(row),
  })
}
