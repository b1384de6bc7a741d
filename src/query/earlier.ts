import { dayAfter, dayBefore, dayOf, dayStart } from '../core/periods.ts'

/** What an answer is held against: what came just before it, or the same a year before. */
export const EARLIER = ['previous', 'year'] as const
export type Earlier = (typeof EARLIER)[number]

/** Days of a question, and the instant beside a range where there is one. */
export type AskedDays =
  | { readonly at: string }
  | { readonly start: string; readonly end: string; readonly at?: string | undefined }

const DAY_MS = 86_400_000

/**
 * The days to compare with. A range has as many days before it, and where it is whole months (so quarters and years too) as many of them;
 * a day has the same day of the month before; the last day of a month stays the last one. `year` is the same a year before.
 */
export function earlierDays(asked: AskedDays, to: Earlier): AskedDays {
  if (!('start' in asked)) return { at: monthsBefore(asked.at, to === 'year' ? 12 : 1) }
  const { start, end, at } = asked
  const months = wholeMonths(start, end)
  if (to === 'year') {
    const last = months === undefined ? sameDayBefore(end, 12) : monthsBefore(end, 12)
    return { start: sameDayBefore(start, 12), end: last, ...(at && { at: monthsBefore(at, 12) }) }
  }
  const back = (day: string) => (months === undefined ? daysBefore(day, daysIn(start, end)) : monthsBefore(day, months))
  return { start: back(start), end: dayBefore(dayStart(start)), ...(at && { at: back(at) }) }
}

function daysIn(start: string, end: string): number {
  return Math.round((dayAfter(end).getTime() - dayStart(start).getTime()) / DAY_MS)
}

function daysBefore(day: string, days: number): string {
  return dayOf(new Date(dayStart(day).getTime() - days * DAY_MS))
}

// Undefined where the range is not whole calendar months.
function wholeMonths(start: string, end: string): number | undefined {
  if (!start.endsWith('-01') || !isLastOfMonth(end)) return undefined
  return monthOf(end) - monthOf(start) + 1
}

function monthOf(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
}

function isLastOfMonth(day: string): boolean {
  return dayOf(dayAfter(day)).endsWith('-01')
}

function monthsBefore(day: string, months: number): string {
  return isLastOfMonth(day) ? lastOfMonth(monthOf(day) - months) : sameDayBefore(day, months)
}

// In a shorter month its last day.
function sameDayBefore(day: string, months: number): string {
  const month = monthOf(day) - months
  const last = lastOfMonth(month)
  const same = `${last.slice(0, 7)}${day.slice(7)}`
  return same < last ? same : last
}

function lastOfMonth(month: number): string {
  const next = Math.max(month + 1, 0)
  const first = `${String(Math.floor(next / 12)).padStart(4, '0')}-${String((next % 12) + 1).padStart(2, '0')}-01`
  return dayBefore(dayStart(first))
}
