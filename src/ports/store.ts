import type { NamedSegment, SegmentChange, SegmentRecord, Workspace } from '../core/workspace.ts'
import type { AttributeStore } from './attribute-store.ts'
import type { AuditStore, KeyStore } from './auth-store.ts'
import type { DashboardStore } from './dashboard-store.ts'
import type { ExpenseStore } from './expense-store.ts'
import type { FxRateStore } from './fx-rate-store.ts'
import type { Snapshot, SnapshotOptions } from './snapshot.ts'
import type { Inbox, SecretBox, SourceStore } from './source-store.ts'

/** What a side schema holds for one workspace; nothing of another is seen or touched. */
export interface WorkspaceStore {
  readonly attributes: AttributeStore
  readonly segments: SegmentStore
  readonly expenses: ExpenseStore
  readonly sources: SourceStore
  readonly inbox: Inbox
  readonly keys: KeyStore
  readonly audit: AuditStore
  /** What one user has, by the id under which records of users are kept. */
  dashboardsOf(user: string): DashboardStore
}

/** One moment of the store, in which statements are run on its own tables. */
export type StoreSnapshot = Pick<Snapshot, 'dialect' | 'query'>

/** The side schema ("store"): opened and migrated when a request first needs it. */
export interface Store {
  /** False when switched off (`store.url` = `none`): everything else then rejects with `unsupported_by_connector`. */
  readonly enabled: boolean
  readonly fxRates: FxRateStore
  /** What belongs to a workspace; absent from a store that holds rates only, which all workspaces share. */
  inWorkspace?(workspace: Workspace): WorkspaceStore
  /** Runs `work` in one read-only snapshot; absent from a store that no statements are written for. AppError `query_timeout`. */
  withSnapshot?<T>(work: (snapshot: StoreSnapshot) => Promise<T>, options?: Pick<SnapshotOptions, 'signal'>): Promise<T>
  /** Seals tokens of sources; absent from a store that holds rates only. */
  readonly secrets?: SecretBox
  /** Schema of the side store's tables where the billing database can read them (`store.colocated`). */
  readonly colocated?: { readonly schema: string; identity(): Promise<string> }
  /** Files of the store that other users of the machine may use; absent from a store on a server. */
  filesOpenToOthers?(): Promise<readonly string[]>
  /** Raised by every write to the side schema: unchanged means that nothing in it has changed. */
  version(): Promise<number>
  /** Opens if need be and asks for a sign of life; AppError `connector_unavailable`. */
  ping(): Promise<void>
  /** Opens and migrates now; AppError `connector_unavailable` when it cannot. */
  open(): Promise<void>
  close(): Promise<void>
}

/** The side schema's segments. */
export interface SegmentStore {
  /** Those whose id or name is one of these texts, in no order. */
  named(texts: readonly string[]): Promise<readonly NamedSegment[]>
  /** Names, ascending, at most `limit`. */
  names(limit: number): Promise<readonly string[]>
  /** All, the last changed first, then by id. */
  list(): Promise<readonly SegmentRecord[]>
  get(id: string): Promise<SegmentRecord | undefined>
  /** AppError `conflict` when the name is taken. */
  create(record: SegmentRecord): Promise<void>
  /** The record afterwards, undefined when there is none; AppError `conflict` when the name is taken. */
  update(id: string, change: SegmentChange, at: string): Promise<SegmentRecord | undefined>
  /** False when there was none. */
  delete(id: string): Promise<boolean>
}
