import type { BoundValue } from '../compiler/fragment.ts'
import type { InlineRelation } from '../compiler/inline.ts'
import type { Definitions } from '../core/definitions.ts'
import type { FxRate, Snapshot } from '../engine/ports.ts'
import type { CacheFeed } from './cache-feed.ts'

export type { InlineRelation } from '../compiler/inline.ts'
export type { Row, Snapshot } from '../engine/ports.ts'

export type Capability = 'exact' | 'inferred' | 'absent'

/** A finding of `plumbline check`. */
export interface CheckFinding {
  readonly name: string
  readonly level: 'ok' | 'warning' | 'failure'
  readonly message: string
}

/** One tenant of the engine: what `source_id` stands for (D15). */
export interface SourceRow {
  readonly source_id: string
  readonly external_key: string | null
}

/** What one request knows of the engine, read in its snapshot. */
export interface ConnectorSession {
  readonly sources: readonly SourceRow[]
  /** Values for the parameters that the connector's relations declare. */
  readonly params: Readonly<Record<string, BoundValue>>
  /** The inline relations that the connector fills, by name. */
  readonly inline: ReadonlyMap<string, InlineRelation>
  /** Relations that another file of the connector supplies for this engine's version, by the name the templates use. */
  readonly aliases: ReadonlyMap<string, string>
  /** Currencies of the accounts that count and own a subscription (D10), ascending. */
  readonly currencies: readonly string[]
  /** Rates the engine itself keeps, into `base`; empty when it has none (D11). */
  rates(base: string): Promise<readonly FxRate[]>
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
