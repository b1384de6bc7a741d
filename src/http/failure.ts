import { failureCauses } from '../core/failure-causes.ts'
import type { Log } from './log.ts'

/** Logs a failure of ours. Texts of foreign errors stay out; their class, code and stack frames remain. */
export function logFailure(log: Log, error: unknown, requestId: string, query: string | undefined): void {
  log('error', 'failure', { request_id: requestId, query, causes: failureCauses(error) })
}
