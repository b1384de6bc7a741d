import { AppError, InternalError } from '../core/errors.ts'
import { tooLarge } from '../core/too-large.ts'
import type { Driver } from './driver.ts'

/**
 * The meaning of a driver's error.
 * - `cancelled`: an administrator stopped the statement.
 * - `replay_conflict`: the standby stopped it to apply the primary's changes, or its plan was from before a change of the table. The next
 *   try succeeds.
 * - `too_large`: a number is beyond the database's range.
 * - `not_a_number`: a number is NaN or infinite.
 * - `unavailable`: no connection could be opened, or it was lost.
 * - `refused`: anything else, which is a fault of the product.
 */
export type FailureKind = 'timeout' | 'too_large' | 'not_a_number' | 'cancelled' | 'replay_conflict' | 'unavailable' | 'refused'

const RETRY_AFTER_SECONDS = 5

/** Signals that the snapshot may be tried once more. It never leaves the executors. */
export class ReplayConflict extends Error {
  constructor(cause: unknown) {
    super('the standby cancelled the statement to apply the changes of its primary', { cause })
    this.name = 'ReplayConflict'
  }
}

/** The driver's error code (`ECONNREFUSED`, `28P01`, `ER_NO_SUCH_TABLE`), if it carries one. */
export function driverCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Explanations of the codes that mean a wrong address and not an unreachable server. */
const WRONG_ADDRESS: Readonly<Record<string, string>> = {
  '28P01': 'wrong user or password',
  '28000': 'wrong user or password, or not allowed from here',
  '3D000': 'no such database',
  '08P01': 'the server, or a pooler before it, refuses a startup parameter, such as options in the address',
  ENOENT: 'there is none',
  ER_ACCESS_DENIED_ERROR: 'wrong user or password, or not allowed from here',
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: 'wrong user or password, or not allowed from here',
  ER_DBACCESS_DENIED_ERROR: 'no such database, or no right to it',
  ER_BAD_DB_ERROR: 'no such database',
}

/**
 * No connection could be opened. The message names only the driver's code. User and password stay in the cause, which is logged and never
 * sent. The server's place and the explanation about TLS are for the person who runs the process.
 */
export function databaseUnavailable(cause: unknown, { place, explain }: Pick<Driver, 'place' | 'explain'> = {}): AppError {
  const code = driverCode(cause)
  const why = code === undefined ? '' : ` (${code})`
  const where = place === undefined ? '' : ` at ${place}`
  const meaning = explain?.(cause) ?? WRONG_ADDRESS[code ?? '']
  const reason = meaning === undefined ? why : ` (${code === undefined ? '' : `${code}: `}${meaning})`
  const operatorDetail = `The billing database${where} cannot be reached${reason}.`
  return unavailable(`The billing database cannot be reached${why}.`, cause, operatorDetail)
}

export function queueFull(running: number, waiting: number): AppError {
  return overloaded(`Too many requests at once: ${running} are being answered and ${waiting} wait.`)
}

export function waitedTooLong(limitMs: number): AppError {
  return overloaded(`The request waited longer than the limit of ${limitMs} ms for its turn.`)
}

export function databaseClosed(): AppError {
  return unavailable('The connection to the billing database is being shut down.')
}

export function statementCancelled(cause: unknown): AppError {
  return unavailable('The billing database cancelled the query at the request of its administrator.', cause)
}

export function replayConflictPersists(cause: unknown): AppError {
  return unavailable(
    'The replica cancelled the query twice to apply the changes of its primary. On the replica, set hot_standby_feedback = on or raise max_standby_streaming_delay (and max_standby_archive_delay); or read a replica that may fall behind, or the primary.',
    cause,
  )
}

/** The address leads to several servers. The checks of one server do not hold for the data of another. */
export function severalServers(): AppError {
  return unavailable(
    'The address of the billing database leads to another server from one transaction to the next. Give the address of one server.',
  )
}

const LONGER = {
  usual: ' The cache (cache.mode) answers faster, and limits.statement_timeout_ms raises the limit.',
  withoutCache: ' limits.statement_timeout_ms raises the limit.',
}
const MEMORY =
  ' MariaDB and MySQL also need memory for a large database: innodb_buffer_pool_size of the server, and limits.session_memory_mb.'
/** The settings that help beyond the time limit, by dialect. The database of the cache has none. */
const REMEDIES: Readonly<Record<string, string>> = { postgres: '', mysql: MEMORY, trino: '' }

/** `isForCache`: the cache itself reads the rows. Trino has no cache. */
export function statementTimedOut(limitMs: number, dialect: string, isForCache: boolean, cause: unknown): AppError {
  const remedy = REMEDIES[dialect]
  const advice = remedy === undefined ? '' : `${isForCache || dialect === 'trino' ? LONGER.withoutCache : LONGER.usual}${remedy}`
  return new AppError('query_timeout', `The query took longer than the limit of ${limitMs} ms.${advice}`, {
    context: { limit_ms: limitMs },
    cause,
  })
}

/** A number in a statement is beyond the database's range, which is larger than the exact range of Plumbline. */
export function numberTooLarge(label: string, cause: unknown): AppError {
  return tooLarge(`a number of ${label}`, {}, cause)
}

/** A numeric column holds NaN or an infinite number, which PostgreSQL accepts. */
export function notANumber(label: string, cause: unknown): AppError {
  const detail = `The rows of "${label}" contain NaN or an infinite number, which is no amount. \`plumbline check --cross\` names the columns.`
  return new AppError('canonical_enum_violation', detail, { cause })
}

/** True if PostgreSQL could not convert NaN or an infinite number. */
export function isOfNoNumber(error: unknown): boolean {
  if (!(error instanceof Error) || !['0A000', '22003'].includes(driverCode(error) ?? '')) return false
  const detail = 'detail' in error ? String(error.detail) : ''
  return /\bNaN\b|infini/i.test(`${error.message} ${detail}`)
}

/** The database does not accept a statement, which is a fault of the product. The driver's text stays in the cause, as it may quote a value. */
export function statementRefused(label: string, cause: unknown): InternalError {
  const code = driverCode(cause)
  return new InternalError(`The database refused "${label}"${code === undefined ? '' : ` (${code})`}.`, { cause })
}

const MYSQL_TEMPORARY_SPACE =
  'the space for temporary tables (temptable_max_ram, temptable_max_mmap, tmp_disk_table_size, tmpdir)'

/** Limits of the server by error code. A session cannot change them. */
const SERVER_LIMITS: Readonly<Record<string, string>> = {
  ER_TOO_BIG_SELECT: 'max_join_size',
  ER_RECORD_FILE_FULL: MYSQL_TEMPORARY_SPACE,
  ER_OUT_OF_SORTMEMORY: 'sort_buffer_size',
  ER_OUTOFMEMORY: 'memory',
  ER_NET_PACKET_TOO_LARGE: 'max_allowed_packet',
  ER_MAX_PREPARED_STMT_COUNT_REACHED: 'max_prepared_stmt_count',
  ER_OPTION_PREVENTS_STATEMENT: 'an option with which it was started, such as max_session_mem_used',
  '53100': 'disk space',
  '53200': 'memory',
  '53400': 'temp_file_limit',
  '54001': 'max_stack_depth',
}

/** The error of a statement that needs more than the server allows. Undefined if the error has another cause. */
export function serverLimitReached(label: string, cause: unknown): AppError | undefined {
  const code = driverCode(cause)
  const limit = losesTemporaryTable(cause) ? MYSQL_TEMPORARY_SPACE : SERVER_LIMITS[code ?? '']
  if (limit === undefined) return undefined
  return unavailable(
    `The billing database refused "${label}" (${code}): its limit is reached, ${limit}. Raise it on the server.`,
    cause,
  )
}

/** MySQL 8.0 loses a temporary table that it reads twice if the temporary tables of all sessions reach temptable_max_ram. */
function losesTemporaryTable(cause: unknown): boolean {
  return driverCode(cause) === 'ER_NO_SUCH_TABLE' && cause instanceof Error && /'[^']*#sql[^']*'/.test(cause.message)
}

/** The server does not let a session change a setting that could change a number. */
export function settingsKept(names: readonly string[], cause: unknown): AppError {
  const code = driverCode(cause)
  const why = code === undefined ? '' : ` (${code})`
  return unavailable(
    `The billing database does not let its session set ${names.join(', ')}${why}. Numbers could differ, so nothing is read. Allow its user to set them, or change them on the server.`,
    cause,
  )
}

/** The server does not show its settings, so Plumbline cannot rule out that one of them changes a number. */
export function settingsUntold(): AppError {
  return unavailable(
    'The billing database does not show its settings: SHOW VARIABLES lists nothing. Numbers could differ, so nothing is read.',
  )
}

function overloaded(detail: string): AppError {
  return new AppError('overloaded', detail, { context: { retry_after: RETRY_AFTER_SECONDS } })
}

function unavailable(detail: string, cause?: unknown, operatorDetail = detail): AppError {
  const context = { retry_after: RETRY_AFTER_SECONDS }
  return new AppError('connector_unavailable', detail, { context, cause, operatorDetail })
}
