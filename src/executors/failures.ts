import { AppError, InternalError } from '../core/errors.ts'

/**
 * What a driver's error means. `cancelled`: somebody stopped the statement; `replay_conflict`: the standby stopped it because the primary's
 * changes had to be applied; `unavailable`: no connection, or none left; `refused`: anything else, so a fault of ours.
 */
export type FailureKind = 'timeout' | 'cancelled' | 'replay_conflict' | 'unavailable' | 'refused'

const RETRY_AFTER_SECONDS = 5

/** Thrown inside the executors only: the snapshot may be tried once more. */
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

/** No connection. Names the driver's code only: host, user and password stay in the cause, which is logged and never sent. */
export function databaseUnavailable(cause: unknown): AppError {
  const code = driverCode(cause)
  return unavailable(`The billing database cannot be reached${code === undefined ? '' : ` (${code})`}.`, cause)
}

export function databaseBusy(running: number, waiting: number): AppError {
  return unavailable(`The billing database is busy: ${running} queries run and ${waiting} wait.`)
}

export function databaseClosed(): AppError {
  return unavailable('The connection to the billing database is being shut down.')
}

export function statementCancelled(cause: unknown): AppError {
  return unavailable('The billing database cancelled the query at the request of its administrator.', cause)
}

export function replayConflictPersists(cause: unknown): AppError {
  return unavailable('The replica cancelled the query twice to apply the changes of its primary.', cause)
}

export function statementTimedOut(limitMs: number, cause: unknown): AppError {
  return new AppError('query_timeout', `The query took longer than the limit of ${limitMs} ms.`, {
    context: { limit_ms: limitMs },
    cause,
  })
}

/** A statement that the database does not accept: ours to mend. */
export function statementRefused(label: string, cause: unknown): InternalError {
  const code = driverCode(cause)
  const message = cause instanceof Error ? cause.message : String(cause)
  return new InternalError(`The database refused "${label}"${code === undefined ? '' : ` (${code})`}: ${message}`, { cause })
}

function unavailable(detail: string, cause?: unknown): AppError {
  return new AppError('connector_unavailable', detail, { context: { retry_after: RETRY_AFTER_SECONDS }, cause })
}
