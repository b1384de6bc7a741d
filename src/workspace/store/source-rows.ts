import { instantCell, textCell, textOf } from '../../ports/cells.ts'
import type { ChangedRecords } from '../../ports/expense-store.ts'
import type { Row } from '../../ports/rows.ts'
import type { SourceChange, StoredSource, SyncRun } from '../../ports/source-store.ts'
import { instantForStore, instantFromStore } from './instants.ts'

type Document = Readonly<Record<string, unknown>>

export function sourceOf(row: Row): StoredSource {
  return {
    id: textOf(row, 'id'),
    type: textOf(row, 'type'),
    name: textOf(row, 'name'),
    config: JSON.parse(textOf(row, 'config')) as Document,
    status: textOf(row, 'status') as StoredSource['status'],
    created_at: instantFromStore(textOf(row, 'created_at')),
    last_synced_at: instantCell(row, 'last_synced_at'),
    cursor: textCell(row, 'read_to'),
  }
}

/** The columns of a source, or of what changes of it. */
export function sourceRow({ config, cursor, last_synced_at, ...fields }: SourceChange): Record<string, unknown> {
  return {
    ...fields,
    ...(config === undefined ? {} : { config: JSON.stringify(config) }),
    ...(cursor === undefined ? {} : { read_to: cursor }),
    ...(last_synced_at === undefined ? {} : { last_synced_at: instantOrNull(last_synced_at) }),
  }
}

export function runOf(row: Row): SyncRun {
  const progress = textCell(row, 'progress')
  return {
    id: textOf(row, 'id'),
    source_id: textOf(row, 'source_id'),
    kind: textOf(row, 'kind') as SyncRun['kind'],
    since: textCell(row, 'since'),
    status: textOf(row, 'status') as SyncRun['status'],
    started_at: instantFromStore(textOf(row, 'started_at')),
    finished_at: instantCell(row, 'finished_at'),
    counts: JSON.parse(textOf(row, 'counts')) as ChangedRecords,
    error: textCell(row, 'error'),
    progress: progress === null ? null : (JSON.parse(progress) as Document),
    held_until: instantCell(row, 'held_until'),
    claim: textCell(row, 'claim'),
  }
}

export function runRow({ counts, progress, started_at, finished_at, held_until, ...fields }: SyncRun): Record<string, unknown> {
  return {
    ...fields,
    counts: JSON.stringify(counts),
    progress: progress === null ? null : JSON.stringify(progress),
    started_at: instantForStore(started_at),
    finished_at: instantOrNull(finished_at),
    held_until: instantOrNull(held_until),
  }
}

export function instantOrNull(instant: string | null): string | null {
  return instant === null ? null : instantForStore(instant)
}
