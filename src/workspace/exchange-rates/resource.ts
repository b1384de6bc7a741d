import type { FxRate } from '../../core/currency.ts'
import { AppError } from '../../core/errors.ts'
import type { AskOptions } from '../../execution/answer/answer.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import type { RequestSession } from '../../execution/session/session.ts'
import { switchedOff } from '../../execution/session/stores.ts'
import type { FxRateStore, RateImportOptions, RateImportResult, RateSelection } from '../../ports/fx-rate-store.ts'
import type { Store } from '../../ports/store.ts'
import { defineField } from '../../query/field.ts'
import { equalitiesIn } from '../../query/lists/filters.ts'
import { type ListInputs, parseData } from '../../query/lists/request.ts'
import type { Raw } from '../../query/raw-parameters.ts'
import { type AskFigure, type MissingRate, missingRates } from './missing.ts'

/** Exchange rates of the side store, which all workspaces share. */
export interface RateResource {
  /** Stored rates by pair and day. AppError `invalid_value`, `result_too_large`. */
  list(params?: Raw): Promise<readonly FxRate[]>
  /** Pairs that amounts need and that have no rate, by first day. */
  missing(options?: AskOptions): Promise<readonly MissingRate[]>
  /**
   * Imports a CSV file. Rates of a wide file are converted into the base currency unless `into` names another. After an error
   * nothing is written: AppError `invalid_csv`, `payload_too_large`.
   */
  import(source: AsyncIterable<string | Uint8Array>, options: RateImportOptions): Promise<RateImportResult>
}

type InSession = <T>(work: (session: RequestSession) => Promise<T>) => Promise<T>

/** Exchange rates in the side store, and the rates that figures lack. */
export function createRateResource(deps: EngineDependencies, inSession: InSession, ask: AskFigure): RateResource {
  const stored = (): Store => {
    if (deps.store?.enabled !== true) throw switchedOff('Exchange rates', deps.connector.type)
    return deps.store
  }
  const base = async () =>
    deps.definitions.base_currency ?? (await inSession(async ({ definitions }) => definitions.base_currency))
  return {
    async list(params = {}) {
      const selection = readRateSelection(params, deps.clock.now())
      return listRates(stored(), selection, deps.limits.max_rows)
    },
    missing: (options = {}) => missingRates(ask, options),
    async import(source, options) {
      const store = stored()
      if (deps.importRates === undefined) throw new AppError('unsupported_by_connector', 'This service cannot read CSV files.')
      return deps.importRates(source, { ...options, base }, store)
    },
  }
}

const currency = (key: string, description: string) =>
  defineField({ key, type: 'string', description, isUpperCase: true, expression: () => null })

/** Parameters of the list of exchange rates. */
export const RATE_INPUTS: ListInputs = {
  fields: [currency('from', 'Currency that is converted'), currency('to', 'Currency that it is converted into')],
  statuses: [],
  own: ['latest'],
  takesDays: true,
  takesSegment: false,
  isPlain: true,
}

/** The rates that a request selects. AppError such as `invalid_value` with every issue. */
function readRateSelection(params: Raw, now: Date): RateSelection {
  const { start, end, latest, conditions } = parseData(params, {}, RATE_INPUTS, now)
  const named = equalitiesIn(conditions, params)
  return { from: named.get('from'), to: named.get('to'), start, end, latest }
}

/** Rates by pair and day. AppError `result_too_large` above `mostRows`. */
async function listRates(
  store: { readonly fxRates: FxRateStore },
  selection: RateSelection,
  mostRows: number,
): Promise<readonly FxRate[]> {
  const rates = await store.fxRates.list({ ...selection, limit: mostRows + 1 })
  if (rates.length <= mostRows) return rates
  const detail = `There are more than ${mostRows} rates. Choose fewer days or currencies, or only the latest of each pair.`
  throw new AppError('result_too_large', detail, { context: { limit: mostRows } })
}
