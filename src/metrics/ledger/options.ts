import { sql } from '../../compiler/fragment.ts'
import type { Definitions } from '../../core/definitions.ts'
import {
  DEFAULT_BUCKETS,
  type LEDGER_DEFINITIONS,
  REVENUE_KINDS,
  readBuckets,
  readRevenueKinds,
} from '../../core/ledger-options.ts'
import { BEGINNING, dayBefore, dayOf, dayStart, daysBefore, nextPeriod, periodStart } from '../../core/periods.ts'
import type { LedgerRequest } from '../../query/request.ts'
import { compileScope, type Scope } from '../../query/scope.ts'
import { pointAt } from '../../query/timeframe.ts'
import type { MetricContext } from '../readings/context.ts'
import { factOf } from '../readings/facts.ts'

/** Day after every posting. As `known_at` it asks for all that is known now. */
export const NEVER = '9999-12-30'

/** A request for the books under definitions. */
interface Asked extends AskedOptions {
  readonly definitions: LedgerDefinitions & Pick<MetricContext['definitions'], 'base_currency'>
}

/** The options of the ledger among definitions. */
export type LedgerDefinitions = Pick<Definitions, keyof typeof LEDGER_DEFINITIONS | 'close_days'>

/** A request with options of the ledger, under definitions that have all of them. */
interface AskedOptions {
  readonly request: { readonly ledger?: LedgerRequest }
  readonly definitions: LedgerDefinitions
}

/** The options of a request (R6 to R8, R17, R22, R24, R27). Those that it does not state are those of its definitions (D98). */
export function optionsOf({ request, definitions }: AskedOptions) {
  const { spread, one_off, unbilled, revenue_kinds, net_terms, buckets, receivables_rate, recovery_window, known_at } =
    request.ledger ?? {}
  return {
    spread: spread ?? definitions.spread,
    one_off: one_off ?? definitions.one_off,
    unbilled: unbilled ?? definitions.unbilled,
    revenue_kinds: revenue_kinds ?? readRevenueKinds(definitions.revenue_kinds) ?? REVENUE_KINDS,
    net_terms: net_terms ?? definitions.net_terms,
    buckets: buckets ?? readBuckets(definitions.buckets) ?? DEFAULT_BUCKETS,
    receivables_rate: receivables_rate ?? definitions.receivables_rate,
    recovery_window: recovery_window ?? definitions.recovery_window,
    known_on: known_at ?? NEVER,
  }
}

/**
 * The day up to which the books of a day know postings, if `ledger.close_days` closes its month (R22). Undefined: `known_on` of the request alone
 * decides.
 */
export function closedOn({ request, definitions: { close_days } }: AskedOptions, day: string): string | undefined {
  if (close_days === undefined || request.ledger?.known_at !== undefined) return undefined
  return daysBefore(dayBefore(nextPeriod(periodStart(dayStart(day), 'month'), 'month')), 0 - close_days)
}

/** True if some kind of charges is other income, and not revenue. */
export function hasOtherIncome(context: AskedOptions): boolean {
  return optionsOf(context).revenue_kinds.length < REVENUE_KINDS.length
}

/** Parameters of statements over charges. */
export function chargeParams(context: Asked) {
  const { spread, one_off, unbilled, known_on } = optionsOf(context)
  return { spread, one_off, unbilled, known_on, base_currency: context.definitions.base_currency }
}

/** Parameters of statements over postings. */
export function entryParams(context: Asked) {
  return { known_on: optionsOf(context).known_on, base_currency: context.definitions.base_currency }
}

/** Parameters of statements over open balances. A day to come has the exchange rates of today. */
export function balanceParams(context: Asked, now: Date) {
  const { net_terms, receivables_rate } = optionsOf(context)
  return { ...entryParams(context), net_terms, receivables_rate, valued_through: dayOf(now) }
}

/** Dimensions and filters of rows of the books. Customers have their current values. */
export function booksScope(context: MetricContext): Scope {
  const { dimensions, conditions } = context.request
  return compileScope(
    dimensions,
    conditions,
    factOf(context, { fact: 'level', instant: sql`fact.posted_on`, isBefore: sql`1 = 1` }),
  )
}

/** The window of statements over the books: all that is known now. */
export function booksWindow({ now }: Pick<MetricContext, 'now'>) {
  return { from: BEGINNING, to: pointAt(dayOf(now), now).before }
}
