import { type AppError, ERROR_CODES, type ErrorCode, errorFromIssues, type Issue, suggest } from '../core/errors.ts'
import { clipped } from '../core/text.ts'

/** An issue with the context fields that its code adds to the answer (http-api.md 1.4). */
export interface RequestIssue extends Issue {
  readonly context?: Readonly<Record<string, unknown>>
}

/** Collects all issues of a request, so that one error reports them together. */
export type IssueSink = (code: ErrorCode, where: string, message: string, details?: IssueDetails) => void

interface IssueDetails {
  readonly value?: unknown
  /** Known names. Those similar to `word` (default: the value) become `did_you_mean`. */
  readonly known?: readonly string[]
  readonly word?: string
  readonly context?: Readonly<Record<string, unknown>>
}

// Suggestions cost time, especially with thousands of stored names.
export const MOST_SUGGESTED = 10
/** Most known names that an error lists. */
const MOST_LISTED = 100
const MOST_CHARACTERS = 200

/** A sink and the list it fills. */
export function collectIssues(): { readonly report: IssueSink; readonly issues: readonly RequestIssue[] } {
  const issues: RequestIssue[] = []
  const report: IssueSink = (code, where, message, details = {}) => {
    const { value, known, context } = details
    const word = details.word ?? value
    issues.push({
      code,
      where,
      ...(value === undefined ? {} : { value }),
      message,
      did_you_mean: typeof word === 'string' && known !== undefined && issues.length < MOST_SUGGESTED ? suggest(word, known) : [],
      ...(context === undefined ? {} : { context }),
    })
  }
  return { report, issues }
}

/** Throws an AppError with all issues and the context of those with the leading code. Does nothing without issues. */
export function throwIssues(issues: readonly RequestIssue[]): void {
  if (issues.length === 0) return
  const order = Object.keys(ERROR_CODES)
  const leading = order.find((code) => issues.some((issue) => issue.code === code))
  const context: Record<string, unknown> = {}
  for (const issue of issues) if (issue.code === leading) addMissing(context, issue.context ?? {})
  throw errorFromIssues(issues.map(withoutContext), context)
}

function addMissing(target: Record<string, unknown>, source: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(source)) if (!Object.hasOwn(target, name)) target[name] = shortened(value)
}

// Lists next to the issues: the first known names (http-api.md 1.4), or the first unknown ids as sent.
function shortened(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.slice(0, MOST_LISTED).map((item: unknown) => (typeof item === 'string' ? clipped(item, MOST_CHARACTERS) : item))
}

/** The issue as an answer lists it. */
export function withoutContext({ context: _context, ...issue }: RequestIssue): Issue {
  return issue
}

/** An error with one issue. */
export function refuse(code: ErrorCode, where: string, message: string, details: IssueDetails = {}): AppError {
  const { report, issues } = collectIssues()
  report(code, where, message, details)
  const context: Record<string, unknown> = {}
  addMissing(context, details.context ?? {})
  return errorFromIssues(issues.map(withoutContext), context)
}

const MOST_SHOWN = 100

/** Message with the expected and the given value: `"at" must be a date (YYYY-MM-DD); got "foo".` */
export function mustBe(name: string, what: string, given: unknown): string {
  return `"${name}" must be ${what}; got ${shown(given)}.`
}

/** Message for a single-valued parameter that has none or several values. */
export function mustBeOne(name: string, given: readonly unknown[]): string {
  return mustBe(name, 'one value', given)
}

/** Message for the value of an operator: `"between" must have a list of two values; got 3.` */
export function mustHave(operator: string, what: string, given: unknown): string {
  return `"${operator}" must have ${what}; got ${shown(given)}.`
}

/** A choice in words: `day, week or month`. */
export function oneOf(words: readonly string[]): string {
  const last = words.at(-1) ?? 'nothing'
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

// As JSON, to show the difference between text and number. Clipped, because a body may hold a megabyte.
function shown(value: unknown): string {
  return clipped(typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'nothing'), MOST_SHOWN)
}

/** Most names of one kind that a request may give: parameters, filters, operators of a filter, dimensions, ids of segments. */
export const MOST_NAMES = 100

/** At most `MOST_NAMES` of the names. Reports a longer list as one issue, so that it costs no more than a short one. */
export function atMost<T>(given: readonly T[], where: string, what: string, report: IssueSink): readonly T[] {
  if (given.length <= MOST_NAMES) return given
  const message = `${given.length} ${what} in one request; the limit is ${MOST_NAMES}.`
  report('validation_failed', where, message, { context: { limit: MOST_NAMES } })
  return given.slice(0, MOST_NAMES)
}
