import { unknownZonesIn } from '../connector-kit/zone-offsets.ts'
import { AppError } from '../core/errors.ts'
import type { ConnectorSession } from '../ports/session.ts'
import type { Warning } from '../query/warning.ts'

/** AppError `unsupported_by_connector` if a statement reads a relation that cannot be read, such as one whose columns a role does not see. */
export function refuseUnknown({ relations_unknown = [] }: ConnectorSession, reads: readonly string[]): void {
  for (const unknown of relations_unknown) {
    const missing = unknown.reads.filter((name) => reads.includes(name))
    if (missing.length > 0) throw new AppError('unsupported_by_connector', unknown.reason, { context: { missing } })
  }
}

/** The warnings of a statement that reads these relations: on time zones that are not known, and on rows that a relation lacks. */
export function warningsOn(connector: ConnectorSession, reads: readonly string[]): readonly Warning[] {
  const zones = unknownZonesIn(connector, reads)
  const { incomplete_relations: incomplete = [] } = connector
  return [
    ...(zones === undefined ? [] : [{ code: 'unknown_time_zone', ...zones } as const]),
    ...incomplete
      .filter((lacking) => lacking.reads.some((name) => reads.includes(name)))
      .map(({ message, count }) => ({ code: 'partial', message, count }) as const),
  ]
}
