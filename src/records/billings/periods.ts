/** The periods of charges by the calendar. Days are numbers of days since 1970-01-01. */

const DAY_MS = 86_400_000

/** How often a term charges: a number of months on a day of the month, or a number of days. */
export interface Rhythm {
  readonly months: number
  readonly days: number
  /** Day of the month on which periods of months begin. A month that is too short has its last day instead. */
  readonly billing_day: number
}

/** Days [from, to) of a subscription with one rhythm. */
export interface RhythmicDays extends Rhythm {
  readonly from: number
  /** Day after the last one; null if no end is known. */
  readonly to: number | null
}

/** A period [from, to), and the number of days of the whole period that it is a part of. */
interface ChargedPeriod {
  readonly from: number
  readonly to: number
  readonly length: number
}

/**
 * The periods of a rhythm from a day on, without an end (D91). A first period of months that does not begin on the billing day is the part of a
 * whole period up to it.
 */
export function* periodsFrom(day: number, { months, days, billing_day }: Rhythm): Generator<ChargedPeriod, void> {
  if (months === 0) {
    for (let from = day; ; from += days) yield { from, to: from + days, length: days }
  }
  let month = monthOf(day)
  while (billingDayIn(month, billing_day) < day) month += months
  const first = billingDayIn(month, billing_day)
  if (first > day) yield { from: day, to: first, length: first - billingDayIn(month - months, billing_day) }
  for (let from = first; ; month += months) {
    const to = billingDayIn(month + months, billing_day)
    yield { from, to, length: to - from }
    from = to
  }
}

/** The last billing day up to a day. */
export function billingDayUpTo(day: number, billing_day: number): number {
  const own = billingDayIn(monthOf(day), billing_day)
  return own <= day ? own : billingDayIn(monthOf(day) - 1, billing_day)
}

/** The day of the month of a day. */
export function dayOfMonth(day: number): number {
  return new Date(day * DAY_MS).getUTCDate()
}

// Months are numbered from January 1970 on.
function monthOf(day: number): number {
  const date = new Date(day * DAY_MS)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

function billingDayIn(month: number, billing_day: number): number {
  const last = Date.UTC(1970, month + 1, 0) / DAY_MS
  const asked = Date.UTC(1970, month, billing_day) / DAY_MS
  return asked < last ? asked : last
}
