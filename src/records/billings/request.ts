import { sql } from '../../compiler/fragment.ts'
import { errorFromIssues } from '../../core/errors.ts'
import { dayOf, daysBefore, periodStart, periodsOn } from '../../core/periods.ts'
import type { ResolvedNames } from '../../query/audience-request.ts'
import type { Condition } from '../../query/condition.ts'
import { planField } from '../../query/dimensions/plan.ts'
import { listField, TENANT_FIELD } from '../../query/lists/definition.ts'
import { type DataRequest, type ListInputs, parseData } from '../../query/lists/request.ts'
import { MOST_MONTHS_AHEAD } from '../../query/parameter-types.ts'
import type { Raw } from '../../query/raw-parameters.ts'
import { BILLING_KINDS } from './rows.ts'

/** Months of the answer after this one if the request has no end. */
const USUAL_MONTHS = 12

const KIND = 'kind'

/** Parameters and filters of charges to come. */
export const BILLING_INPUTS: ListInputs = {
  fields: [
    TENANT_FIELD,
    listField('plan_id', 'Plan of the charge.', sql`coalesce(plan.plan_id, fact.plan)`, { same_as: planField('plan_id') }),
    listField('currency', 'Currency of the charge. customer.currency is that of the account.', sql`fact.currency`, {
      isUpperCase: true,
    }),
    listField(KIND, Object.keys(BILLING_KINDS).join(', '), sql`fact.kind`, { known: Object.keys(BILLING_KINDS) }),
  ],
  statuses: [],
  subscriptions: 'all',
  own: ['limit', 'offset', 'search', 'source_id', 'customer_id', 'next'],
  takesDays: true,
  takesSegment: true,
  isAhead: true,
}

/** A request with its days, and its conditions on terms and on kinds of charges. */
export interface BillingRequest extends DataRequest {
  readonly start: string
  readonly end: string
  /** True if it begins today, and with what is due by now. */
  readonly isFromNow: boolean
  readonly ofKind: readonly Condition[]
}

/** Checks a request. By default it goes from today to the end of the twelfth month after this one. AppError with all issues. */
export function parseBillings(params: Raw, spec: Raw, inputs: ListInputs, now: Date, names?: ResolvedNames): BillingRequest {
  const request = parseData(params, spec, inputs, now, names)
  return {
    ...withDays(request, now),
    conditions: request.conditions.filter(({ field }) => field.key !== KIND),
    ofKind: request.conditions.filter(({ field }) => field.key === KIND),
  }
}

/** The days of the request: from today at the earliest, up to the end of the last month that may be named. AppError `invalid_range`. */
function withDays(request: DataRequest, now: Date): Omit<BillingRequest, 'ofKind'> {
  const today = dayOf(now)
  const last = endOf(now, MOST_MONTHS_AHEAD)
  const refuse = (where: 'start' | 'end' | 'next', value: string, message: string) =>
    errorFromIssues([{ code: 'invalid_range', where: `params.${where}`, value, message, did_you_mean: [] }])
  const { start = today, next } = request
  if (next !== undefined && (request.start !== undefined || request.end !== undefined))
    throw refuse('next', `${next}m`, '"next" names all days of the request: leave out "start", "end" and "range".')
  const usual = endOf(now, next ?? USUAL_MONTHS)
  const end = request.end ?? (usual < start ? last : usual)
  if (start < today) throw refuse('start', start, `Charges to come begin today: "start" must be ${today} or later, not ${start}.`)
  const beyond = `Charges are known up to ${last}, the end of the ${MOST_MONTHS_AHEAD}th month after this one.`
  if (start > last) throw refuse('start', start, beyond)
  if (end < start) throw refuse('end', end, `The range ends on ${end}, before it starts on ${start}.`)
  if (end > last) throw refuse('end', end, beyond)
  return { ...request, start, end, isFromNow: start === today }
}

/** The last day of the month that comes this many months after that of `now`. */
function endOf(now: Date, months: number): string {
  return daysBefore(dayOf(periodsOn(periodStart(now, 'month'), 'month', months + 1)), 1)
}
