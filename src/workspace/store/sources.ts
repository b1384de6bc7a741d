import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { AppError } from '../../core/errors.ts'
import { isStorable } from '../../core/text.ts'
import type { Workspace } from '../../core/workspace.ts'
import { instantCell, textCell, textOf } from '../../ports/cells.ts'
import { type ChangedRecords, noChanges } from '../../ports/expense-store.ts'
import type { Row } from '../../ports/rows.ts'
import type { SourceChange, SourceStore, StoredSource, SyncRun } from '../../ports/source-store.ts'
import { type Access, changeConcurrently, type Database, table } from './database.ts'
import { exchangeSecrets, secretsOf } from './exchange-secrets.ts'
import { instantForStore, instantFromStore } from './instants.ts'

/** The stored expense sources of one workspace. */
export function createSources(access: Access, { name: workspace }: Workspace): SourceStore {
  const owned = (database: Database, scope?: Knex) => table(database, 'source', scope).where({ workspace })
  const consents = (database: Database, scope?: Knex) => table(database, 'pending_consent', scope)
  return {
    list: () =>
      access.read(async (database) => {
        const rows: Row[] = await owned(database).orderBy('id')
        return rows.map(sourceOf)
      }),
    get: async (id) =>
      isStorable(id) ? access.read(async (database) => firstOf(await owned(database).where({ id }))) : undefined,
    create: ({ id, type, created_at, ...source }) =>
      changeConcurrently(access, async (database, transaction) => {
        const taken: Row[] = await owned(database, transaction).where({ id }).select('id').forUpdate()
        if (taken.length > 0) throw new AppError('conflict', `A source "${id}" already exists.`)
        const row = { workspace, id, type, created_at: instantForStore(created_at), ...sourceRow(source) }
        await table(database, 'source', transaction).insert(row)
      }),
    update: (id, change) =>
      changeConcurrently(access, async (database, transaction) => {
        const row = sourceRow(change)
        if (Object.keys(row).length > 0) await owned(database, transaction).where({ id }).update(row)
        return firstOf(await owned(database, transaction).where({ id }))
      }),
    remove: (id) => access.writeConcurrently(async (database) => void (await owned(database).where({ id }).delete())),
    secrets: (id) => access.read((database) => secretsOf(owned(database).where({ id }))),
    exchangeSecrets: (id, work) => exchangeSecrets(access, workspace, id, work),
    ...createRuns(access, workspace),
    saveConsent: ({ expires_at, ...consent }, now) =>
      changeConcurrently(access, async (database, transaction) => {
        // Removes expired consents, most of which were started by accident.
        await consents(database, transaction).where({ workspace }).andWhere('expires_at', '<=', instantForStore(now)).delete()
        const row = { workspace, ...consent, expires_at: instantForStore(expires_at) }
        await consents(database, transaction).insert(row)
      }),
    takeConsent: (state, now) =>
      changeConcurrently(access, async (database, transaction) => {
        const [row]: Row[] = await consents(database, transaction).where({ workspace, state }).forUpdate()
        await consents(database, transaction).where({ workspace, state }).delete()
        if (row === undefined) return undefined
        const expires_at = instantFromStore(textOf(row, 'expires_at'))
        const consent = { state, browser: textOf(row, 'browser'), type: textOf(row, 'type'), expires_at }
        return expires_at <= now ? undefined : consent
      }),
  }
}

function firstOf(rows: readonly Row[]) {
  const [row] = rows
  return row === undefined ? undefined : sourceOf(row)
}

/** Most runs to keep of each source. */
const KEPT = 20
/** Time during which a failed backfill can be resumed. Changes made meanwhile are read after it. */
const RESUMABLE_MS = 7 * 86_400_000

type Runs = Pick<SourceStore, 'lastRuns' | 'beginRun' | 'saveRun' | 'endRun'>

/** The runs of the sources of a workspace. */
function createRuns(access: Access, workspace: string): Runs {
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
      changeConcurrently(access, async (database, transaction) => {
        const { source_id } = wanted
        // The lock makes processes take turns if they begin runs of the same source.
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
    saveRun: ({ counts, progress, ...run }, holdUntil) =>
      access.writeConcurrently(async (database) => {
        const saved = { counts: JSON.stringify(counts), progress: progress === null ? null : JSON.stringify(progress) }
        return (await held(database, run).update({ ...saved, held_until: instantForStore(holdUntil) })) > 0
      }),
    endRun: ({ counts, ...run }, { status, error }, now) =>
      access.writeConcurrently(async (database) => {
        const ended = { counts: JSON.stringify(counts), status, error, finished_at: instantOrNull(now), held_until: null }
        await held(database, run).update(ended)
      }),
  }
}

function isResumed(last: SyncRun, wanted: Pick<SyncRun, 'kind' | 'since'>, now: string): boolean {
  if (last.kind !== wanted.kind || last.since !== wanted.since || last.status === 'succeeded') return false
  return last.status === 'running' || (last.progress !== null && Date.parse(now) - Date.parse(last.started_at) < RESUMABLE_MS)
}

type Document = Readonly<Record<string, unknown>>

function sourceOf(row: Row): StoredSource {
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

/** The columns of a source, or of a change to it. */
function sourceRow({ config, cursor, last_synced_at, ...fields }: SourceChange): Record<string, unknown> {
  return {
    ...fields,
    ...(config === undefined ? {} : { config: JSON.stringify(config) }),
    ...(cursor === undefined ? {} : { read_to: cursor }),
    ...(last_synced_at === undefined ? {} : { last_synced_at: instantOrNull(last_synced_at) }),
  }
}

function runOf(row: Row): SyncRun {
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

function runRow({ counts, progress, started_at, finished_at, held_until, ...fields }: SyncRun): Record<string, unknown> {
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
