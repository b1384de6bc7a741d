import type { FailureKind } from '../failures.ts'

/** ER_QUERY_TIMEOUT of MySQL, ER_STATEMENT_TIMEOUT of MariaDB. */
const TIMEOUT = new Set([3024, 1969])
/** ER_QUERY_INTERRUPTED: KILL QUERY. */
const CANCELLED = new Set([1317])
/** Too many connections, shutdown, killed, access denied, no such database, too many connections of one user, TLS demanded. */
const UNAVAILABLE = new Set([1040, 1053, 1927, 1044, 1045, 1049, 1203, 1226, 3032, 3159, 4031])
/** ER_DATA_OUT_OF_RANGE, ER_WARN_DATA_OUT_OF_RANGE. */
const TOO_LARGE = new Set([1690, 1264])
/** ER_SPECIFIC_ACCESS_DENIED_ERROR. */
const RESERVED = 1227

/** The server's error number. Undefined if the error did not come from the server. */
export function serverErrorNumber(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errno' in error) || !('sqlState' in error)) return undefined
  return typeof error.errno === 'number' ? error.errno : undefined
}

/** Classifies by error number. An error that the server did not send belongs to the connection. */
export function mysqlFailure(error: unknown): FailureKind {
  const number = serverErrorNumber(error)
  if (number === undefined) return error instanceof TypeError ? 'refused' : 'unavailable'
  if (TIMEOUT.has(number)) return 'timeout'
  if (CANCELLED.has(number)) return 'cancelled'
  if (TOO_LARGE.has(number)) return 'too_large'
  return UNAVAILABLE.has(number) ? 'unavailable' : 'refused'
}

/** True if the server reserves a setting for administrators. */
export function isReservedSetting(error: unknown): boolean {
  return serverErrorNumber(error) === RESERVED
}
