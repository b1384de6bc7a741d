import type { DefinitionSet, Definitions } from '../core/definitions.ts'
import type { Executor } from '../ports/executor.ts'
import type { ConnectorSession } from '../ports/session.ts'
import type { Snapshot } from '../ports/snapshot.ts'
import type { FindEvidence } from './evidence.ts'
import type { MirrorSource } from './mirror-source.ts'

export type { InlineRelation } from '../compiler/inline.ts'
export type { Row } from '../ports/rows.ts'
export type { ConnectorSession, SourceRow } from '../ports/session.ts'
export type { Snapshot } from '../ports/snapshot.ts'

/** The source of snapshots of the billing database. */
export type SnapshotSource = Pick<Executor, 'withSnapshot'>

export type Capability = 'exact' | 'inferred' | 'absent'

/** A finding of `plumbline check`. */
export interface CheckFinding {
  readonly name: string
  /** `todo`: nothing is wrong, but a step of the setup is open. */
  readonly level: 'ok' | 'todo' | 'warning' | 'failure'
  readonly message: string
  /** The message for a log, if `message` names customers or quotes their keys. */
  readonly logged?: string
  /** Command that resolves the finding. */
  readonly command?: string
  /** Lines of the configuration file that resolve the finding. */
  readonly setting?: string
}

/** The rows of the engine's history that were compared, and those that do not agree with the current rows. */
export interface HistoryReport {
  readonly count: number
  /** `id` identifies the row: the id of the record. */
  readonly faults: readonly { readonly id: string; readonly message: string }[]
  /** Parts that were not compared, as the end of a sentence. */
  readonly remark?: string
}

/**
 * Reads a billing engine in its own database. It supplies relations, not numbers. The methods of `engine.rows` read these
 * relations.
 */
export interface DatabaseConnector {
  readonly type: string
  /** Folder with one template per base relation. */
  readonly relationsDirectory: string
  readonly capabilities: Readonly<Record<string, Capability>>
  /** True if sources that are added later are served too. Sessions then name the oldest first. */
  readonly servesAllSources?: boolean
  /**
   * Address of a customer in the engine's own admin pages, `http` or `https`, or of one of its invoices. Optional; without it nothing has a
   * link.
   */
  customerUrl?(customer_id: string, invoice_id?: string): string
  /** Opens a request: tenants, catalog, currencies. AppError if the choice of tenant is not clear or the schema is not usable. */
  open(snapshot: Snapshot, request: { readonly now: Date; readonly definitions: Definitions }): Promise<ConnectorSession>
  /** Schema, tenants, catalog, unpriced subscriptions: everything that `check` prints about the engine. Optional. */
  check?(snapshot: Snapshot, request: { readonly now: Date; readonly definitions: Definitions }): Promise<readonly CheckFinding[]>
  /** The findings of `check --cross` in the engine's own tables, in any number of snapshots. Optional. */
  crossCheck?(
    source: SnapshotSource,
    request: { readonly now: Date; readonly definitions: Definitions },
  ): Promise<readonly CheckFinding[]>
  /** Words of the engine for billing periods, which the option `billing_periods` may name. Absent: any word. */
  readonly billingPeriods?: readonly string[]
  /** Definition sets that count as tools of this engine do. Optional. */
  readonly definitionSets?: readonly DefinitionSet[]
  /** The rows of the billing database behind rows of a number. A connector without it shows rows without evidence. */
  readonly evidence?: FindEvidence
  /** Compares the engine's history tables with its current rows, in any number of snapshots. Optional. */
  checkHistory?(
    source: SnapshotSource,
    request: { readonly now: Date; readonly definitions: Definitions },
  ): Promise<HistoryReport>
  /**
   * The tables of the billing database that a level of MRR reads to their end, the largest part of its work. `check` estimates from their size how long
   * an answer straight from the database takes. Absent: there is no estimate. Trino is asked whether its user could write to them.
   */
  readonly levelTables?: readonly string[]
  /** The raw tables and the changes for the cache. A connector without them is always read directly. */
  readonly mirror?: MirrorSource
}
