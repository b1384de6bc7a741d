import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { noChanges } from '../../ports/expense-store.ts'
import type { Row } from '../../ports/rows.ts'
import type { SourceStore, SyncRun } from '../../ports/source-store.ts'
import { type Access, changeBeside, type Database, table } from './database.ts'
import { instantForStore } from './instants.ts'
import { instantOrNull, runOf, runRow } from './source-rows.ts'

/** Runs that are kept of each source. */
const KEPT = 20
/** How long a backfill that has failed half-way can be taken up again: what changed meanwhile is read after it. */
const RESUMABLE_MS = 7 * 86_400_000

type Runs = Pick<SourceStore, 'lastRuns' | 'beginRun' | 'keepRun' | 'endRun'>

/** The runs of the sources of a workspace. */
export function createRuns(access: Access, workspace: string): Runs {
  const owned = (database: Database, scope?: Knex) => table(database, 'sync_run', scope).where({ workspace })
  const held = (database: Database, { id, claim }: Pick<SyncRun, 'id' | 'claim'>) =>
    owned(database).where({ id, claim, status: 'running' })
  return {
    lastRuns: () =>
      access.read(async (database) => {
        const rows: Row[] = await owned(database).orderBy(['started_at', 'id'])
        return new Map(rows.map(runOf).map((run) => [run.source_id, run]))
      }),
    beginRun: (wanted, now, holdUntil) =>
      changeBeside(access, async (database, transaction) => {
        const { source_id } = wanted
        // Whoever begins a run of the source waits here for the others who do.
        await table(database, 'source', transaction).where({ workspace, id: source_id }).select('id').forUpdate()
        const rows: Row[] = await owned(database, transaction).where({ source_id }).orderBy(['started_at', 'id'])
        const runs = rows.map(runOf)
        const last = runs.at(-1)
        if (last?.status === 'running' && last.held_until !== null && last.held_until > now) return undefined
        const claim = randomUUID()
        const hold = { status: 'running' as const, claim, held_until: holdUntil, finished_at: null, error: null }
        if (last !== undefined && isResumed(last, wanted, now)) {
          const resumed = { ...last, ...hold }
          await owned(database, transaction).where({ id: last.id }).update(runRow(resumed))
          return resumed
        }
        if (last?.status === 'running') {
          const cutOff = {
            status: 'failed',
            finished_at: instantForStore(now),
            error: 'The process that worked on it has ended.',
          }
          await owned(database, transaction).where({ id: last.id }).update(cutOff)
        }
        const outdated = runs.slice(0, -KEPT).map(({ id }) => id)
        if (outdated.length > 0) await owned(database, transaction).whereIn('id', outdated).delete()
        const run: SyncRun = { ...wanted, ...hold, id: randomUUID(), started_at: now, counts: noChanges(), progress: null }
        await table(database, 'sync_run', transaction).insert({ workspace, ...runRow(run) })
        return run
      }),
    keepRun: ({ counts, progress, ...run }, holdUntil) =>
      access.writeBeside(async (database) => {
        const kept = { counts: JSON.stringify(counts), progress: progress === null ? null : JSON.stringify(progress) }
        return (await held(database, run).update({ ...kept, held_until: instantForStore(holdUntil) })) > 0
      }),
    endRun: ({ counts, ...run }, { status, error }, now) =>
      access.writeBeside(async (database) => {
        const ended = { counts: JSON.stringify(counts), status, error, finished_at: instantOrNull(now), held_until: null }
        await held(database, run).update(ended)
      }),
  }
}

function isResumed(last: SyncRun, wanted: Pick<SyncRun, 'kind' | 'since'>, now: string): boolean {
  if (last.kind !== wanted.kind || last.since !== wanted.since || last.status === 'succeeded') return false
  return last.status === 'running' || (last.progress !== null && Date.parse(now) - Date.parse(last.started_at) < RESUMABLE_MS)
}
