import type { Definitions } from '../core/definitions.ts'
import type { Snapshot } from '../engine/ports.ts'
import type { CacheFeed } from './cache-feed.ts'
import type { ConnectorSession } from './session.ts'

export type { InlineRelation } from '../compiler/inline.ts'
export type { Row, Snapshot } from '../engine/ports.ts'
export type { ConnectorSession, SourceRow } from './session.ts'

export type Capability = 'exact' | 'inferred' | 'absent'

/** A finding of `plumbline check`. */
export interface CheckFinding {
  readonly name: string
  readonly level: 'ok' | 'warning' | 'failure'
  readonly message: string
}

/** The specification's same-database connector: relations, not numbers. Its six contract methods are built over these in rows.ts. */
export interface DatabaseConnector {
  readonly type: string
  /** Folder with one template per base relation. */
  readonly relationsDirectory: string
  readonly capabilities: Readonly<Record<string, Capability>>
  /** Opens a request: tenants, catalog, currencies. AppError when the choice of tenant is not clear or the schema is not usable. */
  open(snapshot: Snapshot, request: { readonly now: Date; readonly definitions: Definitions }): Promise<ConnectorSession>
  /** Schema, tenants, catalog, unpriced subscriptions: everything `check` prints about the engine. */
  check(snapshot: Snapshot, request: { readonly now: Date; readonly definitions: Definitions }): Promise<readonly CheckFinding[]>
  /** A new feed for the cache; a connector without one is always read directly. */
  createFeed?(): CacheFeed
}
