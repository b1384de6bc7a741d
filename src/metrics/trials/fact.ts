import { type Fragment, fn, relation, sql } from '../../compiler/fragment.ts'
import { dayOf } from '../../core/periods.ts'
import { integerCell } from '../../ports/cells.ts'
import { defineField, type Field, readsSpans, WHOLE_NUMBERS } from '../../query/field.ts'
import { fieldsOf, rangeTime } from '../../query/request.ts'
import { pointAt } from '../../query/timeframe.ts'
import { computed, ratioOf, sumOf } from '../formula.ts'
import { bucketed, defineFact } from '../readings/fact.ts'
import { eventScope, factOf, liveOnly, windowOf } from '../readings/facts.ts'
import { bucketStep } from '../readings/periods.ts'

/** True for fields that split and narrow only the trials that converted (http-api.md 1.6). */
function isEventField({ key }: Field): boolean {
  return key === DAYS_TO_CONVERT.key
}

/** Days from the start of a trial to its conversion (D95). */
export const DAYS_TO_CONVERT = defineField({
  key: 'days_to_convert',
  shows: 'totals',
  label: 'Days to convert',
  type: 'number',
  description: 'Days from the start of the trial to its conversion; null if it has not converted.',
  constant: 'always',
  possible: WHOLE_NUMBERS,
  held_in: relation('trial'),
  expression: () =>
    sql`${fn('day_number', fn('clock', sql`fact.converted_at`))} - ${fn('day_number', fn('clock', sql`fact.started_at`))}`,
})

/** Trials that began in a period, with their outcomes up to now (D58, I13). Dimensions have their values at the start of the subscription (D61). */
const TRIAL = defineFact({
  statement: (context, { dimensions }) => {
    const { conditions } = context.request
    const time = rangeTime(context.request)
    const seen = factOf(context, { fact: 'movement', instant: sql`fact.began_at`, isBefore: sql`1 = 0` })
    const scope = eventScope(context, dimensions, seen, isEventField)
    return {
      template: readsSpans(fieldsOf({ dimensions, conditions })) ? 'trials/funnel_by_plan' : 'trials/funnel',
      slots: scope.slots,
      params: { start: time.from, end: time.to, step: bucketStep(time.interval), ...liveOnly(context.request) },
      // The outcome, and the first activity of the customer, may come after the range.
      window: windowOf(scope, { from: time.from, to: pointAt(dayOf(context.now), context.now).before }),
    }
  },
  periodOf: bucketed,
  isEventField,
  makesGroup: (row, dimensions) =>
    !dimensions.some(isEventField) || (integerCell(row, 'event_matched') === 1 && integerCell(row, 'converted_count') > 0),
  sums: {
    started: { unit: 'count', column: 'started_count', rows: () => trials(sql`1 = 1`, sql`fact.started_at`) },
    converted: {
      unit: 'count',
      column: 'converted_count',
      isEvent: true,
      rows: () => trials(sql`won_at is not null`, sql`fact.converted_at`),
    },
    expired: { unit: 'count', column: 'expired_count', rows: () => trials(sql`lost_at is not null`, sql`fact.expired_at`) },
    pending: {
      unit: 'count',
      column: 'pending_count',
      rows: () => trials(sql`won_at is null and lost_at is null`, sql`fact.started_at`),
    },
    days: { unit: 'count', column: 'days_sum', isEvent: true },
  },
})

function trials(outcome: Fragment, occurred_at: Fragment) {
  return {
    fact: {
      customer_key: sql`fact.customer_key`,
      subscription_id: sql`fact.subscription_id`,
      occurred_at,
      before_at: occurred_at,
      after_at: occurred_at,
    },
    measure: { amount: sql`1` },
    where: [outcome],
  }
}

const started = sumOf(TRIAL, 'started')
const converted = sumOf(TRIAL, 'converted')
const expired = sumOf(TRIAL, 'expired')

/** The trials of a period by outcome, and the shares that converted. */
export const FUNNEL = {
  started,
  converted,
  expired,
  pending: sumOf(TRIAL, 'pending'),
  conversion_rate: ratioOf(converted, started),
  decided_conversion_rate: ratioOf(
    converted,
    computed([converted, expired], ([won, lost]) => won + lost),
  ),
}

/** The trials that converted, and the days until then (D95). */
export const TIME_TO_CONVERT = {
  conversion_rate: ratioOf(converted, started),
  converted,
  average_days: ratioOf(sumOf(TRIAL, 'days'), converted, 2),
  all_started: started,
}
