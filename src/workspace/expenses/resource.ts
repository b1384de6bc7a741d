import { calendarOf } from '../../core/calendar.ts'
import { systemClock } from '../../core/clock.ts'
import type { FxRate } from '../../core/currency.ts'
import { AppError } from '../../core/errors.ts'
import type { Workspace } from '../../core/workspace.ts'
import type { Answer, AskOptions } from '../../execution/answer/answer.ts'
import { shapeRecords } from '../../execution/answer/describe-columns.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import { unknownBookValues } from '../../execution/filter-values/unknown-values.ts'
import { hashDefinitions, type RequestSession } from '../../execution/session/session.ts'
import { expenseStore } from '../../execution/session/stores.ts'
import type { ExpenseImportOptions, ExpenseImportResult } from '../../ports/expense-store.ts'
import { preferStored } from '../../query/fx-rates.ts'
import type { Raw } from '../../query/raw-parameters.ts'
import { EXPENSE_LISTS, type ExpenseListName, namedIn, parseExpenseRequest, queryOf } from './lists.ts'
import { baseAmounts } from './rows.ts'

/** Bills, expenses and vendors in the side store. */
export interface ExpenseResource {
  /** Imports a CSV file, all or nothing. AppError `invalid_csv` with every problem, `payload_too_large`, `invalid_value`. */
  import(source: AsyncIterable<string | Uint8Array>, options: ExpenseImportOptions): Promise<ExpenseImportResult>
  /** A page of the current list (http-api.md 5). If a rate is missing, the list does not fail: its base amounts are null. */
  list(name: ExpenseListName, params?: Raw, spec?: Raw, options?: AskOptions): Promise<Answer>
}

type InSession = <T>(work: (session: RequestSession) => Promise<T>) => Promise<T>

/** Expenses in the side store. */
export function createExpenseResource(
  deps: EngineDependencies,
  workspace: () => Promise<Workspace>,
  inSession: InSession,
): ExpenseResource {
  return {
    async list(name, params = {}, spec = {}, { signal } = {}) {
      const storeOf = expenseStore(deps)
      const { clockNow: now } = calendarOf(deps.definitions.time_zone, deps.clock.now())
      const list = EXPENSE_LISTS[name]
      const request = parseExpenseRequest(list, params, spec, now)
      signal?.throwIfAborted()
      const { session, rates } = await inSession(async (opened) => ({
        session: opened,
        rates: await ratesIn(opened, deps),
      }))
      const { base_currency } = session.definitions
      const query = queryOf(list, request, now)
      const store = storeOf(session.workspace)
      const page = await list.read(store, query, baseAmounts(base_currency, rates))
      const { limit, offset } = request
      const unknown = await unknownBookValues(namedIn(request), store)
      const warnings = [...request.warnings, ...(unknown === undefined ? [] : [unknown])]
      const data = { total: page.total, limit, offset, rows: page.rows }
      const { fields, amounts, days, ...shaped } = shapeRecords({ data, kind: 'page' }, list.row, request, base_currency)
      const definitions = hashDefinitions(session.definitions)
      return { ...shaped, meta: { data_through: null, definitions, warnings, base_currency, fields, amounts, days } }
    },
    async import(source, options) {
      const storeOf = expenseStore(deps)
      if (deps.importExpenses === undefined) throw new AppError('unsupported_by_connector', 'This service cannot read CSV files.')
      // Uses the real time, even if `now` is fixed.
      const at = systemClock.now().toISOString()
      return deps.importExpenses(source, options, {
        store: storeOf(await workspace()),
        at,
      })
    },
  }
}

// Loads the rates of all currencies, because expenses may have currencies that the billing engine does not have.
async function ratesIn({ connector, definitions }: RequestSession, { store }: EngineDependencies): Promise<readonly FxRate[]> {
  const { base_currency } = definitions
  return preferStored((await store?.fxRates.ratesInto(base_currency)) ?? [], await connector.rates(base_currency))
}
