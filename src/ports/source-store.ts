import type { ChangedRecords } from './expense-store.ts'

/** A connection to an accounting platform, or a series of imported files. Instants are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface StoredSource {
  readonly id: string
  /** Name of the platform (`quickbooks`) or `csv`. */
  readonly type: string
  readonly name: string
  /** Settings that are not secret: realm, environment. */
  readonly config: Readonly<Record<string, unknown>>
  readonly status: 'connected' | 'needs_reconnect' | 'disconnected'
  readonly created_at: string
  readonly last_synced_at: string | null
  /** Position up to which changes have been read, in the platform's own terms. */
  readonly cursor: string | null
}

export type SourceChange = Partial<Pick<StoredSource, 'name' | 'config' | 'status' | 'last_synced_at' | 'cursor'>>

export interface SyncRun {
  readonly id: string
  readonly source_id: string
  /** Everything, or the changes since the cursor. */
  readonly kind: 'backfill' | 'changes'
  /** First day that a backfill reads. Null reads all. */
  readonly since: string | null
  readonly status: 'running' | 'succeeded' | 'failed'
  readonly started_at: string
  readonly finished_at: string | null
  readonly counts: ChangedRecords
  readonly error: string | null
  /** Entity and position reached. A run that was cut off resumes there. */
  readonly progress: Readonly<Record<string, unknown>> | null
  /** Instant until which the working process holds the run. */
  readonly held_until: string | null
  /** Token of the process that holds the run. Other processes must not change the run. */
  readonly claim: string | null
}

/** The side schema's sources of a workspace. */
export interface SourceStore {
  /** By id. */
  list(): Promise<readonly StoredSource[]>
  get(id: string): Promise<StoredSource | undefined>
  /** AppError `conflict` if the id is taken. */
  create(source: StoredSource): Promise<void>
  /** The changed source. Undefined if no source has this id. */
  update(id: string, change: SourceChange): Promise<StoredSource | undefined>
  /** Removes a source that has no records. */
  remove(id: string): Promise<void>
  /** The secrets of a source. Null if it has none. */
  secrets(id: string): Promise<SealedText | null>
  /**
   * Runs `work` with the current secrets while no other process can change them, and stores the result before anybody else reads the old
   * secrets. A rotated token must never be lost, so one process refreshes at a time.
   */
  exchangeSecrets(id: string, work: (present: SealedText | null) => Promise<SealedText | null>): Promise<SealedText | null>

  /** The last run of each source. */
  lastRuns(): Promise<ReadonlyMap<string, SyncRun>>
  /**
   * Begins a run. A backfill with the same `since` that was cut off or failed half-way is resumed: it keeps its id, start and counts.
   * Undefined while another process works on a run of the source.
   */
  beginRun(run: Pick<SyncRun, 'source_id' | 'kind' | 'since'>, now: string, holdUntil: string): Promise<SyncRun | undefined>
  /** Stores the progress of a run and extends the hold. False if another process has taken the run over. */
  saveRun(run: Pick<SyncRun, 'id' | 'claim' | 'counts' | 'progress'>, holdUntil: string): Promise<boolean>
  /** Ends a run, unless another process has taken it over. */
  endRun(run: Pick<SyncRun, 'id' | 'claim' | 'counts'>, end: Pick<SyncRun, 'status' | 'error'>, now: string): Promise<void>

  /** Stores a started consent under the digests of its state and of the browser's cookie. Deletes expired consents. */
  saveConsent(consent: PendingConsent, now: string): Promise<void>
  /** Removes and returns a consent, so that nobody can use it again. Undefined if no unexpired consent has this state. */
  takeConsent(state: string, now: string): Promise<PendingConsent | undefined>
}

/** A consent that waits for the browser to come back from the platform. */
interface PendingConsent {
  readonly state: string
  readonly browser: string
  readonly type: string
  readonly expires_at: string
}

/** A platform's message that a record changed. The record itself must be fetched. */
export interface Notification {
  /** Kind of record in the platform's own words (`Bill`). */
  readonly entity: string
  readonly entity_id: string
  /** Operation in the platform's own words (`create`, `delete`). */
  readonly operation: string
}

/** A notification of a source. */
export interface SourceNotification extends Notification {
  readonly source_id: string
}

/** A notification that waits to be processed. Instants are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface InboxEntry extends SourceNotification {
  readonly id: string
  readonly received_at: string
  readonly attempts: number
  readonly next_attempt_at: string | null
  readonly error: string | null
  /** Token of the process that took the entry. Other processes must not finish the entry. Null while the entry waits. */
  readonly claim: string | null
}

/** Result of an attempt. */
export type Outcome =
  | { readonly kind: 'done' }
  /** Try again at an instant. */
  | { readonly kind: 'later'; readonly at: string; readonly error: string }
  /** Tried often enough. The entry becomes a dead letter. */
  | { readonly kind: 'dead'; readonly error: string }
  /** Nothing was tried: the process ends, or the source must be reconnected first. */
  | { readonly kind: 'released' }

/** The queue of notifications of a workspace in the side schema. An entry is never lost: it is done, waits, or is a dead letter. */
export interface Inbox {
  /**
   * Adds notifications. Calls at the same time share a transaction. A notification equal to a waiting entry that nobody has taken adds no
   * entry.
   */
  add(notifications: readonly SourceNotification[], now: string): Promise<void>
  /**
   * Takes up to `limit` due entries of connected sources of these types, for this process alone until `holdUntil`. The entries of a dead
   * process become free then.
   */
  take(types: readonly string[], now: string, holdUntil: string, limit: number): Promise<readonly InboxEntry[]>
  /** Stores the outcome of a taken entry. Does nothing if another process has taken it over. */
  finish(entry: InboxEntry, outcome: Outcome, now: string): Promise<void>
  /** Instant at which the next of these entries is due. Null if none waits. */
  nextDue(types: readonly string[]): Promise<string | null>
  deadLetters(
    sourceId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly total: number; readonly rows: readonly InboxEntry[] }>
  /** Number of entries of each source. */
  counts(): Promise<ReadonlyMap<string, { readonly waiting: number; readonly dead: number }>>
  /** Arrival of the entry that waits longest. Null if none waits. */
  oldestWaiting(): Promise<string | null>
  /** Queues the named dead letters again, or all of them. Returns the number of queued entries. */
  retry(sourceId: string, ids: readonly string[] | 'all', now: string): Promise<number>
  /** False if the source has no dead letter with this id. */
  drop(sourceId: string, id: string): Promise<boolean>
}

/** Tokens and other secrets as the store holds them: sealed, never in clear. */
export type SealedText = string

/** Seals secrets that nobody may read in the store. */
export interface SecretBox {
  /** Seals an object for one place, which `purpose` names. AppError `unsupported_by_connector` with the reason if there is no key. */
  seal(secrets: Readonly<Record<string, unknown>>, purpose: string): Promise<SealedText>
  /** The object sealed for that place. Undefined if the key differs, or the text was sealed for another place. */
  open(sealed: SealedText, purpose: string): Promise<Readonly<Record<string, unknown>> | undefined>
}
