/** One entry per error code of the HTTP contract (http-api.md 1.4). The order decides which issue leads an error. */
interface CodeRow {
  readonly status: number
  readonly exit: 1 | 3 | 4
  readonly title: string
}

export const ERROR_CODES = {
  unauthorized: { status: 401, exit: 3, title: 'The credential or webhook signature is missing or invalid' },
  forbidden_host: { status: 403, exit: 3, title: 'The service does not answer under this host name' },
  forbidden: { status: 403, exit: 3, title: 'The credential lacks a scope, or the request comes from a page of another origin' },
  payload_too_large: { status: 413, exit: 3, title: 'The body is larger than the limit' },
  unsupported_media_type: { status: 415, exit: 3, title: 'The path does not accept this Content-Type' },
  not_acceptable: { status: 406, exit: 3, title: 'No media type in `Accept` is available' },
  not_found: { status: 404, exit: 3, title: 'Unknown path or resource id' },
  method_not_allowed: { status: 405, exit: 3, title: 'The path does not support this method' },
  unknown_metric: { status: 404, exit: 3, title: 'No metric has this name' },
  invalid_json: { status: 400, exit: 3, title: 'The body is not valid JSON' },
  validation_failed: { status: 422, exit: 3, title: 'The body has the wrong shape' },
  unknown_dimension: { status: 400, exit: 3, title: 'The query has no such dimension' },
  unknown_filter: { status: 400, exit: 3, title: 'The query has no such filter' },
  unknown_attribute: { status: 400, exit: 3, title: 'No attribute has this key' },
  invalid_operator: { status: 400, exit: 3, title: 'The operator does not exist or does not fit the type' },
  invalid_value: { status: 400, exit: 3, title: 'A parameter or value is invalid' },
  invalid_interval: { status: 400, exit: 3, title: 'The interval or granularity is unknown or not available' },
  invalid_range: { status: 400, exit: 3, title: 'The dates are not a valid range' },
  too_many_segments: { status: 400, exit: 3, title: 'The request compares too many segments' },
  invalid_csv: { status: 400, exit: 3, title: 'The CSV file is malformed' },
  unknown_segment: { status: 404, exit: 3, title: 'No segment has this id' },
  conflict: { status: 409, exit: 3, title: 'The request conflicts with the current state' },
  read_only_attribute: { status: 409, exit: 3, title: 'The attribute belongs to the billing engine' },
  unsupported_by_connector: { status: 422, exit: 3, title: 'The connector cannot supply what the query needs' },
  missing_fx_rate: { status: 422, exit: 3, title: 'A required exchange rate is missing' },
  unpriced_plan: { status: 422, exit: 3, title: 'A required price is not in the catalog' },
  canonical_enum_violation: { status: 422, exit: 3, title: 'A value is outside its canonical set' },
  result_too_large: { status: 422, exit: 3, title: 'The answer has too many rows, or a sum above 2^53 cents' },
  connector_unavailable: { status: 503, exit: 4, title: 'The database or store is unreachable' },
  overloaded: { status: 503, exit: 4, title: 'Too many requests at a time; retry after `retry-after` seconds' },
  replica_lagging: { status: 503, exit: 4, title: 'The replica lags behind more than allowed' },
  query_timeout: { status: 504, exit: 4, title: 'The query exceeded its time limit' },
  internal: { status: 500, exit: 1, title: 'Internal error' },
} as const satisfies Record<string, CodeRow>

export type ErrorCode = keyof typeof ERROR_CODES

const PRECEDENCE = Object.keys(ERROR_CODES)

/** One problem of a request. `where` is `params.<name>`, `spec.<path>` or `path.<name>`. Facades rename it to their words. */
export interface Issue {
  readonly code: ErrorCode
  readonly where: string
  readonly value?: unknown
  readonly message: string
  readonly did_you_mean: readonly string[]
}

/** An error of the caller, or a condition that the caller should know. Only its message leaves the process. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly context: Readonly<Record<string, unknown>>
  readonly issues: readonly Issue[] | undefined
  /** The detail for operators. It may name hosts and ports, never a password. No response contains it. */
  readonly operatorDetail: string

  constructor(
    code: ErrorCode,
    detail: string,
    options: { context?: Record<string, unknown>; issues?: readonly Issue[]; cause?: unknown; operatorDetail?: string } = {},
  ) {
    super(detail, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.context = options.context ?? {}
    this.issues = options.issues
    this.operatorDetail = options.operatorDetail ?? detail
  }

  get status(): number {
    return ERROR_CODES[this.code].status
  }

  get exit(): number {
    return ERROR_CODES[this.code].exit
  }
}

/** A broken invariant of the product. It is logged with its cause and reported as `internal`. */
export class InternalError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'InternalError'
  }
}

/**
 * The disk or the memory of this machine is too small, or cannot be used. The message says what to change. It may leave the process, so it
 * names no directory: `operatorDetail` does.
 */
export class Shortage extends Error {
  readonly operatorDetail: string

  constructor(message: string, options: { readonly cause?: unknown; readonly operatorDetail?: string }) {
    super(message, { cause: options.cause })
    this.name = 'Shortage'
    this.operatorDetail = options.operatorDetail ?? message
  }
}

/** Invalid settings, with all problems at once. Exit code 2, like wrong usage. */
export class ConfigurationError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(['The configuration cannot be used.', ...problems.map((problem) => `- ${problem}`)].join('\n'))
    this.name = 'ConfigurationError'
    this.problems = problems
  }

  get exit(): number {
    return 2
  }
}

/** True for an error whose message may leave the process. Any other error is a failure of the product. */
export function isRefusal(error: unknown): error is AppError | ConfigurationError {
  return error instanceof AppError || error instanceof ConfigurationError
}

/** All issues of one request as one error. Status, code and detail are those of the issue whose code is first in the code table. */
export function errorFromIssues(issues: readonly Issue[], context: Record<string, unknown> = {}): AppError {
  const first = PRECEDENCE.find((code) => issues.some((issue) => issue.code === code))
  const leading = issues.find((issue) => issue.code === first)
  if (leading === undefined) throw new InternalError('errorFromIssues needs at least one issue')
  return new AppError(leading.code, leading.message, { context, issues })
}

const MOST_EDITS = 5

/** Names within a small edit distance of `word`, nearest first, at most three. */
export function suggest(word: string, known: readonly string[]): string[] {
  // No known name is that long, and computing the distance of long words is slow.
  if (word.length > 128) return []
  // At least one letter stays: every code of two letters is two edits from every other.
  const limit = Math.min(MOST_EDITS, Math.max(2, Math.floor(word.length / 3)), Math.max(0, word.length - 1))
  const lower = word.toLowerCase()
  return known
    .map((name) => ({ name, distance: nearness(lower, name.toLowerCase(), limit) }))
    .filter((entry) => entry.distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map((entry) => entry.name)
}

function nearness(word: string, name: string, limit: number): number {
  return word.length >= 3 && (name.startsWith(word) || name.endsWith(`.${word}`)) ? 1 : editDistance(word, name, limit)
}

/** Number of insertions, deletions and substitutions from `a` to `b`, or `limit` + 1 if there are more. */
function editDistance(a: string, b: string, limit: number): number {
  const beyond = limit + 1
  if (Math.abs(a.length - b.length) > limit) return beyond
  let previous = Uint8Array.from({ length: b.length + 1 }, (_, column) => Math.min(column, beyond))
  let current = new Uint8Array(b.length + 1)
  for (let row = 1; row <= a.length; row++) {
    // Only cells near the diagonal can be within the limit.
    const first = Math.max(1, row - limit)
    const last = Math.min(b.length, row + limit)
    let left = first === 1 ? Math.min(row, beyond) : beyond
    let least = left
    current[first - 1] = left
    for (let column = first; column <= last; column++) {
      const substitution = (previous[column - 1] ?? beyond) + (a.charCodeAt(row - 1) === b.charCodeAt(column - 1) ? 0 : 1)
      const above = column === row + limit ? beyond : (previous[column] ?? beyond)
      left = Math.min(substitution, above + 1, left + 1, beyond)
      current[column] = left
      least = Math.min(least, left)
    }
    if (least > limit) return beyond
    ;[previous, current] = [current, previous]
  }
  return previous[b.length] ?? beyond
}
