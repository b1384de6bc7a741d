import { dayOf } from '../../../core/periods.ts'
import type { Described } from './shared-parts.ts'

/** First and last day of the last full calendar month (UTC). */
export function lastFullMonth(now: Date): { readonly start: string; readonly end: string } {
  const year = now.getUTCFullYear()
  const month = now.getUTCMonth()
  return { start: dayOf(new Date(Date.UTC(year, month - 1, 1))), end: dayOf(new Date(Date.UTC(year, month, 0))) }
}

/**
 * Gives dates an example that answers something. Ends of a range that may be left out have none: whoever tries a path out by its examples
 * would send them beside `at`.
 */
export function showDays(parameter: Described, { start, end }: ReturnType<typeof lastFullMonth>): void {
  const { name, required } = parameter
  if (name === 'at' || (name === 'end' && required === true)) parameter['example'] = end
  if (name === 'start' && required === true) parameter['example'] = start
}
