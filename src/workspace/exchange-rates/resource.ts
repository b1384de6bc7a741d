import { Readable } from 'node:stream'
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
import { RATE_FETCH } from '../records/rate.ts'
import { type AskFigure, type MissingPair, missingRates } from './missing.ts'

/** A pair of currencies without a rate on some days. `rates_since` is the first day with a rate; null if there is none. */
export interface MissingRate extends MissingPair {
  readonly rates_since: string | null
}

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
  /**
   * Downloads the European Central Bank's file from the configured address and imports it, with the options of `body`. AppError
   * `conflict` while another download runs, `connector_unavailable` if the server does not answer, `validation_failed`.
   */
  fetch(body: unknown, signal: AbortSignal): Promise<RateImportResult>
}

type InSession = <T>(work: (session: RequestSession) => Promise<T>) => Promise<T>

interface Reading {
  readonly inSession: InSession
  readonly ask: AskFigure
  /** Called when rates were stored. */
  readonly onChange: () => void
}

/** Exchange rates in the side store, and the rates that figures lack. */
export function createRateResource(deps: EngineDependencies, { inSession, ask, onChange }: Reading): RateResource {
  const stored = (): Store => {
    if (deps.store?.enabled !== true) throw switchedOff('Exchange rates', deps.connector.type)
    return deps.store
  }
  const base = async () =>
    deps.definitions.base_currency ?? (await inSession(async ({ definitions }) => definitions.base_currency))
  const take: RateResource['import'] = async (source, options) => {
    const store = stored()
    if (deps.importRates === undefined) throw new AppError('unsupported_by_connector', 'This service cannot read CSV files.')
    const result = await deps.importRates(source, { ...options, base }, store)
    onChange()
    return result
  }
  let isFetching = false
  return {
    async list(params = {}) {
      const selection = readRateSelection(params, deps.clock.now())
      return listRates(stored(), selection, deps.limits.max_rows)
    },
    async missing(options = {}) {
      const pairs = await missingRates(ask, options)
      const since = pairs.length === 0 ? new Map<string, string>() : await inSession(firstDays)
      return pairs.map((pair) => ({ ...pair, rates_since: since.get(pair.from) ?? null }))
    },
    import: take,
    async fetch(body, signal) {
      const { to: into, since } = RATE_FETCH.parse(body)
      stored()
      const { fetchRates } = deps
      if (fetchRates === undefined) throw new AppError('unsupported_by_connector', 'This service cannot fetch exchange rates.')
      if (isFetching) throw new AppError('conflict', 'Exchange rates are being fetched already. Wait until this has ended.')
      isFetching = true
      try {
        const file = await fetchRates(signal)
        return await take(Readable.from([file]), { into: into?.toUpperCase(), since })
      } finally {
        isFetching = false
      }
    },
  }
}

/** The first day with a rate into the base currency, by currency. */
async function firstDays(session: RequestSession): Promise<ReadonlyMap<string, string>> {
  const { rows } = await session.rates(true)
  const days = new Map<string, string>()
  // The rows of a currency are in the order of their days.
  for (const [currency, day] of rows) if (!days.has(String(currency))) days.set(String(currency), String(day))
  return days
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
