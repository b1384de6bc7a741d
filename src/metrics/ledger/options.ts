import { sql } from '../../compiler/fragment.ts'
import { DEFAULT_BUCKETS, LEDGER_CHOICES } from '../../core/ledger-options.ts'
import { BEGINNING, dayOf } from '../../core/periods.ts'
import { compileScope, type Scope } from '../../query/scope.ts'
import { pointAt } from '../../query/timeframe.ts'
import type { MetricContext } from '../readings/context.ts'
import { factOf } from '../readings/facts.ts'

/** Day after every posting. */
const NEVER = '9999-12-30'

/** The options of a request, each with its default (R6 to R8, R17, R22). */
export function optionsOf({ request }: Pick<MetricContext, 'request'>) {
  const { spread, one_off, unbilled, net_terms, buckets, known_at } = request.ledger ?? {}
  return {
    spread: spread ?? LEDGER_CHOICES.spread[0],
    one_off: one_off ?? LEDGER_CHOICES.one_off[0],
    unbilled: unbilled ?? LEDGER_CHOICES.unbilled[0],
    net_terms: net_terms ?? 0,
    buckets: buckets ?? DEFAULT_BUCKETS,
    known_on: known_at ?? NEVER,
  }
}

/** Parameters of statements over charges. */
export function chargeParams(context: MetricContext) {
  const { spread, one_off, unbilled, known_on } = optionsOf(context)
  return { spread, one_off, unbilled, known_on, base_currency: context.definitions.base_currency }
}

/** Parameters of statements over postings. */
export function entryParams(context: MetricContext) {
  return { known_on: optionsOf(context).known_on, base_currency: context.definitions.base_currency }
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
export function booksWindow({ now }: MetricContext) {
  return { from: BEGINNING, to: pointAt(dayOf(now), now).before }
}
