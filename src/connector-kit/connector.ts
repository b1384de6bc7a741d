import type { Definitions } from '../core/definitions.ts'
import type { Executor } from '../ports/executor.ts'
import type { ConnectorSession } from '../ports/session.ts'
import type { Snapshot } from '../ports/snapshot.ts'
import type { CacheFeed } from './cache-feed.ts'

export type { InlineRelation } from '../compiler/inline.ts'
export type { Row } from '../ports/rows.ts'
export type { ConnectorSession, SourceRow } from '../ports/session.ts'
export type { Snapshot } from '../ports/snapshot.ts'

/** Where snapshots of the billing database come from. */
export type SnapshotSource = Pick<Executor, 'withSnapshot'>

export type Capability = 'exact' | 'inferred' | 'absent'

/** A finding of `plumbline check`. */
export interface CheckFinding {
  readonly name: string
  readonly level: 'ok' | 'warning' | 'failure'
  readonly message: string
}

/** What reads a billing engine in its own database: it supplies relations, not numbers. The methods of `engine.rows` are built over them. */
export interface DatabaseConnector {
  readonly type: string
  /** Folder with one template per base relation. */
  readonly relationsDirectory: string
  readonly capabilities: Readonly<Record<string, Capability>>
  /** True when sources that come later are served too; sessions then name the oldest first. */
  readonly servesAllSources?: boolean
  /** Opens a request: tenants, catalog, currencies. AppError when the choice of tenant is not clear or the schema is not usable. */
  open(snapshot: Snapshot, request: { readonly now: Date; readonly definitions: Definitions }): Promise<ConnectorSession>
  /** Schema, tenants, catalog, unpriced subscriptions: everything `check` prints about the engine; absent: nothing. */
  check?(snapshot: Snapshot, request: { readonly now: Date; readonly definitions: Definitions }): Promise<readonly CheckFinding[]>
  /** What `check --cross` looks for in the engine's own tables, in as many snapshots as it likes; absent: nothing. */
  crossCheck?(
    source: SnapshotSource,
    request: { readonly now: Date; readonly definitions: Definitions },
  ): Promise<readonly CheckFinding[]>
  /** A new feed for the cache; a connector without one is always read directly. */
  createFeed?(): CacheFeed
}
