import type { FeedRequest } from '../ports/read-through.ts'
import type { Row } from '../ports/rows.ts'
import type { ConnectorSession } from '../ports/session.ts'
import type { Snapshot } from '../ports/snapshot.ts'

export type { FeedRequest } from '../ports/read-through.ts'

/** The rows of an account are right for every now in [from, to). A `to` of null means no end. */
export interface Horizon {
  readonly customer_key: number
  readonly valid_from: string
  readonly valid_to: string | null
}

/** All rows of some accounts, by base relation. Each row has a `customer_key`. */
export interface FilledPage {
  readonly accounts: readonly Horizon[]
  readonly rows: ReadonlyMap<string, readonly Row[]>
}

export interface ChangesRequest extends FeedRequest {
  /** Accounts whose rows are no longer right because time has passed. */
  readonly due: readonly number[]
}

/**
 * The changes since the last snapshot. `canUpdate` is false if only a new filling can be right: another catalog calendar, other
 * tenants, a database that went back in time, or another database.
 */
export type FeedChanges = FeedUpdate | { readonly canUpdate: false }

/** Changes for which it is enough to replace the rows of some accounts. */
export interface FeedUpdate {
  readonly canUpdate: true
  /** Accounts to be read again, including those that are due. */
  readonly accounts: readonly number[]
  /** The session of the request. It no longer needs the snapshot. */
  readonly session: ConnectorSession
  /** The rows of these accounts in the snapshot. An account without rows may be among the accounts. */
  pages(accounts: readonly number[]): AsyncIterable<FilledPage>
  /** Confirms that the pages are stored. Later changes are reported from here on. */
  accept(): void
}

/** The source of one filling and of its refreshes. The cache holds the same relations that the connector reads in SQL. */
export interface CacheFeed {
  /** Base relations that the pages hold. */
  readonly relations: readonly string[]
  /** Every account of the tenants, one page at a time, with constant memory. */
  fill(snapshot: Snapshot, request: FeedRequest): AsyncIterable<FilledPage>
  /** Everything committed since the last accepted snapshot, including rows that have a lower number but were committed later. */
  changes(snapshot: Snapshot, request: ChangesRequest): Promise<FeedChanges>
}
