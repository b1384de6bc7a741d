import type { BoundValue } from '../../compiler/fragment.ts'
import { sql } from '../../compiler/fragment.ts'
import type { CustomerRef } from '../../core/attribute.ts'
import { dayOf } from '../../core/periods.ts'
import type { Audience } from '../../query/audience.ts'
import type { FactContext } from '../../query/field.ts'
import { pointAt } from '../../query/timeframe.ts'
import type { Shaped, Work } from '../answering.ts'
import { attributesOfCustomer } from '../attributes/entries.ts'
import { compileData } from '../context.ts'
import type { EngineDependencies } from '../contract.ts'
import { openSession, type RequestSession } from '../session.ts'
import { findCustomer, type RunLookup, readCustomer } from './customer.ts'
import type { ListDefinition } from './definition.ts'
import { INVOICES } from './invoices.ts'
import { type RunData, readPage } from './list.ts'
import type { DataRequest } from './request.ts'
import { CUSTOMER_DETAIL } from './rows.ts'

// Before all spans: first activity needs the whole history.
const BEGINNING = new Date('1900-01-01T00:00:00Z')

/** A page of a list (http-api.md 5). */
export async function answerList(
  definition: ListDefinition,
  request: DataRequest,
  deps: EngineDependencies,
  around: Work,
): Promise<Shaped> {
  for (const warning of request.warnings) around.warn(warning)
  const fact = factOf(deps)
  const { total, rows } = await readPage(definition, request, fact, runner(deps, around, around.session, {}, request.audience))
  const { limit, offset } = request
  return { data: { total, limit, offset, rows }, kind: 'page', columns: Object.keys(definition.row.shape) }
}

/** One customer; a test account too, as it was asked for by name (D16). */
export async function answerCustomer(id: string, request: DataRequest, deps: EngineDependencies, around: Work): Promise<Shaped> {
  for (const warning of request.warnings) around.warn(warning)
  const session = await sessionWithTests(deps, around.session)
  const run = runner(deps, around, session)
  const found = await findCustomer(id, request.source_id, lookup(deps, around, session))
  const data = await readCustomer(found, await attributesOfCustomer(found, deps, session), run)
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
  return (wanted, filters) => runner(deps, around, session, { wanted })('data/customer_ids', { filters })
}

// The base currency stays what it is without the test accounts (D10).
async function sessionWithTests(deps: EngineDependencies, session: RequestSession): Promise<RequestSession> {
  if (deps.definitions.test_accounts === 'include') return session
  const { base_currency } = session.definitions
  const definitions = { ...deps.definitions, base_currency, test_accounts: 'include' as const }
  return openSession({ ...deps, definitions }, session.snapshot, session.now)
}

function runner(
  deps: EngineDependencies,
  around: Work,
  session: RequestSession,
  params: Readonly<Record<string, BoundValue>> = {},
  audience?: Audience,
): RunData {
  const { before } = pointAt(dayOf(session.now), session.now)
  return async (template, slots) =>
    around.run(
      await compileData(
        {
          template,
          slots,
          params: { usage_invoices_only: template !== INVOICES.template, ...params },
          window: { from: BEGINNING, to: before },
        },
        audience,
        { deps, session },
      ),
    )
}

function factOf(deps: EngineDependencies): FactContext {
  const { connector, definitions } = deps
  return {
    fact: 'level',
    instant: sql`null`,
    isBefore: sql`1 = 1`,
    connector: connector.type,
    allowUnpriced: definitions.allow_unpriced,
    isNarrowed: false,
  }
}
