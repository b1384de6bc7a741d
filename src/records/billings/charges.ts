import { currencyDigits } from '../../core/currency.ts'
import { roundFraction } from '../../core/money.ts'
import { billingDayUpTo, periodsFrom, type Rhythm, type RhythmicDays } from './periods.ts'
import type { BillingKind } from './rows.ts'

/** A stretch of a subscription whose charges follow from the same facts. Days are numbers of days since 1970-01-01, local to the account. */
export interface Term extends RhythmicDays {
  readonly currency: string
  /** Charge of a whole period in millionths of the currency; null if it is unknown. */
  readonly period_micros: number | null
  readonly in_arrears: boolean
  /** True if it begins after now. */
  readonly is_ahead: boolean
  readonly fixed_micros: number
  readonly usage_cents: number
}

/** The last days of a subscription that are billed, and their amount. */
export interface Billed {
  readonly from: number
  readonly to: number
  readonly cents: number
}

/** A charge that the engine will make. */
export interface Charge<T extends Term = Term> {
  readonly kind: BillingKind
  /** The day on which it is made. */
  readonly billed_on: number
  /** First day of its period. */
  readonly from: number
  /** Day after the last day of its period; null for a price of the start of a phase. */
  readonly to: number | null
  readonly cents: number
  /** True for a part of a period. */
  readonly is_partial: boolean
  readonly term: T
}

/** First and last day on which charges are asked for, and the local day of now. */
export interface Days {
  readonly first: number
  readonly last: number
  readonly today: number
  /** The first day whose charges are made on `first` if no item bills them yet. */
  readonly due_from: number
}

/**
 * The charges of one subscription that are made from `first` to `last` (D91). `terms` are in the order of time and do not overlap. The engine makes a
 * charge some hours after its day begins. So one of yesterday that no item bills yet is made today, and usage of today may be billed already.
 */
export function* chargesOf<T extends Term>(
  terms: readonly T[],
  billed: Billed | undefined,
  days: Days,
): Generator<Charge<T>, void> {
  let covered = billed?.to ?? Number.NEGATIVE_INFINITY
  for (const term of terms) {
    if (term.fixed_micros > 0 && term.is_ahead && isWithin(term.from, days)) yield fixedCharge(term)
    yield* recurringCharges(term, Math.max(covered, term.from), days)
    yield* usageCharges(term, days)
    const end = term.to
    if (billed === undefined || end === null || end >= covered || end <= billed.from || term.in_arrears) continue
    const made = madeOn(end, days)
    if (isWithin(made, days)) yield repairOf(term, billed, { from: end, to: covered, made })
    covered = end
  }
}

function isWithin(day: number | undefined, { first, last }: Days): day is number {
  return day !== undefined && day >= first && day <= last
}

/** The day on which a charge that is due on a day is made. Undefined before the days that are asked for. */
function madeOn(due: number, { first, due_from }: Days): number | undefined {
  if (due >= first) return due
  return due >= due_from ? first : undefined
}

function fixedCharge<T extends Term>(term: T): Charge<T> {
  const cents = roundedCents(term.fixed_micros, 1, 1, term.currency)
  return { kind: 'fixed', billed_on: term.from, from: term.from, to: null, cents, is_partial: false, term }
}

/** The amount that the engine gives back for billed days after the end of a term. */
function repairOf<T extends Term>(
  term: T,
  billed: Billed,
  { from, to, made }: { readonly from: number; readonly to: number; readonly made: number },
): Charge<T> {
  const cents = -roundedCents(billed.cents * 10_000, to - from, billed.to - billed.from, term.currency)
  return { kind: 'repair', billed_on: made, from, to, cents, is_partial: true, term }
}

function* recurringCharges<T extends Term>(term: T, begin: number, days: Days): Generator<Charge<T>, void> {
  const { period_micros, in_arrears } = term
  if (period_micros === null || period_micros <= 0 || (term.months === 0 && term.days === 0)) return
  yield* charged({ kind: 'recurring', term, begin, rhythm: term, micros: period_micros, in_arrears }, days)
}

/** Days before the first one from which usage may still be billed: the longest month, and a day. */
const USAGE_DAYS = 32

/** Usage of a month is estimated on the billing day after it, whatever the period of the recurring price is. */
function* usageCharges<T extends Term>(term: T, days: Days): Generator<Charge<T>, void> {
  if (term.usage_cents <= 0) return
  const since = billingDayUpTo(days.first - USAGE_DAYS, term.billing_day)
  const rhythm = { months: 1, days: 0, billing_day: term.billing_day }
  const begin = Math.max(since, term.from)
  yield* charged({ kind: 'usage', term, begin, rhythm, micros: term.usage_cents * 10_000, in_arrears: true }, days)
}

interface Repeated<T extends Term> {
  readonly kind: BillingKind
  readonly term: T
  /** First day that is not charged yet. */
  readonly begin: number
  readonly rhythm: Rhythm
  readonly micros: number
  readonly in_arrears: boolean
}

function* charged<T extends Term>(
  { kind, term, begin, rhythm, micros, in_arrears }: Repeated<T>,
  days: Days,
): Generator<Charge<T>, void> {
  for (const period of periodsFrom(begin, rhythm)) {
    if (period.from > days.last || (term.to !== null && period.from >= term.to)) return
    const to = term.to === null ? period.to : Math.min(period.to, term.to)
    const due = in_arrears ? to : period.from
    const billed_on = kind === 'usage' && due <= days.today ? undefined : madeOn(due, days)
    if (!isWithin(billed_on, days)) continue
    const part = to - period.from
    const cents = roundedCents(micros, part, period.length, term.currency)
    yield { kind, billed_on, from: period.from, to, cents, is_partial: part < period.length, term }
  }
}

/** A part of an amount in millionths, rounded once to the decimals of its currency, in cents (D7, D8). */
function roundedCents(micros: number, part: number, whole: number, currency: string): number {
  const digits = currencyDigits(currency)
  const units = roundFraction(BigInt(micros) * BigInt(part), BigInt(whole) * 10n ** BigInt(6 - digits), 0)
  return digits <= 2 ? units * 10 ** (2 - digits) : roundFraction(BigInt(units), 10n ** BigInt(digits - 2), 0)
}
