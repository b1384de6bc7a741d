import { ratio } from '../../core/money.ts'
import { dayAfter, dayOf, dayStart, type Period, periodStart } from '../../core/periods.ts'
import { integerCell, textCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { type PointTime, pointAt, type RangeTime, rangeOf, type Timeframe } from '../../query/timeframe.ts'
import { fraction, fullMonths, mean, perMonth, quotient, rounded } from '../readings/fraction.ts'
import { addCents } from '../readings/groups.ts'
import type { Figures } from './answers.ts'

/** Days, both included, as the answer states them. */
type DayRange = Readonly<Record<'start' | 'end', string>>

/** Day and windows of the figures of a summary (http-api.md 3.1). */
export interface SummaryWindows {
  /** The day of the levels, at most today. */
  readonly as_of: PointTime
  /** The 365 days up to `as_of`, for every request. */
  readonly year: RangeTime
  /** From the first day of the month of `as_of` up to it. */
  readonly month: RangeTime
  /** The last full calendar month up to `as_of`, or the requested range. */
  readonly rate: RangeTime
  /** The 365 days up to `as_of`, or the requested range. */
  readonly trailing: RangeTime
}

const TRAILING_DAYS = 365
const DAY_MS = 86_400_000

/** Windows of a summary at the end of a day; for a range, `rate` and `trailing` are that range. Days after today count as today. */
export function windowsOf(time: Timeframe, now: Date): SummaryWindows {
  const day = time.kind === 'point' ? time.day : time.end
  const end = day < dayOf(now) ? day : dayOf(now)
  const as_of = pointAt(end, now)
  const first = dayOf(new Date(dayStart(end).getTime() - (TRAILING_DAYS - 1) * DAY_MS))
  const year = rangeOf(first, end, undefined, now)
  const month = rangeOf(dayOf(periodStart(dayStart(end), 'month')), end, undefined, now)
  if (time.kind === 'range') {
    const asked = rangeOf(time.start, time.start > end ? day : end, undefined, now)
    return { as_of, year, month, rate: asked, trailing: asked }
  }
  const full = lastFullMonth(end)
  return { as_of, year, month, rate: rangeOf(full.start, full.end, undefined, now), trailing: year }
}

/** The window as days. */
export function daysOf({ start, end }: RangeTime): DayRange {
  return { start, end }
}

function lastFullMonth(day: string): DayRange {
  const next = periodStart(dayAfter(day), 'month')
  const last = new Date(next.getTime() - DAY_MS)
  return { start: dayOf(periodStart(last, 'month')), end: dayOf(last) }
}

/** Periods of the revenue rows of sql/metrics/summary/figures.sql, by what they are for. A point is a period without days. */
type RevenuePeriods = Readonly<Record<'as_of' | 'rate' | 'trailing' | 'rate_end' | 'year' | 'month_start', Period>>

/** The periods of revenue that the figures need, the day of the levels first. */
function periodsOf({ as_of, rate, trailing, year, month }: SummaryWindows): RevenuePeriods {
  const level = (period: string, at: Date): Period => ({ period, from: at, to: at })
  return {
    as_of: level(as_of.day, as_of.before),
    rate: wholeOf(rate),
    trailing: wholeOf(trailing),
    rate_end: level(rate.end, rate.to),
    year: wholeOf(year),
    month_start: level(month.start, month.from),
  }
}

/** A range as one period. */
export function wholeOf({ start, from, to }: RangeTime): Period {
  return { period: start, from, to }
}

/** The revenue periods of a statement. Windows of the same days share one. */
export function revenuePeriods(windows: SummaryWindows): readonly Period[] {
  const all = Object.values(periodsOf(windows))
  return all.filter((period, index) => all.findIndex((one) => isSamePeriod(one, period)) === index)
}

function isSamePeriod(one: Period, other: Period): boolean {
  return one.from.getTime() === other.from.getTime() && one.to.getTime() === other.to.getTime()
}

/** Index of the day of the levels in the revenue rows. */
const AS_OF = 0

/** Index of the rate window in the activity rows. The months of LTV follow. */
const RATE_ACTIVITY = 0

/** Sums of the statement's rows by part and index, over all currencies. */
interface PartSums {
  sum(part: 'revenue' | 'activity' | 'trial', index: number, column: string): number
}

/** Sums over the rows of sql/metrics/summary/figures.sql. */
export function partSums(rows: readonly Row[]): PartSums {
  return {
    sum: (part, index, column) =>
      rows
        .filter((row) => textCell(row, 'part') === part && integerCell(row, 'period_index') === index)
        .reduce((total, row) => addCents(total, row, column), 0),
  }
}

/** The figures of one scope. Each equals the answer of its own endpoint for the same days (I21). */
export function figuresOf(sums: PartSums, windows: SummaryWindows, now: Date): Figures {
  const { as_of, rate, trailing, rate_end, year, month_start } = periodsOf(windows)
  const periods = revenuePeriods(windows)
  const indexOf = (period: Period) => periods.findIndex((one) => isSamePeriod(one, period))
  const revenue = (period: Period, column: string) => sums.sum('revenue', indexOf(period), column)
  const mrr = revenue(as_of, 'mrr_sum')
  const active_customers = revenue(as_of, 'payer_count')
  const start = revenue(rate, 'start_sum')
  const yearStart = revenue(year, 'start_sum')
  const won = revenue(trailing, 'won_sum')
  const lost = Math.abs(revenue(trailing, 'contraction_sum')) + Math.abs(revenue(trailing, 'churn_sum'))
  return {
    mrr,
    arr: 12 * mrr,
    arpu: ratio(mrr, active_customers, 2),
    active_customers,
    active_subscriptions: revenue(as_of, 'subscription_count'),
    nrr_12_months: ratio(revenue(year, 'net_sum'), yearStart),
    grr_12_months: ratio(revenue(year, 'gross_sum'), yearStart),
    net_new_mrr_so_far: mrr - revenue(month_start, 'mrr_sum'),
    net_new_mrr: revenue(rate_end, 'mrr_sum') - revenue(rate, 'mrr_sum'),
    logo_churn_rate: ratio(
      sums.sum('activity', RATE_ACTIVITY, 'outcome_count'),
      sums.sum('activity', RATE_ACTIVITY, 'member_count'),
    ),
    revenue_churn_rate: ratio(0 - revenue(rate, 'lost_sum'), start),
    nrr: ratio(revenue(rate, 'net_sum'), start),
    grr: ratio(revenue(rate, 'gross_sum'), start),
    ltv: lifetimeValue(sums, windows, now),
    trial_conversion_rate: ratio(sums.sum('trial', 0, 'outcome_count'), sums.sum('trial', 0, 'member_count')),
    quick_ratio: ratio(won, lost),
  }
}

// D50, from members and churns of the full months, or of the whole window if it has no full month.
function lifetimeValue(sums: PartSums, { trailing }: SummaryWindows, now: Date): number | null {
  const arpu = fraction(sums.sum('revenue', AS_OF, 'mrr_sum'), sums.sum('revenue', AS_OF, 'payer_count'))
  const months = fullMonths(trailing, now)
  const count = Math.max(months.length, 1)
  const rates = Array.from({ length: count }, (_, index) => RATE_ACTIVITY + 1 + index).flatMap(
    (index) => fraction(sums.sum('activity', index, 'outcome_count'), sums.sum('activity', index, 'member_count')) ?? [],
  )
  const average = mean(rates)
  const monthly = months.length > 0 || average === undefined ? average : perMonth(average, trailing, now)
  return arpu === undefined || monthly === undefined ? null : rounded(quotient(arpu, monthly), 2)
}
