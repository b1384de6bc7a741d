import { AppError } from '../../../core/errors.ts'
import { type DeletedRecord, DOCUMENT_KINDS } from '../../../core/expense.ts'
import type { ExpenseConnector } from '../../../ports/accounting.ts'
import { type ChangedRecords, COUNTED_KINDS, type ExpenseStore } from '../../../ports/expense-store.ts'
import type { StoredSource, SyncRun } from '../../../ports/source-store.ts'
import type { Connectors } from './connectors.ts'
import { failureText, instantIn, type SourceStores } from './deps.ts'

/** Time from the last save of a run until another process may resume it, in case its process has died. */
export const HOLD_MS = 120_000
const HEARTBEAT_MS = 30_000
/** Each run reads the changes of this time again, because clocks differ and platforms list changes with a delay. */
const OVERLAP_MS = 600_000

/** Called with the number of records that a run has written so far. */
export type OnProgress = (counts: ChangedRecords) => void

/** The end of a run. `isIncomplete`: the platform could not list all changes, so the source needs a backfill. */
export interface RunEnd {
  readonly status: 'succeeded' | 'failed' | 'stopped'
  readonly counts: ChangedRecords
  readonly isIncomplete: boolean
  /** The error that was thrown. */
  readonly failure?: unknown
}

/**
 * Executes a run until it ends. If `stopping` fires or the process dies, another process can resume it. If the platform fails,
 * the promise does not reject, but the failure is stored.
 */
export async function executeRun(
  stores: SourceStores,
  connectors: Connectors,
  source: StoredSource,
  run: SyncRun,
  stopping: AbortSignal,
  onProgress: OnProgress = () => {},
): Promise<RunEnd> {
  const lost = new AbortController()
  const signal = AbortSignal.any([stopping, lost.signal])
  let current = run
  const save = async (): Promise<void> => {
    if (!(await stores.sources.saveRun(current, instantIn(HOLD_MS)))) lost.abort(overtaken())
  }
  const write = async (records: Parameters<SourceStores['expenses']['put']>[1]): Promise<void> => {
    signal.throwIfAborted()
    const changed = records.length === 0 ? undefined : await stores.expenses.put(source.id, records)
    if (changed !== undefined) current = { ...current, counts: sum(current.counts, changed) }
  }
  const backfill = async (connector: ExpenseConnector): Promise<boolean> => {
    const since = run.since === null ? {} : { since: run.since }
    for await (const page of connector.backfill({ ...since, progress: run.progress, signal })) {
      await write(page.records)
      current = { ...current, progress: page.progress }
      await save()
      onProgress(current.counts)
    }
    // A source that is read for the first time has no deleted documents to find.
    if (source.cursor !== null || run.progress !== null) {
      await findDeletedDocuments(stores.expenses, source.id, connector, signal, async (gone) => {
        await write(gone)
        await save()
        onProgress(current.counts)
      })
    }
    // Changes made during the backfill may be on pages that were already read.
    return changes(connector, run.started_at)
  }
  const changes = async (connector: ExpenseConnector, since: string): Promise<boolean> => {
    const from = new Date(Date.parse(since) - OVERLAP_MS).toISOString()
    const { records, isComplete } = await connector.changesSince(from, signal)
    await write(records)
    return isComplete
  }
  const work = (connector: ExpenseConnector): Promise<boolean> =>
    run.kind === 'backfill' ? backfill(connector) : changes(connector, source.cursor ?? source.created_at)

  const heartbeat = setInterval(() => void save().catch(() => undefined), HEARTBEAT_MS)
  try {
    const isComplete = await connectors.withConnector(stores, source, work)
    signal.throwIfAborted()
    // All changes before the start of the run have been read, even if several processes worked on it.
    const readTo = { cursor: run.started_at, last_synced_at: run.started_at }
    if (isComplete) await stores.sources.update(source.id, readTo)
    clearInterval(heartbeat)
    await stores.sources.endRun(current, { status: 'succeeded', error: null }, instantIn(0))
    return { status: 'succeeded', counts: current.counts, isIncomplete: !isComplete }
  } catch (failure) {
    clearInterval(heartbeat)
    const end = { counts: current.counts, isIncomplete: false, failure }
    if (signal.aborted) {
      await stores.sources.saveRun(current, instantIn(0))
      return { status: 'stopped', ...end }
    }
    await stores.sources.endRun(current, { status: 'failed', error: failureText(failure) }, instantIn(0))
    return { status: 'failed', ...end }
  } finally {
    clearInterval(heartbeat)
  }
}

function sum(counts: ChangedRecords, changed: ChangedRecords): ChangedRecords {
  return Object.fromEntries(COUNTED_KINDS.map((kind) => [kind, counts[kind] + changed[kind]])) as ChangedRecords
}

function overtaken(): AppError {
  return new AppError('conflict', 'Another process has taken the run over.')
}

const IDS_AT_ONCE = 1_500

/**
 * Finds documents of a source that no longer exist on the platform, and reports them as deleted. A backfill lists only existing
 * documents, and platforms list deletions only for some time. A second search does no harm.
 */
async function findDeletedDocuments(
  expenses: Pick<ExpenseStore, 'documentIds'>,
  sourceId: string,
  connector: Pick<ExpenseConnector, 'missing'>,
  signal: AbortSignal,
  report: (gone: readonly DeletedRecord[]) => Promise<void>,
): Promise<void> {
  for (const kind of DOCUMENT_KINDS) {
    let after = ''
    for (;;) {
      const ids = await expenses.documentIds(sourceId, kind, after, IDS_AT_ONCE)
      const last = ids.at(-1)
      if (last === undefined) break
      await report(await connector.missing(kind, ids, signal))
      after = last
    }
  }
}
