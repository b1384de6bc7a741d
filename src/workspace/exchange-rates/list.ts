import type { FxRate } from '../../core/currency.ts'
import { AppError } from '../../core/errors.ts'
import type { FxRateStore, RateSelection } from '../../ports/fx-rate-store.ts'
import { defineField } from '../../query/field.ts'
import { equalitiesIn } from '../../query/lists/filters.ts'
import { type ListInputs, parseData } from '../../query/lists/request.ts'
import type { Raw } from '../../query/raw-parameters.ts'

const currency = (key: string, description: string) =>
  defineField({ key, type: 'string', description, isUpperCase: true, expression: () => null })

/** What the list of exchange rates takes. */
export const RATE_INPUTS: ListInputs = {
  fields: [currency('from', 'Currency that is converted'), currency('to', 'Currency that it is converted into')],
  statuses: [],
  own: ['latest'],
  takesDays: true,
  takesSegment: false,
  isPlain: true,
}

/** Which rates a request means. AppError `invalid_value` and the like with every issue. */
export function readRateSelection(params: Raw, now: Date): RateSelection {
  const { start, end, latest, conditions } = parseData(params, {}, RATE_INPUTS, now)
  const named = equalitiesIn(conditions, params)
  return { from: named.get('from'), to: named.get('to'), start, end, latest }
}

/** Rates by pair and day. AppError `result_too_large` above `mostRows`. */
export async function listRates(
  store: { readonly fxRates: FxRateStore },
  selection: RateSelection,
  mostRows: number,
): Promise<readonly FxRate[]> {
  const rates = await store.fxRates.list({ ...selection, limit: mostRows + 1 })
  if (rates.length <= mostRows) return rates
  const detail = `There are more than ${mostRows} rates. Choose fewer days or currencies, or only the latest of each pair.`
  throw new AppError('result_too_large', detail, { context: { limit: mostRows } })
}
