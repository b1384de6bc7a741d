import type { NamedSegment, SegmentChange, SegmentRecord, Viewer, Workspace } from '../core/workspace.ts'
import type { AttributeStore } from './attribute-store.ts'
import type { AuditStore, KeyStore } from './auth-store.ts'
import type { DashboardStore } from './dashboard-store.ts'
import type { DeliveryStore } from './delivery-store.ts'
import type { ExpenseStore } from './expense-store.ts'
import type { FxRateStore } from './fx-rate-store.ts'
import type { GoalStore } from './goal-store.ts'
import type { LinkStore } from './link-store.ts'
import type { MarkStore } from './mark-store.ts'
import type { NoteStore } from './note-store.ts'
import type { Snapshot, SnapshotOptions } from './snapshot.ts'
import type { Inbox, SecretBox, SourceStore } from './source-store.ts'

/** The side schema of one workspace. Other workspaces are neither read nor changed. */
export interface WorkspaceStore {
  readonly attributes: AttributeStore
  readonly segments: SegmentStore
  readonly notes: NoteStore
  readonly goals: GoalStore
  readonly expenses: ExpenseStore
  readonly sources: SourceStore
  readonly inbox: Inbox
  readonly keys: KeyStore
  readonly audit: AuditStore
  readonly marks: MarkStore
  readonly deliveries: DeliveryStore
  readonly links: LinkStore
  /** The dashboards that a viewer sees. */
  dashboardsOf(viewer: Viewer): DashboardStore
}

/** A snapshot of the store for statements on its own tables. */
export type StoreSnapshot = Pick<Snapshot, 'dialect' | 'query'>

/** The side schema ("store"): opened and migrated when a request first needs it. */
export interface Store {
  /** False if switched off (`store.url` = `none`). Everything else then rejects with `unsupported_by_connector`. */
  readonly enabled: boolean
  readonly fxRates: FxRateStore
  /** The parts that belong to a workspace. Absent from a store that holds only rates, which all workspaces share. */
  inWorkspace?(workspace: Workspace): WorkspaceStore
  /** Runs `work` in one read-only snapshot. Absent from a store that cannot run SQL templates. AppError `query_timeout`. */
  withSnapshot?<T>(work: (snapshot: StoreSnapshot) => Promise<T>, options?: Pick<SnapshotOptions, 'signal'>): Promise<T>
  /** Seals tokens of sources. Absent from a store that holds only rates. */
  readonly secrets?: SecretBox
  /** Schema of the side store's tables, if the billing database can read them (`store.colocated`). */
  readonly colocated?: { readonly schema: string; identity(): Promise<string> }
  /** Files of the store that other users of the machine can access. Absent from a store on a server. */
  filesOpenToOthers?(): Promise<readonly string[]>
  /** Counter that every write to the side schema raises. If it is unchanged, nothing in the schema changed. */
  version(): Promise<number>
  /** Text that changes with everything in the store that an answer depends on: the counter of writes, and the sources. */
  fingerprint(): Promise<string>
  /** Opens the store if needed and checks that it answers. AppError `connector_unavailable`. */
  ping(): Promise<void>
  /** Opens and migrates now. AppError `connector_unavailable` if it cannot. */
  open(): Promise<void>
  close(): Promise<void>
}

/** The side schema's segments. */
export interface SegmentStore {
  /** Segments whose id or name is one of these texts, in no order. */
  named(texts: readonly string[]): Promise<readonly NamedSegment[]>
  /** Names, ascending, at most `limit`. */
  names(limit: number): Promise<readonly string[]>
  /** All segments, last changed first, then by id. */
  list(): Promise<readonly SegmentRecord[]>
  get(id: string): Promise<SegmentRecord | undefined>
  /** AppError `conflict` if the name is taken. */
  create(record: SegmentRecord): Promise<void>
  /** The changed record. Undefined if no segment has this id. AppError `conflict` if the name is taken. */
  update(id: string, change: SegmentChange, at: string): Promise<SegmentRecord | undefined>
  /** False if no segment has this id. */
  delete(id: string): Promise<boolean>
}
