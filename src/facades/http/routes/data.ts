import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import {
  BILLING_INPUTS,
  BILLING_MONTH,
  BILLING_ROW,
  CUSTOMER_DETAIL,
  INVOICE_AGE_INPUTS,
  INVOICE_AGE_ROW,
  inputsOfList,
  LEDGER_LISTS,
  type LedgerList,
  LISTS,
  type ListDefinition,
  type ListInputs,
  RENEWAL_INPUTS,
  RENEWAL_MONTH,
  RENEWAL_ROW,
} from '../../../engine/shapes.ts'
import { inAnyFormat, RECORD_HEADERS, UNCHANGED } from '../openapi/answers.ts'
import { errorResponses, RECORD_CODES } from '../openapi/errors.ts'
import { named, queryOf, recordParameters } from '../openapi/query-parameters.ts'
import { pageOf } from '../openapi/response.ts'
import type { App } from '../serve.ts'
import { serveRecords } from '../serve-records.ts'

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
      200: inAnyFormat('A page of rows, with the total number', pageOf(list.row), RECORD_HEADERS),
      304: UNCHANGED,
      ...errorResponses(RECORD_CODES),
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
    200: inAnyFormat('The ages', z.array(INVOICE_AGE_ROW).readonly(), RECORD_HEADERS),
    304: UNCHANGED,
    ...errorResponses(RECORD_CODES),
  },
})

const renewals = createRoute({
  method: 'get',
  path: '/api/subscriptions/renewals',
  operationId: 'renewals',
  tags: ['Data'],
  summary: 'List renewals to come',
  description:
    'Subscriptions whose billed period or fixed term ends on days to come and that go on, in the order of these days. Each renewal is a row, so a monthly plan has one for each month. `months` has the number and MRR of each month. Only what the billing database already states counts, as in a forecast. CSV contains the rows of the page.',
  request: {
    query: queryOf(
      recordParameters(RENEWAL_INPUTS, {
        start: 'First day. Default and earliest: tomorrow.',
        end: 'Last day. Default: the end of the twelfth month after that of `start`, at most five years after today.',
      }),
    ),
  },
  responses: {
    200: inAnyFormat(
      'A page of renewals, with the sums of all months',
      pageOf(RENEWAL_ROW)
        .extend({ months: z.array(RENEWAL_MONTH).readonly().describe('Each month of the range, also without renewals') })
        .meta({ id: 'RenewalPage', description: 'A page of renewals' }),
      RECORD_HEADERS,
    ),
    304: UNCHANGED,
    ...errorResponses(RECORD_CODES),
  },
})

const billings = createRoute({
  method: 'get',
  path: '/api/forecast/billings',
  operationId: 'billings',
  tags: ['Data'],
  summary: 'List charges to come',
  description:
    'The charges that the billing engine will make of what its database states now (D91), in the order of their days. `months` has the sums of each month, currency and kind. Usage is an estimate. Nothing is said about payments. CSV contains the rows of the page.',
  request: {
    query: queryOf(
      recordParameters(BILLING_INPUTS, {
        start: 'First day. Default and earliest: today.',
        end: 'Last day. Default: the end of the twelfth month after this one; at most that of the 24th.',
      }),
    ),
  },
  responses: {
    200: inAnyFormat(
      'A page of charges, with the sums of all months',
      pageOf(BILLING_ROW)
        .extend({ months: z.array(BILLING_MONTH).readonly().describe('Each month, currency and kind with charges') })
        .meta({ id: 'BillingPage', description: 'A page of charges to come' }),
      RECORD_HEADERS,
    ),
    304: UNCHANGED,
    ...errorResponses(RECORD_CODES),
  },
})

const ledgerRoute = (list: LedgerList) =>
  createRoute({
    method: 'get',
    path: list.path,
    operationId: `ledger_${list.name}`,
    tags: ['Data'],
    summary: list.summary,
    description: list.description,
    request: { query: queryOf(list.inputs === undefined ? named(list.parameters) : parametersOf(list.inputs)) },
    responses: {
      200: inAnyFormat('The rows', list.answer, RECORD_HEADERS),
      304: UNCHANGED,
      ...errorResponses(['not_found', ...RECORD_CODES]),
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
    200: inAnyFormat('The customer', CUSTOMER_DETAIL, RECORD_HEADERS),
    304: UNCHANGED,
    ...errorResponses(['not_found', 'conflict', ...RECORD_CODES]),
  },
})

/** The billing engine's records: three lists, and one customer in detail. */
export function registerData(
  app: App,
  engine: Pick<Engine, 'list' | 'invoiceAges' | 'renewals' | 'billings' | 'ledgerList' | 'customer'>,
): void {
  for (const list of Object.values(LISTS)) {
    const { name } = list
    serveRecords(app, listRoute(list), `data.${name}`, () => (params, spec, options) => engine.list(name, params, spec, options))
  }
  serveRecords(app, ages, 'data.invoice_ages', () => engine.invoiceAges)
  serveRecords(app, renewals, 'data.renewals', () => engine.renewals)
  serveRecords(app, billings, 'data.billings', () => engine.billings)
  for (const list of LEDGER_LISTS) {
    const { name } = list
    serveRecords(
      app,
      ledgerRoute(list),
      `data.ledger_${name}`,
      () => (params, spec, options) => engine.ledgerList(name, params, spec, options),
    )
  }
  serveRecords(app, customer, 'data.customer', (context) => {
    const id = context.req.param('id') ?? ''
    return (params, spec, options) => engine.customer(id, params, spec, options)
  })
}

function parametersOf(inputs: ListInputs) {
  const orders = (inputs.order ?? []).map((name) => `\`${name}\``).join(', ')
  return recordParameters(inputs, {
    order: `Sort fields, comma-separated. Prefix a field with \`-\` for descending order. Nulls come last. Fields: ${orders}.`,
    start: 'First `invoice_date`, inclusive, in the time zone of the account.',
    end: 'Last `invoice_date`, inclusive, in the time zone of the account.',
  })
}
