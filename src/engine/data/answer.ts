import type { CustomerRef } from '../../core/attribute.ts'
import { BEGINNING, dayOf } from '../../core/periods.ts'
import type { Audience } from '../../query/audience.ts'
import { pointAt } from '../../query/timeframe.ts'
import type { Shaped, Work } from '../answering.ts'
import { attributesOfCustomer } from '../attributes/entries.ts'
import { compileData } from '../context.ts'
import type { EngineDependencies } from '../dependencies.ts'
import { openSession, type RequestSession } from '../session.ts'
import { findCustomer, type RunLookup, readCustomer } from './customer.ts'
import type { ListDefinition } from './definition.ts'
import { listFact } from './fact.ts'
import { INVOICES } from './invoices.ts'
import { type RunData, readPage } from './list.ts'
import type { DataRequest } from './request.ts'
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
  return { data: { total, limit, offset, rows }, kind: 'page', columns: Object.keys(definition.row.shape) }
}

/** One customer; a test account too, as it was asked for by name (D16). */
export async function answerCustomer(id: string, request: DataRequest, deps: EngineDependencies, around: Work): Promise<Shaped> {
  for (const warning of request.warnings) around.warn(warning)
  const session = await sessionWithTests(deps, around.session)
  const run = runner(deps, around, session)
  const found = await findCustomer(id, request.source_id, lookup(deps, around, session))
  const data = await readCustomer(found, await attributesOfCustomer(found, deps, session, around.warn), run)
  return { data, kind: 'object', columns: Object.keys(CUSTOMER_DETAIL.shape) }
}

/** The customer of an account id or external key, a test account too. AppError `not_found`, `conflict`. */
export async function locateCustomer(
  id: string,
  source_id: string | undefined,
  deps: EngineDependencies,
  around: Work,
): Promise<CustomerRef> {
  return findCustomer(id, source_id, lookup(deps, around, await sessionWithTests(deps, around.session)))
}

function lookup(deps: EngineDependencies, around: Work, session: RequestSession): RunLookup {
  return (filters) => runner(deps, around, session)('data/customers_wanted', { filters })
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
          params: { usage_invoices_only: template !== INVOICES.template },
          window: { from: BEGINNING, to: before },
        },
        audience,
        { deps, session },
      ),
    )
}
