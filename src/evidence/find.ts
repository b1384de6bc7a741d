import type { EvidenceSubject } from '../connector-kit/evidence.ts'
import type { RunContext } from '../execution/run.ts'
import { onReplica } from '../execution/session/on-replica.ts'
import type { CountedRow } from './rows.ts'

/**
 * The rows with the rows of the billing database that made them. An answer from the cache has none of these, so they come from the replica,
 * which may be newer: the record of an instant does not change.
 */
export async function withEvidence<R extends CountedRow>(rows: readonly R[], context: RunContext): Promise<readonly R[]> {
  const { evidence: find } = context.deps.connector
  if (find === undefined || rows.length === 0) return rows
  const subjects = rows.map(subjectOf)
  const found = await onReplica(context, ({ snapshot, connector }) => find(snapshot, connector, subjects))
  return rows.map((row, index) => ({ ...row, evidence: [...(found[index] ?? [])] }))
}

// A level has no instant: its state holds from `valid_from`.
function subjectOf({ customer_id, subscription_id, document_id, occurred_at, valid_from }: CountedRow): EvidenceSubject {
  return { customer_id, subscription_id, document_id, at: occurred_at ?? valid_from }
}
