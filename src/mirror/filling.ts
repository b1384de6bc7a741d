import { performance } from 'node:perf_hooks'
import type { CacheFeed } from '../connector-kit/cache-feed.ts'
import type { CacheDatabase } from '../ports/cache-database.ts'
import { type Answers, createAnswers } from './answers.ts'
import { fillGeneration, type Generation } from './generation.ts'
import { type Beat, whileAlive } from './liveness.ts'
import { observed } from './observed.ts'
import type { Patience, ReadThroughOptions } from './options.ts'

/** A filling that has succeeded: it answers until a newer one takes its place or it is dropped. */
export interface Filled {
  readonly feed: CacheFeed
  readonly generation: Generation
  readonly accounts: number
  /** The second at which it was filled, by a clock that only runs forward. */
  readonly seconds: number
  /** Answers over the tables as they are; each change of the tables begins with new ones. */
  answers: Answers
  /** How many accounts have been replaced since; their deleted rows take up room until the next filling. */
  replaced: number
  /** Instant of the replica's snapshot to which the tables were last brought up. */
  snapshot_at: string
}

export interface FillingOptions extends Pick<ReadThroughOptions, 'ownExecutor' | 'createFeed' | 'openDatabase' | 'request'> {
  readonly patience: Patience
  /** Hears how many accounts have been read. */
  readonly onPage: (accounts: number) => void
  readonly onFailure: (error: unknown) => void
}

/** Fills a new database from one snapshot of the replica. A filling that is given up leaves nothing behind. */
export async function fillOnce(options: FillingOptions, signal: AbortSignal): Promise<Filled> {
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
): Promise<Filled> {
  // Feed and database are made inside the snapshot, so that a snapshot that cannot be opened leaves nothing behind, and one that the
  // executor opens a second time starts with empty ones.
  return ownExecutor.withSnapshot(
    async (real) => {
      const snapshot = observed(real, { came: () => beat() })
      const feed = createFeed()
      const database = await open()
      const wanted = request()
      let accounts = 0
      const generation = await fillGeneration(database, feed.relations, feed.fill(snapshot, wanted), (count) => {
        accounts = count
        beat()
        signal.throwIfAborted()
        onPage(accounts)
      })
      const snapshot_at = wanted.now.toISOString()
      return { feed, generation, accounts, seconds: secondsNow(), answers: createAnswers(), replaced: 0, snapshot_at }
    },
    { signal },
  )
}

/** The present second by a clock that only runs forward. */
export function secondsNow(): number {
  return performance.now() / 1000
}
