import type { FeedRequest } from '../ports/read-through.ts'
import type { Row } from '../ports/rows.ts'
import type { ConnectorSession } from '../ports/session.ts'
import type { Snapshot } from '../ports/snapshot.ts'

export type { FeedRequest } from '../ports/read-through.ts'

/** Instants between which an account's rows are right for every now: [from, to), `to` null = for ever. */
export interface Horizon {
  readonly customer_key: number
  readonly valid_from: string
  readonly valid_to: string | null
}

/** Rows of some accounts by base relation, whole accounts only; each row has a `customer_key`. */
export interface FilledPage {
  readonly accounts: readonly Horizon[]
  readonly rows: ReadonlyMap<string, readonly Row[]>
}

export interface ChangesRequest extends FeedRequest {
  /** Accounts whose rows are right no longer because time has passed. */
  readonly due: readonly number[]
}

/**
 * What a snapshot says beside what has been filled. `canUpdate` is false where only a new filling can be right: another catalog calendar,
 * other tenants, a database that went back in time or is another one.
 */
export type FeedChanges = FeedUpdate | { readonly canUpdate: false }

/** Changes that the accounts' own rows make up. */
export interface FeedUpdate {
  readonly canUpdate: true
  /** Accounts to be read again, those due included. */
  readonly accounts: readonly number[]
  /** The request's session; it needs the snapshot no longer. */
  readonly session: ConnectorSession
  /** The rows of these accounts as they are in the snapshot; an account without rows has none. */
  pages(accounts: readonly number[]): AsyncIterable<FilledPage>
  /** Says that the pages are kept: later changes are told from here on. */
  accept(): void
}

/** One filling of the cache and all that happens to it; the cache holds the same relations that the connector reads in SQL. */
export interface CacheFeed {
  /** Base relations that the pages hold. */
  readonly relations: readonly string[]
  /** Every account of the tenants, a page at a time, memory flat. */
  fill(snapshot: Snapshot, request: FeedRequest): AsyncIterable<FilledPage>
  /** Everything committed since, also what was numbered earlier and committed later. */
  changes(snapshot: Snapshot, request: ChangesRequest): Promise<FeedChanges>
}
