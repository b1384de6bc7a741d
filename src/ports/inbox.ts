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
  /** Which taking it is: nobody else may settle it. Null while it waits. */
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
  settle(entry: InboxEntry, outcome: Outcome, now: string): Promise<void>
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
