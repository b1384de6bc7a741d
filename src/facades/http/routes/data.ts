import { createRoute, z } from '@hono/zod-openapi'
import type { ErrorCode } from '../../../core/errors.ts'
import type { Engine } from '../../../engine/engine.ts'
import {
  acceptedByList,
  CUSTOMER_DETAIL,
  INVOICE_AGE_INPUTS,
  INVOICE_AGE_ROW,
  inputsOfList,
  LISTS,
  type ListDefinition,
  type ListInputs,
  plainFilter,
} from '../../../engine/shapes.ts'
import { askOperation } from '../../presentation/ask.ts'
import { dataResponse } from '../answer.ts'
import { conditional } from '../conditional.ts'
import { inAnyFormat, UNCHANGED } from '../openapi/answers.ts'
import { errorResponses } from '../openapi/errors.ts'
import { named, queryOf } from '../openapi/query-parameters.ts'
import { pageOf } from '../openapi/response.ts'
import { fromQuery } from '../request.ts'
import { type App, serve } from '../serve.ts'

const CODES: readonly ErrorCode[] = [
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

const HEADERS = ['x-data-through', 'x-warnings', 'x-warning-details', 'etag'] as const

const SUMMARIES = {
  customers: 'List customers',
  subscriptions: 'List subscriptions',
  invoices: 'List invoices',
} as const

const ORDERS = {
  customers: 'Current customers, newest first.',
  subscriptions: 'Current subscriptions, most recently started first.',
  invoices: 'Current invoices, newest first.',
} as const

const listRoute = (list: ListDefinition) =>
  createRoute({
    method: 'get',
    path: `/api/${list.name}`,
    operationId: list.name,
    tags: ['Data'],
    summary: SUMMARIES[list.name],
    description: `${ORDERS[list.name]} Test accounts are left out. CSV contains the rows of the page.`,
    request: { query: queryOf(parametersOf({ ...inputsOfList(list), sets: [] })) },
    responses: {
      200: inAnyFormat('A page of rows, with the total number', pageOf(list.row), HEADERS),
      304: UNCHANGED,
      ...errorResponses(CODES),
    },
  })

const ages = createRoute({
  method: 'get',
  path: '/api/invoices/ages',
  operationId: 'invoice_ages',
  tags: ['Data'],
  summary: 'Sum open invoices by age',
  description:
    'A row for each age, youngest first. Amounts are in the base currency, at the rate of the day of each invoice. Without that rate the sum is null, with the warning `missing_fx_rate`.',
  request: { query: queryOf(parametersOf(INVOICE_AGE_INPUTS)) },
  responses: {
    200: inAnyFormat('The ages', z.array(INVOICE_AGE_ROW).readonly(), HEADERS),
    304: UNCHANGED,
    ...errorResponses(CODES),
  },
})

const customer = createRoute({
  method: 'get',
  path: '/api/customers/{id}',
  operationId: 'customer',
  tags: ['Data'],
  summary: 'Get a customer',
  description:
    'Includes the subscriptions of the customer. If several sources have this key, pass `source_id`. Test accounts are included.',
  request: {
    params: z.object({ id: z.string().describe('Account id, or the external key') }),
    query: queryOf(named(['source_id', 'format', 'money', 'definitions'])),
  },
  responses: {
    200: inAnyFormat('The customer', CUSTOMER_DETAIL, HEADERS),
    304: UNCHANGED,
    ...errorResponses(['not_found', 'conflict', ...CODES]),
  },
})

/** The billing engine's records: three lists, and one customer in detail. */
export function registerData(app: App, engine: Pick<Engine, 'list' | 'invoiceAges' | 'customer'>): void {
  for (const list of Object.values(LISTS)) {
    const { name } = list
    serve(
      app,
      listRoute(list),
      async (context) => {
        context.set('query', `data.${name}`)
        const request = fromQuery(context)
        const answer = await askOperation((params, spec, options) => engine.list(name, params, spec, options), request, {
          signal: context.req.raw.signal,
        })
        return dataResponse(answer, request, context)
      },
      conditional(),
    )
  }
  serve(
    app,
    ages,
    async (context) => {
      context.set('query', 'data.invoice_ages')
      const request = fromQuery(context)
      const answer = await askOperation(engine.invoiceAges, request, { signal: context.req.raw.signal })
      return dataResponse(answer, request, context)
    },
    conditional(),
  )
  serve(
    app,
    customer,
    async (context) => {
      context.set('query', 'data.customer')
      const request = fromQuery(context)
      const id = context.req.param('id')
      const answer = await askOperation((params, spec, options) => engine.customer(id, params, spec, options), request, {
        signal: context.req.raw.signal,
      })
      return dataResponse(answer, request, context)
    },
    conditional(),
  )
}

function parametersOf(inputs: ListInputs) {
  const { fields, statuses, order = [] } = inputs
  const names = fields.map((field) => `\`${field.key}\``).join(', ')
  const orders = order.map((name) => `\`${name}\``).join(', ')
  const plain = fields.map((field) => plainFilter(field, field.key === 'status' ? statuses : field.known))
  const common = named(acceptedByList(inputs), {
    order: `Sort fields, comma-separated. Prefix a field with \`-\` for descending order. Nulls come last. Fields: ${orders}.`,
    start: 'First `invoice_date`, inclusive, in the time zone of the account.',
    end: 'Last `invoice_date`, inclusive, in the time zone of the account.',
    filter: `\`key=value\`. Keys: ${names}, and every field of a segment, such as \`customer_country\` or \`attr.tier\`, for the records of the customers that match now. Repeat a key to match any of its values.`,
  })
  return [...plain, ...common]
}
