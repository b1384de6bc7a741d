import { AppError, ConfigurationError, ERROR_CODES, type ErrorCode, type Issue } from '../../core/errors.ts'
import { boundedIssues, boundedText, MOST_ISSUES } from './bounded-issues.ts'

/** An error as a facade reports it: the body of http-api.md 1.4 with the status and exit code that go with it. */
export interface RenderedError {
  readonly code: ErrorCode
  readonly status: number
  readonly exit: number
  readonly body: Readonly<Record<string, unknown>>
}

const INTERNAL_DETAIL = 'The service could not answer because of an internal error.'

/**
 * The body for any thrown value. Only the text of an AppError or of a ConfigurationError leaves; everything else is `internal`. `rename`
 * turns `where` into the facade's words. Of many issues the first `mostIssues` are listed, and all of them counted in `issues_total`.
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

// Some settings can only be judged against the database, such as the tenant when a second one has appeared.
function notConfigured(error: ConfigurationError): AppError {
  return new AppError('connector_unavailable', `The service is not configured: ${error.problems.join('; ')}.`, { cause: error })
}

// Every 400 lists its issues; what fails inside a file has no place of its own there.
function issuesOf(error: AppError): readonly Issue[] | undefined {
  if (error.issues !== undefined || error.status !== 400) return error.issues
  return [{ code: error.code, where: 'body', message: error.message, did_you_mean: [] }]
}

const FIRST_KEYS = ['detail', 'code', 'request_id', 'issues', 'issues_total']

function inContractOrder(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const rest = Object.keys(body).filter((key) => !FIRST_KEYS.includes(key))
  return Object.fromEntries([...FIRST_KEYS.filter((key) => key in body), ...rest].map((key) => [key, body[key]]))
}
