import type { IssueSink } from './issues.ts'

/** Most names of one kind that a request may give: parameters, filters, operators of a filter, dimensions, ids of segments. */
export const MOST_NAMES = 100

/** The names that are judged: what goes beyond the limit is reported as one issue, so that a long list costs what a short one does. */
export function atMost<T>(given: readonly T[], where: string, what: string, report: IssueSink): readonly T[] {
  if (given.length <= MOST_NAMES) return given
  const message = `${given.length} ${what} in one request; the limit is ${MOST_NAMES}.`
  report('validation_failed', where, message, { context: { limit: MOST_NAMES } })
  return given.slice(0, MOST_NAMES)
}
