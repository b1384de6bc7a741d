/** One row per error code of the HTTP contract (http-api.md 1.4), in the order that decides which issue leads an answer. */
interface CodeRow {
  readonly status: number
  readonly exit: 1 | 3 | 4
  readonly title: string
}

export const ERROR_CODES = {
  unauthorized: { status: 401, exit: 3, title: 'Credential or webhook signature missing or wrong' },
  forbidden: { status: 403, exit: 3, title: 'The credential lacks a scope' },
  payload_too_large: { status: 413, exit: 3, title: 'The body is larger than the limit' },
  not_found: { status: 404, exit: 3, title: 'Unknown path or resource id' },
  method_not_allowed: { status: 405, exit: 3, title: 'The path does not answer this method' },
  unknown_metric: { status: 404, exit: 3, title: 'No metric of that name is registered' },
  invalid_json: { status: 400, exit: 3, title: 'The body is not JSON' },
  validation_failed: { status: 422, exit: 3, title: 'The body has the wrong shape' },
  unknown_dimension: { status: 400, exit: 3, title: 'The query does not offer this dimension' },
  unknown_filter: { status: 400, exit: 3, title: 'The query does not offer this filter' },
  unknown_attribute: { status: 400, exit: 3, title: 'No attribute of that key is known' },
  invalid_operator: { status: 400, exit: 3, title: 'The operator does not exist or does not fit the type' },
  invalid_value: { status: 400, exit: 3, title: 'A parameter or value is not acceptable' },
  invalid_interval: { status: 400, exit: 3, title: 'The interval or granularity is unknown or not offered' },
  invalid_range: { status: 400, exit: 3, title: 'The dates do not form a range' },
  too_many_segments: { status: 400, exit: 3, title: 'More segments than one request may compare' },
  invalid_csv: { status: 400, exit: 3, title: 'The CSV file is malformed' },
  unknown_segment: { status: 404, exit: 3, title: 'No segment of that id is stored' },
  conflict: { status: 409, exit: 3, title: 'The request collides with the present state' },
  read_only_attribute: { status: 409, exit: 3, title: 'The attribute belongs to the billing engine' },
  unsupported_by_connector: { status: 422, exit: 3, title: 'The connector cannot supply what the query needs' },
  missing_fx_rate: { status: 422, exit: 3, title: 'A needed exchange rate is missing' },
  unpriced_plan: { status: 422, exit: 3, title: 'A needed price is not in the catalog' },
  canonical_enum_violation: { status: 422, exit: 3, title: 'A value is outside its canonical set' },
  result_too_large: { status: 422, exit: 3, title: 'The answer has more rows than allowed' },
  connector_unavailable: { status: 503, exit: 4, title: 'Database or store unreachable or busy' },
  replica_lagging: { status: 503, exit: 4, title: 'The replica is further behind than allowed' },
  query_timeout: { status: 504, exit: 4, title: 'The statement ran into its time limit' },
  internal: { status: 500, exit: 1, title: 'Internal error' },
} as const satisfies Record<string, CodeRow>

export type ErrorCode = keyof typeof ERROR_CODES

const PRECEDENCE = Object.keys(ERROR_CODES)

/** One thing wrong with a request. `where` is `params.<name>`, `spec.<path>` or `path.<name>`; facades rename it to their own words. */
export interface Issue {
  readonly code: ErrorCode
  readonly where: string
  readonly value?: unknown
  readonly message: string
  readonly did_you_mean: readonly string[]
}

/** The caller's fault, or a condition the caller is told about; the only error whose text leaves the process. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly context: Readonly<Record<string, unknown>>
  readonly issues: readonly Issue[] | undefined

  constructor(
    code: ErrorCode,
    detail: string,
    options: { context?: Record<string, unknown>; issues?: readonly Issue[]; cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.context = options.context ?? {}
    this.issues = options.issues
  }

  get status(): number {
    return ERROR_CODES[this.code].status
  }

  get exit(): number {
    return ERROR_CODES[this.code].exit
  }
}

/** A broken invariant of ours: logged with its cause, answered as `internal`. */
export class InternalError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'InternalError'
  }
}

/** Settings that cannot be used, all of them at once: bad usage, exit code 2. */
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

/** All issues of one request as one error; status, code and detail are those of the issue that stands first in the code table. */
export function errorFromIssues(issues: readonly Issue[], context: Record<string, unknown> = {}): AppError {
  const leading = [...issues].sort((a, b) => PRECEDENCE.indexOf(a.code) - PRECEDENCE.indexOf(b.code))[0]
  if (leading === undefined) throw new InternalError('errorFromIssues needs at least one issue')
  return new AppError(leading.code, leading.message, { context, issues })
}

/** Names within a small edit distance of `word`, nearest first, at most three. */
export function suggest(word: string, known: readonly string[]): string[] {
  // Nobody mistypes that much, and the distance costs time in proportion.
  if (word.length > 128) return []
  const limit = Math.max(2, Math.floor(word.length / 3))
  const lower = word.toLowerCase()
  return known
    .map((name) => ({ name, distance: nearness(lower, name.toLowerCase()) }))
    .filter((entry) => entry.distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map((entry) => entry.name)
}

function nearness(word: string, name: string): number {
  return word.length >= 3 && name.startsWith(word) ? 1 : editDistance(word, name)
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
