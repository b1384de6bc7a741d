import { AppError } from '../core/errors.ts'
import type { ConnectorSession } from '../ports/session.ts'

/** AppError `unsupported_by_connector` if a statement reads a relation that cannot be read, such as one whose columns a role does not see. */
export function refuseUnknown({ relations_unknown = [] }: ConnectorSession, reads: readonly string[]): void {
  for (const unknown of relations_unknown) {
    const missing = unknown.reads.filter((name) => reads.includes(name))
    if (missing.length > 0) throw new AppError('unsupported_by_connector', unknown.reason, { context: { missing } })
  }
}
