import { AppError, ConfigurationError, ERROR_CODES, type ErrorCode, type Issue } from '../../core/errors.ts'
import { clipped } from '../../core/text.ts'

/** An error as a facade reports it: the body of http-api.md 1.4, the status and the exit code. */
interface RenderedError {
  readonly code: ErrorCode
  readonly status: number
  readonly exit: number
  readonly body: Readonly<Record<string, unknown>>
}

const INTERNAL_DETAIL = 'The service could not answer because of an internal error.'

/**
 * The body for any thrown value. Only messages of an AppError or a ConfigurationError are shown. Every other error is `internal`. `rename` turns
 * `where` into the facade's words. The first `mostIssues` issues are listed. `issues_total` counts all.
 */
export function errorBody(
  thrown: unknown,
  requestId: string,
  rename: (where: string) => string,
  mostIssues = MOST_ISSUES,
): RenderedError {
  const error = thrown instanceof ConfigurationError ? notConfigured(thrown) : thrown
  if (!(error instanceof AppError)) {
    const { status, exit } = ERROR_CODES.internal
    return { code: 'internal', status, exit, body: { detail: INTERNAL_DETAIL, code: 'internal', request_id: requestId } }
  }
  const issues = issuesOf(error)
  const shown = boundedIssues(issues ?? [], mostIssues).map((issue) => ({ ...issue, where: rename(issue.where) }))
  const body = {
    ...error.context,
    detail: boundedText(error.message),
    code: error.code,
    request_id: requestId,
    ...(issues === undefined ? {} : { issues: shown, issues_total: issues.length }),
  }
  return { code: error.code, status: error.status, exit: error.exit, body: inContractOrder(body) }
}

// Some settings can only be checked against the database, such as the tenant when a second one appears.
function notConfigured(error: ConfigurationError): AppError {
  return new AppError('connector_unavailable', `The service is not configured: ${error.problems.join('; ')}.`, { cause: error })
}

// Every 400 lists its issues. An error inside a file has no path in the request, so its `where` is `body`.
function issuesOf(error: AppError): readonly Issue[] | undefined {
  if (error.issues !== undefined || error.status !== 400) return error.issues
  return [{ code: error.code, where: 'body', message: error.message, did_you_mean: [] }]
}

const FIRST_KEYS = ['detail', 'code', 'request_id', 'issues', 'issues_total']

function inContractOrder(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const rest = Object.keys(body).filter((key) => !FIRST_KEYS.includes(key))
  return Object.fromEntries([...FIRST_KEYS.filter((key) => key in body), ...rest].map((key) => [key, body[key]]))
}

/** Default of `limits.issues`: most issues in one error. */
export const MOST_ISSUES = 100

const MOST_CHARACTERS = 4_000
const MOST_TOGETHER = 65_536

/** Clips a message, because a message may quote a long value of the request. */
function boundedText(text: string): string {
  return clipped(text, MOST_CHARACTERS)
}

/** The first issues: at most `most`, and at most 64 KB together. At least one. */
export function boundedIssues(issues: readonly Issue[], most: number): readonly Issue[] {
  const shown: Issue[] = []
  let length = 0
  for (const issue of issues.slice(0, most)) {
    const short = bounded(issue)
    length += JSON.stringify(short).length
    if (length > MOST_TOGETHER && shown.length > 0) break
    shown.push(short)
  }
  return shown
}

function bounded(issue: Issue): Issue {
  return {
    ...issue,
    where: boundedText(issue.where),
    ...('value' in issue ? { value: boundedValue(issue.value) } : {}),
    message: boundedText(issue.message),
  }
}

// A long value is shown as the beginning of its JSON text.
function boundedValue(value: unknown): unknown {
  if (typeof value === 'string') return boundedText(value)
  if (typeof value !== 'object' || value === null) return value
  const json = JSON.stringify(value)
  return json.length > MOST_CHARACTERS ? boundedText(json) : value
}
