import { AppError, ConfigurationError, type ErrorCode } from '../../core/errors.ts'
import { failureCauses } from '../../core/failure-causes.ts'
import type { Log } from './log.ts'

/** Logs a failure of ours. Texts of foreign errors stay out; their class, code and stack frames remain. */
export function logFailure(log: Log, error: unknown, requestId: string, query: string | undefined): void {
  log('error', 'failure', { request_id: requestId, query, causes: failureCauses(error) })
}

/** Codes of a database that cannot be asked, or is none of ours. Their texts are ours, without anything that a user or a driver wrote. */
const STATES: readonly ErrorCode[] = ['connector_unavailable', 'unsupported_by_connector', 'query_timeout', 'overloaded']

/** Logs a failure of what nobody asked for, such as the filling of the cache: the state of a database in a sentence, all else as ours. */
export function logBackgroundFailure(log: Log, error: unknown, part: string): void {
  const told = stateIn(error)
  if (told === undefined) logFailure(log, error, part, undefined)
  else log('error', `${part}: ${told}`)
}

function stateIn(error: unknown): string | undefined {
  if (error instanceof ConfigurationError) return error.problems.join('; ')
  return error instanceof AppError && STATES.includes(error.code) ? error.operatorDetail : undefined
}
