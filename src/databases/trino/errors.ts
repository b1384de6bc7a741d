import { AppError, InternalError } from '../../core/errors.ts'
import type { FailureKind } from '../failures.ts'
import { isOverflow } from './overflow.ts'
import { MOST_STAGES } from './session.ts'

interface Details {
  /** Trino's id of the query, for its log. */
  readonly queryId?: string | undefined
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfter?: number | undefined
  /** True if the query failed, and not the way to the server. */
  readonly isOfQuery?: boolean
  /** True if Trino blames a system behind it, such as a metastore. */
  readonly isExternal?: boolean
}

/** A failure that Trino reports, or one of its protocol. `code` is Trino's name of the error, `HTTP_<status>`, or a name of ours. */
export class TrinoFailure extends Error {
  readonly code: string
  readonly details: Details
  /** Trino's id of the query. An own field, so that the log has it. */
  readonly queryId?: string

  constructor(code: string, text: string, details: Details = {}) {
    const { queryId } = details
    super(queryId === undefined ? text : `${text} (query ${queryId})`)
    this.name = 'TrinoFailure'
    this.code = code
    this.details = details
    if (queryId !== undefined) this.queryId = queryId
  }
}

/** A server that was lost or not ready while the query ran. The query is sent again once. */
const PASSING: ReadonlySet<string> = new Set([
  'PAGE_TRANSPORT_TIMEOUT',
  'PAGE_TRANSPORT_ERROR',
  'REMOTE_TASK_ERROR',
  'REMOTE_TASK_FAILED',
  'REMOTE_TASK_MISMATCH',
  'REMOTE_BUFFER_CLOSE_FAILED',
  'REMOTE_HOST_GONE',
  'TOO_MANY_REQUESTS_FAILED',
  'NO_NODES_AVAILABLE',
  'SERVER_STARTING_UP',
  'SERVER_SHUTTING_DOWN',
  'QUERY_FORGOTTEN',
])
const UNAVAILABLE: ReadonlySet<string> = new Set([
  ...PASSING,
  'GENERIC_INSUFFICIENT_RESOURCES',
  'ABANDONED_QUERY',
  'ABANDONED_TASK',
  'CATALOG_NOT_FOUND',
  'CATALOG_NOT_AVAILABLE',
  'CATALOG_UNAVAILABLE',
  'CONFIGURATION_UNAVAILABLE',
])
const CANCELLED: ReadonlySet<string> = new Set(['USER_CANCELED', 'ADMINISTRATIVELY_KILLED', 'ADMINISTRATIVELY_PREEMPTED'])
const BUSY: ReadonlySet<string> = new Set([
  'QUERY_QUEUE_FULL',
  'QUERY_REJECTED',
  'OUT_OF_SPILL_SPACE',
  'CLUSTER_OUT_OF_MEMORY',
  'EXCEEDED_GLOBAL_MEMORY_LIMIT',
  'HTTP_429',
])

/** The limits that one query can exceed, and the place where they are raised. */
const LIMITS: Readonly<Record<string, string>> = {
  EXCEEDED_SCAN_LIMIT:
    'the bytes that it may read, lake.scan_limit_gb of Plumbline or query.max-scan-physical-bytes of the cluster',
  EXCEEDED_LOCAL_MEMORY_LIMIT: 'the memory of one query on a node, query.max-memory-per-node of the cluster',
  EXCEEDED_CPU_LIMIT: 'the processor time of one query, query.max-cpu-time of the cluster',
  EXCEEDED_SPILL_LIMIT: 'the bytes that one query may spill to disk, query-max-spill-per-node of the cluster',
  EXCEEDED_TASK_DESCRIPTOR_STORAGE_CAPACITY:
    'the memory for the tasks of one query, fault-tolerant-execution-task-descriptor-storage-max-memory of the cluster',
  PAGE_TOO_LARGE: 'one row, exchange.max-response-size of the cluster',
  QUERY_TEXT_TOO_LARGE: 'the length of a statement, query.max-length of the cluster',
}

/** Limits of one query that Plumbline sets itself. Nobody can raise them. */
const OWN_LIMITS: Readonly<Record<string, string>> = {
  QUERY_HAS_TOO_MANY_STAGES: `it has more than ${MOST_STAGES} stages, as query_max_stage_count of its session allows`,
  ANSWER_TOO_LARGE: 'one row is too large',
}

const ABSENT: ReadonlySet<string> = new Set(['TABLE_NOT_FOUND', 'SCHEMA_NOT_FOUND', 'COLUMN_NOT_FOUND'])
const RETRY_AFTER_SECONDS = 5

/** True if the same query may succeed at the next try. */
export function isPassing(error: unknown): boolean {
  return error instanceof TrinoFailure && PASSING.has(error.code)
}

/** Classifies by Trino's name of the error. An error that is not Trino's belongs to the connection. */
export function trinoFailureKind(error: unknown): FailureKind {
  if (error instanceof TypeError || error instanceof InternalError) return 'refused'
  if (!(error instanceof TrinoFailure)) return 'unavailable'
  const { code, message, details } = error
  if (code === 'EXCEEDED_TIME_LIMIT') return 'timeout'
  if (CANCELLED.has(code)) return 'cancelled'
  if (code === 'NUMERIC_VALUE_OUT_OF_RANGE') return 'too_large'
  if (code === 'INVALID_CAST_ARGUMENT' && /\bNaN\b|infini/i.test(message)) return 'not_a_number'
  if (code === 'INVALID_CAST_ARGUMENT' && isOverflow(message)) return 'too_large'
  if (BUSY.has(code) || Object.hasOwn(LIMITS, code) || Object.hasOwn(OWN_LIMITS, code)) return 'refused'
  return details.isOfQuery !== true || details.isExternal === true || UNAVAILABLE.has(code) ? 'unavailable' : 'refused'
}

/** The error of a refused statement whose cause the caller or the operator can remove. Undefined if it is a fault of the product. */
export function trinoRefusal(label: string, error: unknown): AppError | undefined {
  if (!(error instanceof TrinoFailure)) return undefined
  const { code, details } = error
  if (BUSY.has(code)) {
    const context = { retry_after: details.retryAfter ?? RETRY_AFTER_SECONDS }
    return new AppError('overloaded', `Trino takes no further query at the moment (${code}).`, { context, cause: error })
  }
  const limit = entryOf(LIMITS, code)
  if (limit !== undefined) {
    const detail = `"${label}" exceeds a limit of Trino (${code}): ${limit}. Use a shorter range or a filter, or raise the limit.`
    return new AppError('result_too_large', detail, { cause: error })
  }
  const ownLimit = entryOf(OWN_LIMITS, code)
  if (ownLimit !== undefined) {
    const detail = `"${label}" exceeds a limit that Plumbline sets for its queries (${code}): ${ownLimit}. Use a shorter range or fewer dimensions.`
    return new AppError('result_too_large', detail, { cause: error })
  }
  if (code === 'PERMISSION_DENIED' || code === 'INVALID_SESSION_PROPERTY') return denied(error)
  return ABSENT.has(code) ? absent(error) : undefined
}

const PROPERTY = /session property '?(\w+)/i
const TABLE = /\b(?:table or view|table|view) ([\w.$"-]{1,200})/

function denied(error: TrinoFailure): AppError {
  const property = PROPERTY.exec(error.message)?.[1]
  if (property !== undefined) {
    const detail = `Trino does not take the session property ${property}. Plumbline limits its queries with it, so nothing is read. Allow the user to set it in the access control of the cluster.`
    return new AppError('connector_unavailable', detail, { context: { retry_after: RETRY_AFTER_SECONDS }, cause: error })
  }
  const table = lastName(TABLE.exec(error.message)?.[1])
  const detail = `The user of Trino may not read ${table ?? 'everything that the request needs'}; allow it to select in the access control of the cluster.`
  return new AppError('unsupported_by_connector', detail, named(table, error))
}

function absent(error: TrinoFailure): AppError {
  const name = lastName(/'([^']{1,200})'/.exec(error.message)?.[1])
  const kind = error.code.slice(0, -'_NOT_FOUND'.length).toLowerCase()
  const detail = `Trino finds no ${kind} ${name ?? 'of that name'} for its user; compare the catalog and the schema of database.url, and the rights of the user.`
  return new AppError('unsupported_by_connector', detail, named(name, error))
}

function named(name: string | undefined, cause: TrinoFailure) {
  return { ...(name === undefined ? {} : { context: { missing: [name] } }), cause }
}

/** The last part of a qualified name. Only plain names are shown. */
function lastName(name: string | undefined): string | undefined {
  const last = name?.replaceAll('"', '').split('.').at(-1)
  return last !== undefined && /^[\w$]{1,64}$/.test(last) ? last : undefined
}

/** Explanations for the person who runs the process. */
const MEANINGS: Readonly<Record<string, string>> = {
  HTTP_401: 'wrong user, password or token, or the server demands one',
  HTTP_403: 'this user may not use the server',
  HTTP_404: 'no Trino coordinator answers at this address',
  REDIRECTED: 'the server redirects; write the address to which it leads into database.url',
  OTHER_ORIGIN:
    'the server names another origin for its next answers; set http-server.process-forwarded=true on the coordinator, or name that origin in lake.next_uri_origin',
  NOT_TRINO: 'the answer is not that of a Trino coordinator',
  TOKEN_FILE: 'the token file of this address cannot be read, or holds no token',
  CATALOG_NOT_FOUND: 'no such catalog',
  GENERIC_INSUFFICIENT_RESOURCES: 'the cluster has no worker that is ready',
  SERVER_STARTING_UP: 'the server is starting',
}

/** Explains a failure of the way to the server. Undefined for others. */
export function trinoMeaning(error: unknown): string | undefined {
  return error instanceof TrinoFailure ? entryOf(MEANINGS, error.code) : undefined
}

/** Codes come from a server, so a name such as `constructor` must find nothing. */
function entryOf(entries: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(entries, code) ? entries[code] : undefined
}
