import type { ChangedRecords } from './expense-store.ts'

/** A connection to an accounting platform, or a series of imported files. Instants are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface StoredSource {
  readonly id: string
  /** Name of the platform (`quickbooks`) or `csv`. */
  readonly type: string
  readonly name: string
  /** What is no secret: realm, environment. */
  readonly config: Readonly<Record<string, unknown>>
  readonly status: 'connected' | 'needs_reconnect' | 'disconnected'
  readonly created_at: string
  readonly last_synced_at: string | null
  /** Where changes were last read to, in the platform's own terms. */
  readonly cursor: string | null
}

export type SourceChange = Partial<Pick<StoredSource, 'name' | 'config' | 'status' | 'last_synced_at' | 'cursor'>>

export interface SyncRun {
  readonly id: string
  readonly source_id: string
  /** Everything, or what has changed since the cursor. */
  readonly kind: 'backfill' | 'changes'
  /** Day that a backfill is restricted to; null reads all. */
  readonly since: string | null
  readonly status: 'running' | 'succeeded' | 'failed'
  readonly started_at: string
  readonly finished_at: string | null
  readonly counts: ChangedRecords
  readonly error: string | null
  /** Where it stands: entity and position; a run that was cut off goes on from there. */
  readonly progress: Readonly<Record<string, unknown>> | null
  /** Until when the process that works on it holds it. */
  readonly held_until: string | null
  /** Which taking it is: nobody else may change it. */
  readonly claim: string | null
}

/** The side schema's sources of a workspace. */
export interface SourceStore {
  /** By id. */
  list(): Promise<readonly StoredSource[]>
  get(id: string): Promise<StoredSource | undefined>
  /** AppError `conflict` when the id is taken. */
  create(source: StoredSource): Promise<void>
  /** The source afterwards; undefined when there is none. */
  update(id: string, change: SourceChange): Promise<StoredSource | undefined>
  /** Removes a source that has no books. */
  remove(id: string): Promise<void>
  /** The secrets of a source; null when it has none. */
  secrets(id: string): Promise<SealedText | null>
  /**
   * Runs `work` with the present secrets while no other process can change them, and keeps what it returns before anybody else sees the
   * old ones: a rotated token must never be lost (one refresher at a time).
   */
  exchangeSecrets(id: string, work: (present: SealedText | null) => Promise<SealedText | null>): Promise<SealedText | null>

  /** The last run of each source. */
  lastRuns(): Promise<ReadonlyMap<string, SyncRun>>
  /**
   * Begins a run. A backfill of the same `since` that was cut off or has failed half-way is taken over with its id, its beginning and what it
   * has done. Undefined while another process works on a run of the source.
   */
  beginRun(run: Pick<SyncRun, 'source_id' | 'kind' | 'since'>, now: string, holdUntil: string): Promise<SyncRun | undefined>
  /** Keeps where a run stands and holds it for longer; false when another process has taken it over. */
  saveRun(run: Pick<SyncRun, 'id' | 'claim' | 'counts' | 'progress'>, holdUntil: string): Promise<boolean>
  /** Ends a run, unless another process has taken it over. */
  endRun(run: Pick<SyncRun, 'id' | 'claim' | 'counts'>, end: Pick<SyncRun, 'status' | 'error'>, now: string): Promise<void>

  /** Keeps that a consent was begun, by the digests of its state and of the browser's cookie; drops those that have expired. */
  saveConsent(consent: PendingConsent, now: string): Promise<void>
  /** Takes a consent out, so that nobody can use it again; undefined when there is none that has not expired. */
  takeConsent(state: string, now: string): Promise<PendingConsent | undefined>
}

/** A consent that a browser was sent away for. */
interface PendingConsent {
  readonly state: string
  readonly browser: string
  readonly type: string
  readonly expires_at: string
}

/** That something changed on a platform; what it is now has to be fetched. */
export interface Notification {
  /** Kind of record in the platform's own words (`Bill`). */
  readonly entity: string
  readonly entity_id: string
  /** What happened in the platform's own words (`create`, `delete`). */
  readonly operation: string
}

/** A notification of a source. */
export interface SourceNotification extends Notification {
  readonly source_id: string
}

/** A notification that waits to be worked off. Instants are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface InboxEntry extends SourceNotification {
  readonly id: string
  readonly received_at: string
  readonly attempts: number
  readonly next_attempt_at: string | null
  readonly error: string | null
  /** Which taking it is: nobody else may finish it. Null while it waits. */
  readonly claim: string | null
}

/** What came of an attempt. */
export type Outcome =
  | { readonly kind: 'done' }
  /** To be tried again at an instant. */
  | { readonly kind: 'later'; readonly at: string; readonly error: string }
  /** Tried often enough: kept as a dead letter. */
  | { readonly kind: 'dead'; readonly error: string }
  /** Nothing was tried: the process ends, or the source has to be reconnected first. */
  | { readonly kind: 'released' }

/** The side schema's queue of notifications of a workspace. What was added is never lost: it is done, waits, or is a dead letter. */
export interface Inbox {
  /** Adds notifications in one transaction, with those of others who add at the time. Equal ones that still wait untouched are one entry. */
  add(notifications: readonly SourceNotification[], now: string): Promise<void>
  /**
   * Takes up to `limit` entries that are due, of connected sources of the types, for this process alone until `holdUntil`; those of a dead
   * process come free then.
   */
  take(types: readonly string[], now: string, holdUntil: string, limit: number): Promise<readonly InboxEntry[]>
  /** Settles what was taken; nothing happens when another process has taken it over. */
  finish(entry: InboxEntry, outcome: Outcome, now: string): Promise<void>
  /** When the next of these entries is due; null when none waits. */
  nextDue(types: readonly string[]): Promise<string | null>
  deadLetters(
    sourceId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly total: number; readonly rows: readonly InboxEntry[] }>
  /** How many entries each source has. */
  counts(): Promise<ReadonlyMap<string, { readonly waiting: number; readonly dead: number }>>
  /** When the entry came that waits longest; null when none waits. */
  oldestWaiting(): Promise<string | null>
  /** Lets dead letters be tried again, the named or all; returns how many. */
  retry(sourceId: string, ids: readonly string[] | 'all', now: string): Promise<number>
  /** False when there was none. */
  drop(sourceId: string, id: string): Promise<boolean>
}

/** Tokens and the like as the store keeps them: sealed, never in clear. */
export type SealedText = string

/** Seals what nobody may read in the store. */
export interface SecretBox {
  /** Seals an object for one place, which `purpose` names. AppError `unsupported_by_connector` with the reason where there is no key. */
  seal(secrets: Readonly<Record<string, unknown>>, purpose: string): Promise<SealedText>
  /** What was sealed for that place; undefined where the key is another one, or the text was sealed for another place. */
  open(sealed: SealedText, purpose: string): Promise<Readonly<Record<string, unknown>> | undefined>
}
