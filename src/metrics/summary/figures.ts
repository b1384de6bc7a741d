import { ratio } from '../../core/money.ts'
import { dayAfter, dayOf, dayStart, periodStart } from '../../core/periods.ts'
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
  /** The last full calendar month up to `as_of`, or the requested range. */
  readonly rate: RangeTime
  /** The 365 days up to `as_of`, or the requested range. */
  readonly trailing: RangeTime
}

const TRAILING_DAYS = 365
const DAY_MS = 86_400_000

/** Windows of a summary at the end of a day; for a range, both windows are that range. Days after today count as today. */
export function windowsOf(time: Timeframe, now: Date): SummaryWindows {
  const day = time.kind === 'point' ? time.day : time.end
  const end = day < dayOf(now) ? day : dayOf(now)
  const as_of = pointAt(end, now)
  if (time.kind === 'range') {
    const asked = rangeOf(time.start, time.start > end ? day : end, undefined, now)
    return { as_of, rate: asked, trailing: asked }
  }
  const month = lastFullMonth(end)
  const first = dayOf(new Date(dayStart(end).getTime() - (TRAILING_DAYS - 1) * DAY_MS))
  return {
    as_of,
    rate: rangeOf(month.start, month.end, undefined, now),
    trailing: rangeOf(first, end, undefined, now),
  }
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

/** Indexes of the revenue rows of sql/metrics/summary/figures.sql. */
const REVENUE_PERIODS = {
  as_of: 0,
  rate: 1,
  trailing: 2,
  rate_end: 3,
} as const

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
  const { as_of, rate, trailing, rate_end } = REVENUE_PERIODS
  const revenue = (index: number, column: string) => sums.sum('revenue', index, column)
  const mrr = revenue(as_of, 'mrr_sum')
  const active_customers = revenue(as_of, 'payer_count')
  const start = revenue(rate, 'start_sum')
  const won = revenue(trailing, 'won_sum')
  const lost = Math.abs(revenue(trailing, 'contraction_sum')) + Math.abs(revenue(trailing, 'churn_sum'))
  return {
    mrr,
    arr: 12 * mrr,
    arpu: ratio(mrr, active_customers, 2),
    active_customers,
    active_subscriptions: revenue(as_of, 'subscription_count'),
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
  const { as_of } = REVENUE_PERIODS
  const arpu = fraction(sums.sum('revenue', as_of, 'mrr_sum'), sums.sum('revenue', as_of, 'payer_count'))
  const months = fullMonths(trailing, now)
  const count = Math.max(months.length, 1)
  const rates = Array.from({ length: count }, (_, index) => RATE_ACTIVITY + 1 + index).flatMap(
    (index) => fraction(sums.sum('activity', index, 'outcome_count'), sums.sum('activity', index, 'member_count')) ?? [],
  )
  const average = mean(rates)
  const monthly = months.length > 0 || average === undefined ? average : perMonth(average, trailing, now)
  return arpu === undefined || monthly === undefined ? null : rounded(quotient(arpu, monthly), 2)
}
