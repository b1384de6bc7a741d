import { FILE_BOOKS } from '../../../core/expense.ts'
import type { ChangedRecords } from '../../../ports/expense-store.ts'
import type { SourceRow } from '../../../ports/session.ts'
import type { InboxEntry, StoredSource, SyncRun } from '../../../ports/source-store.ts'

/** A run in an answer (http-api.md 8). */
export interface RunAnswer extends Pick<SyncRun, 'id' | 'kind' | 'status' | 'started_at' | 'finished_at' | 'error'> {
  readonly counts: Omit<ChangedRecords, 'expense'> & { readonly purchase: number }
}

/** A source in an answer, without secrets (http-api.md 8). */
export interface Source {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly kind: 'database' | 'accounting' | 'file'
  readonly status: StoredSource['status']
  readonly config: Readonly<Record<string, unknown>>
  /** Null for a database, because databases are not created through this resource. */
  readonly created_at: string | null
  readonly last_synced_at: string | null
  readonly last_run: RunAnswer | null
  /** Number of waiting notifications. */
  readonly waiting: number
  readonly dead_letters: number
  /** Names of the metrics and lists that a database cannot supply. Empty for other sources. */
  readonly unsupported: readonly string[]
}

/** A notification that was given up after its last attempt. */
type DeadLetter = Pick<InboxEntry, 'id' | 'entity' | 'entity_id' | 'operation' | 'received_at' | 'attempts' | 'error'>

export interface DeadLetterPage {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly rows: readonly DeadLetter[]
}

export function databaseSource(
  type: string,
  { source_id: id, name }: Pick<SourceRow, 'source_id' | 'name'>,
  unsupported: readonly string[],
): Source {
  const never = { created_at: null, last_synced_at: null, last_run: null, waiting: 0, dead_letters: 0 }
  return { id, type, name, kind: 'database', status: 'connected', config: {}, ...never, unsupported }
}

/** Whether the source consists of imported files and has no connection. */
export function isFileSource({ type }: Pick<StoredSource, 'type'>): boolean {
  return type === FILE_BOOKS
}

export function storedSource(
  { cursor: _, ...source }: StoredSource,
  run: SyncRun | undefined,
  entries: { readonly waiting: number; readonly dead: number } = { waiting: 0, dead: 0 },
): Source {
  const kind = isFileSource(source) ? 'file' : 'accounting'
  const last_run = run === undefined ? null : runAnswer(run)
  return { ...source, kind, last_run, waiting: entries.waiting, dead_letters: entries.dead, unsupported: [] }
}

export function runAnswer({ id, kind, status, started_at, finished_at, counts, error }: SyncRun): RunAnswer {
  const { expense: purchase, ...others } = counts
  return { id, kind, status, started_at, finished_at, counts: { ...others, purchase }, error }
}

export function deadLetter({ id, entity, entity_id, operation, received_at, attempts, error }: InboxEntry): DeadLetter {
  return { id, entity, entity_id, operation, received_at, attempts, error }
}
