import { value } from '../../compiler/fragment.ts'
import { AppError } from '../../core/errors.ts'
import { integerCell, textCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { compareValues } from '../../query/order.ts'
import { readsBaseAmounts } from '../../query/request.ts'
import { compileScope } from '../../query/scope.ts'
import type { MetricContext } from './context.ts'
import { levelFact, windowOf } from './facts.ts'

/** Amounts of one currency that lack a rate into the base currency. */
export interface UnratedGap {
  readonly currency: string
  /** First day that needs the rate. */
  readonly from: string
  /** Last day that needs it. */
  readonly through: string
  readonly count: number
}

/** Prices and rates that an answer needs and that are missing (D14, D26). */
export interface Gaps {
  readonly unpriced: number
  readonly unrated: readonly UnratedGap[]
}

interface UnpricedPlan {
  readonly plan_id: string
  readonly currency: string | null
  readonly count: number
}

/**
 * Refuses gaps. AppError `missing_fx_rate` or `unpriced_plan`. With `allow_unpriced`, missing prices are only a warning. `list` finds the
 * plans that the message names.
 */
export async function refuseGaps(
  context: MetricContext,
  gaps: Gaps,
  list: () => Promise<readonly UnpricedPlan[]>,
): Promise<void> {
  const missing = missingRate(gaps.unrated, context.definitions.base_currency, context.ratesWithheld)
  if (missing !== undefined) throw missing
  if (gaps.unpriced === 0) return
  const plans = await list()
  const cause = unpricedText(plans, context)
  if (context.definitions.allow_unpriced) {
    context.warn({ code: 'unpriced_plan', message: `Counted as 0, because ${cause}.`, count: gaps.unpriced })
    return
  }
  const remedy = 'Set definitions.allow_unpriced = true to count them as 0, with a warning in every answer.'
  throw new AppError('unpriced_plan', `${cause.replace('the', 'The')}. ${remedy}`, { context: { plans } })
}

/** Why plans have no price: the catalog lacks it, or has something that cannot be read. */
function unpricedText(plans: readonly UnpricedPlan[], { priceFlaw }: Pick<MetricContext, 'priceFlaw'>): string {
  const told = plans.map(({ plan_id, currency, count }) => {
    const flaw = priceFlaw?.(plan_id, currency)
    const subscriptions = count === 1 ? '1 subscription' : `${count} subscriptions`
    const text = `${plan_id} (${currency ?? 'no currency'}, ${subscriptions}${flaw === undefined ? '' : `: ${flaw}`})`
    return { text, isFlawed: flaw !== undefined }
  })
  const missing = told.filter(({ isFlawed }) => !isFlawed)
  const flawed = told.filter(({ isFlawed }) => isFlawed)
  const named = (those: typeof told) => those.map(({ text }) => text).join(', ')
  return [
    ...(missing.length > 0 || told.length === 0 ? [`the catalog has no price for ${named(missing) || 'a plan in use'}`] : []),
    ...(flawed.length > 0 ? [`the catalog has a price that cannot be read for ${named(flawed)}`] : []),
  ].join(', and ')
}

/** Missing rates from `unrated_count`, `unrated_from` and `unrated_through` of rows, by `fact_currency` (D14). */
export function unratedIn(rows: readonly Row[]): readonly UnratedGap[] {
  return rows.flatMap((row) => {
    const from = textCell(row, 'unrated_from')
    if (from === null) return []
    const through = textCell(row, 'unrated_through') ?? from
    const count = integerCell(row, 'unrated_count')
    return [{ currency: textCell(row, 'fact_currency') ?? '', from: from.slice(0, 10), through: through.slice(0, 10), count }]
  })
}

/** Refuses the gaps of a template's rows: missing rates, and prices in `unpriced_count` (D14, D26). `until` is as for `listUnpriced`. */
export async function refuseRowGaps(
  context: MetricContext,
  rows: readonly Row[],
  time: { readonly from: Date; readonly to: Date },
  until?: Date,
): Promise<void> {
  const unrated = readsBaseAmounts(context.request) ? unratedIn(rows) : []
  const unpriced = rows.reduce((sum, row) => sum + integerCell(row, 'unpriced_count'), 0)
  await refuseGaps(context, { unpriced, unrated }, () => listUnpriced(context, time, until))
}

/**
 * Plans without a price among the spans that touch [from, to], by plan and currency; `count` is subscriptions. Filters on values
 * that can change are left out: such a filter may test the priced side of a movement whose other side has no price. `until` is the last
 * instant that counts, by default that of the request.
 */
export async function listUnpriced(
  context: MetricContext,
  time: { readonly from: Date; readonly to: Date },
  until?: Date,
): Promise<readonly UnpricedPlan[]> {
  const lasting = context.request.conditions.filter(
    ({ field }) => field.constant === 'always' && !field.reads.includes('mrr_movement'),
  )
  // The list is by plan and currency, independent of the request's dimensions.
  const scope = compileScope([], lasting, levelFact(context, value(time.to, 'timestamp')))
  const ofSpans = { slots: scope.slots, params: { start: time.from, end: time.to }, window: windowOf(scope, time) }
  const run = until === undefined ? ofSpans : { ...ofSpans, until }
  const rows = await context.run({ ...run, template: 'mrr/unpriced_spans' })
  if (context.onUnpriced !== undefined && context.definitions.allow_unpriced) {
    const left = await context.run({ ...run, template: 'mrr/unpriced_subscriptions' })
    context.onUnpriced(left.map((row) => textCell(row, 'missing_subscription') ?? ''))
  }
  const plans = rows.map((row) => ({
    plan_id: textCell(row, 'missing_plan') ?? '',
    currency: textCell(row, 'fact_currency'),
    count: integerCell(row, 'subscription_count'),
  }))
  return plans.sort((a, b) => compareValues(a.plan_id, b.plan_id) || compareValues(a.currency, b.currency))
}

/** A pair of currencies that lacks rates, with the days that need one (http-api.md 1.4). */
interface MissingPair {
  readonly from: string
  readonly to: string
  readonly first_day: string
  readonly last_day: string
  /** Amounts that lack the rate. */
  readonly count: number
}

const REMEDY =
  'Run `plumbline fx fetch ecb` to store the rates of the European Central Bank, or `plumbline fx import <file>` to load rates from a file.'

/**
 * AppError `missing_fx_rate` with every currency pair without a rate (D14), ordered by the first day needed; undefined if none is missing.
 * `remark` is a sentence about rates that the database role may not read.
 */
export function missingRate(gaps: readonly UnratedGap[], base_currency: string, remark?: string): AppError | undefined {
  const pairs = pairsOf(gaps, base_currency)
  const [first] = pairs
  if (first === undefined) return undefined
  const spans = pairs.map((pair) => `from ${pair.from} to ${pair.to} for ${daysOf(pair)}`)
  const sentence =
    spans.length === 1 ? `There is no exchange rate ${spans[0]}.` : `There are no exchange rates ${spans.join(', ')}.`
  return new AppError('missing_fx_rate', [sentence, REMEDY, ...(remark === undefined ? [] : [remark])].join(' '), {
    context: { currency: first.from, base_currency, date: first.first_day, count: first.count, pairs },
  })
}

function pairsOf(gaps: readonly UnratedGap[], to: string): readonly MissingPair[] {
  const pairs = new Map<string, MissingPair>()
  for (const { currency, from, through, count } of gaps) {
    const known = pairs.get(currency)
    pairs.set(currency, {
      from: currency,
      to,
      first_day: known === undefined || from < known.first_day ? from : known.first_day,
      last_day: known === undefined || through > known.last_day ? through : known.last_day,
      count: count + (known?.count ?? 0),
    })
  }
  const order = ({ first_day, from }: MissingPair) => `${first_day} ${from}`
  return [...pairs.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1))
}

function daysOf({ first_day, last_day }: MissingPair): string {
  return first_day === last_day ? first_day : `${first_day} to ${last_day}`
}
