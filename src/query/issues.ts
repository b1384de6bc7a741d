import { type AppError, ERROR_CODES, type ErrorCode, errorFromIssues, type Issue, suggest } from '../core/errors.ts'
import { clipped } from '../core/text.ts'

/** An issue with the context fields that its code adds to the answer (http-api.md 1.4). */
export interface RequestIssue extends Issue {
  readonly context?: Readonly<Record<string, unknown>>
}

/** Collects what is wrong with a request, so that everything is reported at once. */
export type IssueSink = (code: ErrorCode, where: string, message: string, details?: IssueDetails) => void

interface IssueDetails {
  readonly value?: unknown
  /** Names the user may have meant instead of `word` (default: the value); near ones become `did_you_mean`. */
  readonly known?: readonly string[]
  readonly word?: string
  readonly context?: Readonly<Record<string, unknown>>
}

// Suggestions cost time, most of all beside thousands of stored names, and nobody reads that far.
export const MOST_SUGGESTED = 10
/** Of the names that an answer says there are. */
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

/** AppError with all issues; the context is that of the issues whose code leads. Does nothing when there are none. */
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

// What is listed beside the issues: the first names there are (http-api.md 1.4), or the first unknown ids as they were sent.
function shortened(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.slice(0, MOST_LISTED).map((item: unknown) => (typeof item === 'string' ? clipped(item, MOST_CHARACTERS) : item))
}

/** The issue as an answer lists it. */
export function withoutContext({ context: _context, ...issue }: RequestIssue): Issue {
  return issue
}

/** One issue as an error of its own. */
export function refuse(code: ErrorCode, where: string, message: string, details: IssueDetails = {}): AppError {
  const { report, issues } = collectIssues()
  report(code, where, message, details)
  const context: Record<string, unknown> = {}
  addMissing(context, details.context ?? {})
  return errorFromIssues(issues.map(withoutContext), context)
}

const MOST_SHOWN = 100

/** What a value must be and what was given instead: `"at" must be a date (YYYY-MM-DD); got "foo".` */
export function mustBe(name: string, what: string, given: unknown): string {
  return `"${name}" must be ${what}; got ${shown(given)}.`
}

/** The same of a single-valued parameter that is given none or several values. */
export function mustBeOne(name: string, given: readonly unknown[]): string {
  return mustBe(name, 'one value', given)
}

/** What an operator must be given and what it was given instead: `"between" must have a list of two values; got 3.` */
export function mustHave(operator: string, what: string, given: unknown): string {
  return `"${operator}" must have ${what}; got ${shown(given)}.`
}

/** Words for a choice: `day, week or month`. */
export function oneOf(words: readonly string[]): string {
  const last = words.at(-1) ?? 'nothing'
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

// As JSON, so that text and number can be told apart; its beginning, for a body may hold a megabyte.
function shown(value: unknown): string {
  return clipped(typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'nothing'), MOST_SHOWN)
}

/** Most names of one kind that a request may give: parameters, filters, operators of a filter, dimensions, ids of segments. */
export const MOST_NAMES = 100

/** The names that are judged: what goes beyond the limit is reported as one issue, so that a long list costs what a short one does. */
export function atMost<T>(given: readonly T[], where: string, what: string, report: IssueSink): readonly T[] {
  if (given.length <= MOST_NAMES) return given
  const message = `${given.length} ${what} in one request; the limit is ${MOST_NAMES}.`
  report('validation_failed', where, message, { context: { limit: MOST_NAMES } })
  return given.slice(0, MOST_NAMES)
}
