import { digits } from '../compiler/fragment.ts'
import type { CustomerRef } from '../core/attribute.ts'
import { setNamed } from '../core/definition-sets/sets.ts'
import { BEGINNING, dayOf } from '../core/periods.ts'
import { shapeRecords } from '../execution/answer/describe-columns.ts'
import type { Question } from '../execution/pipeline.ts'
import { compileData, type RunContext } from '../execution/run.ts'
import { attributesOfCustomer } from '../execution/session/attributes/entries.ts'
import { openSession, type RequestSession } from '../execution/session/session.ts'
import type { Audience } from '../query/audience.ts'
import type { ListDefinition } from '../query/lists/definition.ts'
import { type DataRequest, namedInList, parseData } from '../query/lists/request.ts'
import type { Raw } from '../query/raw-parameters.ts'
import { pointAt } from '../query/timeframe.ts'
import { CUSTOMER_INPUTS, type CustomerDetail, customerOfId, findCustomer, type RunLookup, readCustomer } from './customer.ts'
import { conditionsOf, listFact, listFilters } from './filters.ts'
import { INVOICE_AGE_INPUTS, invoiceAges } from './invoice-ages.ts'
import { INVOICES } from './invoices.ts'
import { inputsOfList, type Page, type RunData, readPage } from './list.ts'
import { CUSTOMER_DETAIL, INVOICE_AGE_ROW } from './rows.ts'
import { refuseBandGaps } from './subscription-conditions.ts'

/** A page of a list (http-api.md 5). */
export function listQuestion(
  definition: ListDefinition,
  params: Raw,
  spec: Raw,
  sets: readonly string[],
): Question<DataRequest, Page> {
  const inputs = { ...inputsOfList(definition), sets }
  return {
    key: [`list ${definition.name}`, params, spec],
    set: setNamed(params),
    named: namedInList(params, spec, definition),
    plan: (now, names) => parseData(params, spec, inputs, now, names),
    planAt: (request) => request,
    takesAttributes: () => false,
    audience: ({ audience }) => audience,
    conditions: conditionsOf,
    async run(request, context) {
      for (const warning of request.warnings) context.warn(warning)
      const { limit, offset } = request
      await refuseBandGaps(request.ofSubscription, context)
      const run = runner(context, context.session, request.audience)
      const { total, rows } = await readPage(definition, request, listFact(context), run, context.session.calendar)
      return { total, limit, offset, rows }
    },
    shape: (data, request, context) => shapeRecords({ data, kind: 'page' }, definition.row, request, baseOf(context)),
  }
}

/** Open invoices by age, in the base currency (http-api.md 5). */
export function invoiceAgesQuestion(params: Raw, spec: Raw): Question<DataRequest, ReturnType<typeof invoiceAges>['rows']> {
  return {
    key: ['invoice ages', params, spec],
    set: undefined,
    named: namedInList(params, spec, INVOICE_AGE_INPUTS),
    plan: (now, names) => parseData(params, spec, INVOICE_AGE_INPUTS, now, names),
    planAt: (request) => request,
    takesAttributes: () => false,
    audience: ({ audience }) => audience,
    conditions: conditionsOf,
    async run(request, context) {
      const filters = listFilters(INVOICES, request, listFact(context))
      const found = await runner(context, context.session, request.audience)('data/invoice_ages', { filters })
      const { rows, warnings } = invoiceAges(found)
      for (const warning of [...request.warnings, ...warnings]) context.warn(warning)
      return rows
    },
    shape: (data, request, context) => shapeRecords({ data, kind: 'rows' }, INVOICE_AGE_ROW, request, baseOf(context)),
  }
}

/**
 * One customer by account id or external key. Test accounts are included, because the request names the account (D16). A customer
 * that is not a test account is read from the rows of the lists, for an account id and for an external key. The cache has no test
 * accounts and lacks some external keys. It answers null if only the replica can know. AppError `not_found`, `conflict`.
 */
export function customerQuestion(
  id: string,
  params: Raw,
  spec: Raw,
  sets: readonly string[],
): Question<DataRequest, CustomerDetail | null> {
  return {
    key: ['customer', id, params, spec],
    set: setNamed(params),
    named: { attributes: [], segments: [] },
    plan: (now) => parseData(params, spec, { ...CUSTOMER_INPUTS, sets }, now),
    planAt: (request) => request,
    takesAttributes: () => false,
    audience: () => undefined,
    conditions: () => [],
    run: (request, context) => readNamedCustomer(id, request, context),
    shape: (data, request, context) => shapeRecords({ data, kind: 'object' }, CUSTOMER_DETAIL, request, baseOf(context)),
  }
}

async function readNamedCustomer(name: string, request: DataRequest, context: RunContext): Promise<CustomerDetail | null> {
  const { session } = context
  const counted = lookup(context, session)
  const known = await customerOfId(name, request.source_id, counted)
  if (known !== undefined) return readFound(known, request, context, session)
  if (context.source === 'cache') return null
  const found = await findCustomer(name, request.source_id, lookup(context, lookingAtTests(session)))
  const isCounted = (await customerOfId(found.customer_id, found.source_id, counted)) !== undefined
  return readFound(found, request, context, isCounted ? session : await sessionWithTests(context))
}

async function readFound(
  found: CustomerRef,
  request: DataRequest,
  context: RunContext,
  session: RequestSession,
): Promise<CustomerDetail> {
  for (const warning of request.warnings) context.warn(warning)
  const attributes = await attributesOfCustomer(found, context.deps, session, context.warn)
  const admin_url = context.deps.connector.customerUrl?.(found.customer_id) ?? null
  return readCustomer(found, { attributes, admin_url }, runner(context, session), session.calendar)
}

/** The customer with this account id or external key, including test accounts. AppError `not_found`, `conflict`. */
export async function locateCustomer(id: string, source_id: string | undefined, context: RunContext): Promise<CustomerRef> {
  return findCustomer(id, source_id, lookup(context, lookingAtTests(context.session)))
}

function lookup(context: RunContext, session: RequestSession): RunLookup {
  return (filters) => runner(context, session)('data/customers_wanted', { filters })
}

// This parameter is enough to find test accounts. Their rows are read with `sessionWithTests`.
function lookingAtTests(session: RequestSession): RequestSession {
  return { ...session, params: { ...session.params, include_test_accounts: true } }
}

// The base currency is determined without the test accounts (D10).
async function sessionWithTests({ deps, session }: RunContext): Promise<RequestSession> {
  if (session.definitions.test_accounts === 'include') return session
  return openSession(deps, session.snapshot, session.calendar.now, { ...session.definitions, test_accounts: 'include' })
}

function runner({ deps, run, warn }: RunContext, session: RequestSession, audience?: Audience): RunData {
  const { before } = pointAt(dayOf(session.now), session.now)
  const window = { from: BEGINNING, to: before }
  const { dialect } = session.snapshot
  return async (template, { page, ...slots }) => {
    const ofPage = page === undefined ? {} : { page: dialect.page(digits(page.limit), digits(page.offset)) }
    return run(
      await compileData({ template, slots: { ...slots, ...ofPage }, params: {}, window }, audience, { deps, session, warn }),
    )
  }
}

function baseOf({ session }: RunContext): string {
  return session.definitions.base_currency
}
