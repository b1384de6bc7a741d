import { sql } from '../../compiler/fragment.ts'
import { BEGINNING, dayAfter, dayOf, daysBefore, numberOfDay, sqlNow } from '../../core/periods.ts'
import { compileData, type RunContext } from '../../execution/run.ts'
import { withOwnEnds } from '../../execution/session/swap-window.ts'
import type { Row } from '../../ports/rows.ts'
import { horizonOf } from '../../query/forecast.ts'
import { listField, type RowsOfSubscriptions } from '../../query/lists/definition.ts'
import type { RhythmicDays } from '../billings/periods.ts'
import { keyOf, rhythmicDaysOf } from '../billings/terms.ts'
import { listFact, listFilters, ofCustomers } from '../filters.ts'
import { onRows } from '../subscription-conditions.ts'
import type { RenewalRequest } from './request.ts'

const DAY_MS = 86_400_000

/** The rows of sql/data/renewals.sql are spans. */
const ROWS: RowsOfSubscriptions = {
  fields: [
    listField('billing_period', 'Billing period from the renewal on.', sql`coalesce(priced.billing_period, plan.billing_period)`),
  ],
  joined: ['customer', 'tenant', 'plan'],
}

/** The terms of subscriptions by `keyOf`, in the order of time. */
export type Terms = ReadonlyMap<string, readonly RhythmicDays[]>

/** Stretches of days in which subscriptions are active and may renew. */
export async function readStretches(request: RenewalRequest, context: RunContext): Promise<readonly Row[]> {
  const { session } = context
  const fact = listFact(context)
  const rows = onRows(request.ofSubscription, ROWS, fact)
  const filters = sql`${listFilters(ofCustomers(sql`fact.subscription_id`), request, fact)}${rows.filters}`
  const run = {
    template: 'data/renewals',
    slots: { joins: rows.joins, filters },
    params: {
      first_day: numberOfDay(request.start),
      end_day: numberOfDay(request.end) + 1,
      rate_day: daysBefore(dayOf(session.now), 1),
      until: untilHorizon(context),
    },
    // A local day west of UTC ends up to a day later.
    window: { from: BEGINNING, to: dayAfter(dayOf(dayAfter(request.end))) },
  }
  return context.run(await compileData(run, request.audience, { ...context, session: withOwnEnds(session) }))
}

/** How often the engine charges the subscriptions of the request. */
export async function readTerms(request: RenewalRequest, context: RunContext): Promise<Terms> {
  const { session } = context
  // Conditions are those on a stretch, and a term before it decides on its days, too.
  const all = { ...request, conditions: [], ofSubscription: [] }
  const run = {
    template: 'data/renewal_terms',
    slots: { filters: listFilters(ofCustomers(sql`fact.subscription_id`), all, listFact(context)) },
    params: { until: untilHorizon(context) },
    window: { from: BEGINNING, to: session.calendar.instantOf(horizonOf(session.now)) },
  }
  const rows = await context.run(await compileData(run, request.audience, { ...context, session: withOwnEnds(session) }))
  const terms = new Map<string, RhythmicDays[]>()
  for (const row of rows) {
    const own = terms.get(keyOf(row))
    if (own === undefined) terms.set(keyOf(row), [rhythmicDaysOf(row)])
    else own.push(rhythmicDaysOf(row))
  }
  return terms
}

function untilHorizon({ session }: RunContext): string {
  const horizon = session.calendar.instantOf(horizonOf(session.now))
  return sqlNow(new Date(horizon.getTime() + DAY_MS))
}
