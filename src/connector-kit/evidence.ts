import type { ConnectorSession } from '../ports/session.ts'
import type { Snapshot } from '../ports/snapshot.ts'

/** A row behind a number, as the connector looks for its evidence. Instants are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface EvidenceSubject {
  readonly customer_id: string
  readonly subscription_id: string | null
  /** Invoice, or key of a usage charge; null for other rows. */
  readonly document_id: string | null
  /** Instant of the change that made the row, or from which its state holds; null if there is none. */
  readonly at: string | null
}

/** A row of the billing database that made a row behind a number. */
export interface Evidence {
  readonly table: string
  /** Number of the row; null if the engine does not number its rows. */
  readonly record_id: number | null
  /** Id of the row in the engine; null if the connector does not read it. A row without a number has an id. */
  readonly id: string | null
  /** Instant that the row is about. */
  readonly occurred_at: string | null
  /** The statement of the row in words, without a full stop. */
  readonly note: string
}

/** Finds evidence in a snapshot of the billing database: a list for each subject, in its order. */
export type FindEvidence = (
  snapshot: Snapshot,
  session: ConnectorSession,
  subjects: readonly EvidenceSubject[],
) => Promise<readonly (readonly Evidence[])[]>
