import { join, sql, value } from '../../compiler/fragment.ts'
import { errorFromIssues } from '../../core/errors.ts'
import { dayAfter, dayOf, dayStart, daysBefore, nextPeriod, periodStart, periodsOn } from '../../core/periods.ts'
import { planField } from '../../query/dimensions/plan.ts'
import { beyondHorizon, horizonOf } from '../../query/forecast.ts'
import { listField, TENANT_FIELD } from '../../query/lists/definition.ts'
import type { DataRequest, ListInputs } from '../../query/lists/request.ts'
import { SHORT_PERIODS, TERM_ENDS, TERMS } from './rows.ts'

/** Months of the answer if the request has no end: this one and the whole months after it. */
const USUAL_MONTHS = 12

const isShort = sql`coalesce(priced.billing_period, plan.billing_period) in (${join(
  SHORT_PERIODS.flatMap((word) => [word, word.toUpperCase()]).map((word) => value(word, 'text')),
  sql`, `,
)})`

/** Parameters and filters of renewals. */
export const RENEWAL_INPUTS: ListInputs = {
  fields: [
    TENANT_FIELD,
    listField('plan_id', 'Plan from the renewal on.', sql`coalesce(plan.plan_id, fact.plan)`, { same_as: planField('plan_id') }),
    listField('currency', 'Currency of the subscription. customer.currency is that of the account.', sql`fact.currency`, {
      isUpperCase: true,
    }),
    listField('ends', TERM_ENDS.join(', '), sql`fact.ends`, { known: TERM_ENDS }),
    listField(
      'term',
      'contract: a fixed term, or a billed period of more than a month. monthly: all others.',
      sql`case when fact.ends = 'period' and ${isShort} then 'monthly' else 'contract' end`,
      { known: TERMS },
    ),
  ],
  statuses: [],
  subscriptions: 'all',
  own: ['limit', 'offset', 'search', 'source_id', 'customer_id'],
  takesDays: true,
  takesSegment: true,
  isAhead: true,
}

/** A request with the days on which renewals are due. */
export interface RenewalRequest extends DataRequest {
  readonly start: string
  readonly end: string
}

/** The days of the request: from tomorrow at the earliest, up to the horizon of a forecast. AppError `invalid_range`. */
export function withDays(request: DataRequest, now: Date): RenewalRequest {
  const tomorrow = dayOf(dayAfter(dayOf(now)))
  const horizon = horizonOf(now)
  const last = dayOf(horizon)
  const start = request.start ?? tomorrow
  const refuse = (where: 'start' | 'end', value: string, message: string) =>
    errorFromIssues([{ code: 'invalid_range', where: `params.${where}`, value, message, did_you_mean: [] }])
  if (start < tomorrow)
    throw refuse('start', start, `Renewals are due after today: "start" must be ${tomorrow} or later, not ${start}.`)
  if (start > last) throw refuse('start', start, beyondHorizon(horizon))
  const end = request.end ?? usualEnd(start, last)
  if (end < start) throw refuse('end', end, `The range ends on ${end}, before it starts on ${start}.`)
  if (end > last) throw refuse('end', end, beyondHorizon(horizon))
  return { ...request, start, end }
}

/** The last day of the usual months, or the last day that a forecast knows if that comes first. */
function usualEnd(start: string, last: string): string {
  const months = periodsOn(nextPeriod(periodStart(dayStart(start), 'month'), 'month'), 'month', USUAL_MONTHS)
  const end = daysBefore(dayOf(months), 1)
  return end < last ? end : last
}
