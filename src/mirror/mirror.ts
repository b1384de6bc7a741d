import { performance } from 'node:perf_hooks'
import type { CacheFeed } from '../connector-kit/cache-feed.ts'
import type { CacheDatabase } from '../ports/cache-database.ts'
import type { CacheFacts, ChangeMark } from '../ports/read-through.ts'
import type { ConnectorSession } from '../ports/session.ts'
import { withReplicaLag } from '../ports/snapshot.ts'
import { type Answers, createAnswers } from './answers.ts'
import { covers, isSameSession, newMark } from './change-mark.ts'
import { type Beat, observed, whileAlive } from './liveness.ts'
import { fillTables, type MirrorTables } from './mirror-tables.ts'
import type { Patience, ReadThroughOptions } from './options.ts'

/** A filled mirror. It answers until a newer one replaces it or it is dropped. */
export interface Mirror {
  readonly feed: CacheFeed
  readonly tables: MirrorTables
  readonly accounts: number
  /** The second at which it was filled, by a clock that only runs forward. */
  readonly seconds: number
  /** Stored answers over the current tables. Each change of the tables begins with new ones. */
  answers: Answers
  /** The mark of the last refresh and its session. Undefined before the first refresh. */
  marked: { readonly mark: ChangeMark; readonly session: ConnectorSession } | undefined
  /** Number of accounts replaced since the filling. Their deleted rows take up room until the next filling. */
  replaced: number
  /** Instant of the replica's snapshot to which the tables were last brought up. */
  snapshot_at: string
}

export interface FillingOptions extends Pick<ReadThroughOptions, 'ownExecutor' | 'createFeed' | 'openDatabase' | 'request'> {
  readonly patience: Patience
  /** Called with the number of accounts that have been read. */
  readonly onPage: (accounts: number) => void
  readonly onFailure: (error: unknown) => void
}

/** Fills a new database from one snapshot of the replica. An abandoned filling leaves nothing behind. */
export async function fillMirror(options: FillingOptions, signal: AbortSignal): Promise<Mirror> {
  const givenUp = new AbortController()
  const opened: CacheDatabase[] = []
  const close = (database: CacheDatabase) => database.close().catch(options.onFailure)
  const open = async () => {
    const database = await options.openDatabase()
    if (givenUp.signal.aborted) void close(database)
    opened.push(database)
    givenUp.signal.throwIfAborted()
    return database
  }
  const watch = { what: 'the filling of the cache', limitMs: options.patience.silenceMs, signal }
  try {
    return await whileAlive(watch, (beat) => fillIn(options, open, beat, givenUp.signal))
  } catch (error) {
    givenUp.abort(error)
    for (const database of opened) void close(database)
    throw error
  }
}

async function fillIn(
  { ownExecutor, createFeed, request, onPage }: FillingOptions,
  open: () => Promise<CacheDatabase>,
  beat: Beat,
  signal: AbortSignal,
): Promise<Mirror> {
  // Feed and database are created inside the snapshot. A snapshot that cannot be opened leaves nothing behind, and a snapshot that the
  // executor opens a second time starts with empty ones.
  return ownExecutor.withSnapshot(
    async (real) => {
      const snapshot = observed(real, { received: () => beat() })
      const feed = createFeed()
      const database = await open()
      const feedRequest = request()
      let accounts = 0
      const tables = await fillTables(database, feed.relations, feed.fill(snapshot, feedRequest), (count) => {
        accounts = count
        beat()
        signal.throwIfAborted()
        onPage(accounts)
      })
      const snapshot_at = feedRequest.now.toISOString()
      return {
        feed,
        tables,
        accounts,
        seconds: secondsNow(),
        answers: createAnswers(),
        marked: undefined,
        replaced: 0,
        snapshot_at,
      }
    },
    { signal },
  )
}

/** The present second by a clock that only runs forward. */
export function secondsNow(): number {
  return performance.now() / 1000
}

/** If more accounts than this have changed, the mirror is filled again. */
const MOST_UPDATED = 50_000

/** The part of a reading that comes from the refresh. */
export type Refreshed = CacheFacts

type RefreshOptions = Pick<ReadThroughOptions, 'ownExecutor' | 'request'> & { readonly patience: Patience }

/**
 * Brings the tables up to a new snapshot of the replica and to the present instant of the clock, not to the instants of the
 * requests. Resolves to null if only a new filling can be right. An abandoned refresh may still write, so its mirror must not be
 * used any more.
 */
export async function refreshMirror(mirror: Mirror, options: RefreshOptions, signal: AbortSignal): Promise<Refreshed | null> {
  const givenUp = new AbortController()
  const watch = { what: 'the refresh of the cache', limitMs: options.patience.silenceMs, signal }
  try {
    return await whileAlive(watch, (beat) => update(mirror, options, beat, givenUp.signal))
  } catch (error) {
    givenUp.abort(error)
    throw error
  }
}

function update(mirror: Mirror, { ownExecutor, request }: RefreshOptions, beat: Beat, signal: AbortSignal) {
  return withReplicaLag(
    ownExecutor,
    async (real, replicaLag) => {
      const snapshot = observed(real, { received: () => beat() })
      const feedRequest = request()
      const due = await mirror.tables.due(feedRequest.now)
      beat()
      const changes = await mirror.feed.changes(snapshot, { ...feedRequest, due })
      if (!changes.canUpdate || changes.accounts.length > MOST_UPDATED) return null
      if (changes.accounts.length > 0) {
        await mirror.tables.replace(changes.accounts, changes.pages(changes.accounts), beat)
        mirror.replaced += changes.accounts.length
        mirror.answers = createAnswers()
      }
      const { session } = changes
      const before = mirror.marked
      const isUnchanged =
        before !== undefined &&
        changes.accounts.length === 0 &&
        covers(before.mark, feedRequest.now) &&
        (await isSameSession(before.session, session, feedRequest.definitions))
      const mark = isUnchanged ? before.mark : newMark(feedRequest.now, await mirror.tables.nextInstant(feedRequest.now))
      mirror.marked = { mark, session }
      changes.accept()
      mirror.snapshot_at = feedRequest.now.toISOString()
      return { session, replicaLag, mark }
    },
    { signal },
  )
}
