import type { CustomerRef } from '../core/attribute.ts'
import { BEGINNING, dayOf } from '../core/periods.ts'
import { shapeRecords } from '../execution/answer/describe-columns.ts'
import type { Shaped, Work } from '../execution/answering.ts'
import type { EngineDependencies } from '../execution/dependencies.ts'
import { compileData } from '../execution/run.ts'
import { attributesOfCustomer } from '../execution/session/attributes/entries.ts'
import { openSession, type RequestSession } from '../execution/session/session.ts'
import type { Audience } from '../query/audience.ts'
import type { ListDefinition } from '../query/lists/definition.ts'
import type { DataRequest } from '../query/lists/request.ts'
import { pointAt } from '../query/timeframe.ts'
import { customerOfId, findCustomer, type RunLookup, readCustomer } from './customer.ts'
import { listFact } from './filters.ts'
import { type RunData, readPage } from './list.ts'
import { CUSTOMER_DETAIL } from './rows.ts'

/** A page of a list (http-api.md 5). */
export async function answerList(
  definition: ListDefinition,
  request: DataRequest,
  deps: EngineDependencies,
  around: Work,
): Promise<Shaped> {
  for (const warning of request.warnings) around.warn(warning)
  const fact = listFact(deps)
  const { total, rows } = await readPage(definition, request, fact, runner(deps, around, around.session, request.audience))
  const { limit, offset } = request
  const data = { total, limit, offset, rows }
  return shapeRecords({ data, kind: 'page' }, definition.row, request, around.session.definitions.base_currency)
}

/**
 * One customer by account id or external key; a test account too, as it was asked for by name (D16). One that counts is answered of the
 * same rows as the lists are, whatever it was called by. The cache has no test accounts and not every external key: null where only the
 * replica can tell. AppError `not_found`, `conflict`.
 */
export async function answerCustomer(
  name: string,
  request: DataRequest,
  deps: EngineDependencies,
  around: Work,
): Promise<Shaped> {
  const { session } = around
  const counted = lookup(deps, around, session)
  const known = await customerOfId(name, request.source_id, counted)
  if (known !== undefined) return answerFound(known, request, deps, around, session)
  const base = session.definitions.base_currency
  if (around.source === 'cache') return shapeRecords({ data: null, kind: 'object' }, CUSTOMER_DETAIL, request, base)
  const found = await findCustomer(name, request.source_id, lookup(deps, around, lookingAtTests(session)))
  const isCounted = (await customerOfId(found.customer_id, found.source_id, counted)) !== undefined
  return answerFound(found, request, deps, around, isCounted ? session : await sessionWithTests(deps, session))
}

async function answerFound(
  found: CustomerRef,
  request: DataRequest,
  deps: EngineDependencies,
  around: Work,
  session: RequestSession,
): Promise<Shaped> {
  for (const warning of request.warnings) around.warn(warning)
  const attributes = await attributesOfCustomer(found, deps, session, around.warn)
  const data = await readCustomer(found, attributes, runner(deps, around, session))
  return shapeRecords({ data, kind: 'object' }, CUSTOMER_DETAIL, request, session.definitions.base_currency)
}

/** The customer of an account id or external key, a test account too. AppError `not_found`, `conflict`. */
export async function locateCustomer(
  id: string,
  source_id: string | undefined,
  deps: EngineDependencies,
  around: Work,
): Promise<CustomerRef> {
  return findCustomer(id, source_id, lookup(deps, around, lookingAtTests(around.session)))
}

function lookup(deps: EngineDependencies, around: Work, session: RequestSession): RunLookup {
  return (filters) => runner(deps, around, session)('data/customers_wanted', { filters })
}

// Who there is depends on no more than the parameter; what is known of them is another session's.
function lookingAtTests(session: RequestSession): RequestSession {
  return { ...session, params: { ...session.params, include_test_accounts: true } }
}

// The base currency stays what it is without the test accounts (D10).
async function sessionWithTests(deps: EngineDependencies, session: RequestSession): Promise<RequestSession> {
  if (deps.definitions.test_accounts === 'include') return session
  const { base_currency } = session.definitions
  const definitions = { ...deps.definitions, base_currency, test_accounts: 'include' as const }
  return openSession({ ...deps, definitions }, session.snapshot, session.now)
}

function runner(deps: EngineDependencies, around: Work, session: RequestSession, audience?: Audience): RunData {
  const { before } = pointAt(dayOf(session.now), session.now)
  return async (template, slots) =>
    around.run(
      await compileData(
        {
          template,
          slots,
          params: {},
          window: { from: BEGINNING, to: before },
        },
        audience,
        { deps, session },
      ),
    )
}
