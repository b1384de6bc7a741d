import { currentCaller } from '../../core/caller.ts'
import { AppError } from '../../core/errors.ts'
import type { Gate } from '../../core/gate.ts'
import { type CacheFacts, type CacheReading, type FeedRequest, isWithin } from '../../ports/read-through.ts'
import type { Reason } from './health.ts'
import { type Beat, Overdue, observed, whileAlive } from './liveness.ts'
import type { Mirror, Refreshed } from './mirror.ts'
import type { Patience } from './options.ts'

/** A request that waits for a round (read-through.ts) to bring the mirror up to date. */
export interface WaitingRequest {
  /** True when the caller has left or has been answered. */
  isOver(): boolean
  /** The instant that the answer is about. A round calls this once, before it opens the snapshot to which it brings the mirror. */
  instant(): Date
  /** Begins to read the tables. Resolves when the reader's snapshot has begun, or when no caller waits for the request any longer. */
  begin(mirror: Mirror, refreshed: Refreshed, now: Date): Promise<void>
  /** Leaves the request to the replica. */
  decline(reason: Reason): void
}

/** The outcome of a request: the value of its work, or the reason why the replica has to answer it. */
export type Outcome<T> = { readonly value: T } | { readonly declined: Reason }

export interface WaitingOptions {
  readonly patience: Patience
  /** The turns of the requests that read the tables. */
  readonly turns: Gate
  /** Puts the request into the next round. */
  readonly join: (waiting: WaitingRequest) => void
  /** True as long as the mirror has not been dropped. */
  readonly holds: (mirror: Mirror) => boolean
  /** Called with the text of each statement that has succeeded. */
  readonly onSuccess: (text: string) => void
  /** Called when the mirror's database has failed. */
  readonly onDatabaseFailure: (mirror: Mirror, failure: DatabaseFailure) => void
  /** Called when a request has waited too long: for its reading of `mirror`, or for its round if `mirror` is undefined. */
  readonly onLate: (error: Overdue, mirror: Mirror | undefined) => void
  /** Called with faults that are not the database's. */
  readonly onFailure: (error: unknown) => void
}

/** A request to the cache. `recall` may answer it without a reader. */
interface Asked<T> {
  readonly request: () => FeedRequest
  readonly work: (reading: CacheReading) => Promise<T>
  readonly signal: AbortSignal | undefined
  readonly recall: ((facts: CacheFacts) => { readonly value: T } | undefined) | undefined
}

/**
 * Takes a request through a round to its answer. A request that has to read the tables needs a turn. If none is free, it leaves
 * the round, waits for its turn and joins another round. No round therefore waits for the requests of a busy caller. The caller is released when the signal fires or when the request has been silent for too
 * long. The round and the reader that the request held are then released too.
 */
export async function answerInRound<T>(
  { request, work, signal, recall }: Asked<T>,
  options: WaitingOptions,
): Promise<Outcome<T>> {
  const { patience, onSuccess, turns } = options
  const over = new AbortController()
  const caller = currentCaller()
  let release = () => {}
  /** Gives the turn back. Undefined: the request has none. */
  let leave: (() => void) | undefined
  let started: { readonly mirror: Mirror; readonly reading: Reading<T> } | undefined

  const start = (beat: Beat) =>
    new Promise<Outcome<T>>((resolve, reject) => {
      const decline = (reason: Reason) => resolve({ declined: reason })
      const awaitTurn = async () => {
        const granted = await turns.enter(over.signal, caller)
        if (over.signal.aborted) return granted()
        leave = granted
        beat()
        options.join(waiting)
      }
      const waiting: WaitingRequest = {
        isOver: () => over.signal.aborted,
        decline,
        instant: () => request().now,
        async begin(mirror, refreshed, now) {
          if (over.signal.aborted) return
          if (!isWithin(mirror.tables.validity, now)) return decline('now_out_of_range')
          try {
            const known = recall?.(refreshed)
            if (known !== undefined) return resolve(known)
          } catch (error) {
            return reject(error)
          }
          leave ??= turns.enterNow(caller)
          if (leave === undefined) return void awaitTurn().catch(reject)
          const begun = new Promise<void>((resolveBegun) => {
            release = resolveBegun
          })
          const onBegun = () => {
            beat(patience.silenceMs)
            release()
          }
          const reading = startReading(mirror, work, {
            reading: { catalogOf: mirror.kept.view(), ...refreshed },
            signal: over.signal,
            onBegun,
            beat,
            onSuccess,
          })
          started = { mirror, reading }
          void reading.value.catch(() => {}).finally(leave)
          reading.value.then((value) => {
            // If a statement failed and the work has swallowed the failure, the value of the work is wrong.
            const failure = reading.databaseFailure()
            if (failure === undefined) resolve({ value })
            else reject(failure.error)
          }, reject)
          await begun
        },
      }
      options.join(waiting)
    })

  const explain = (error: unknown): Outcome<T> => {
    if (signal?.aborted === true) throw signal.reason
    const failure = started?.reading.databaseFailure()
    if (error instanceof Overdue) return late(error)
    if (started === undefined) throw error
    if (!options.holds(started.mirror)) return { declined: 'dropped' }
    if (failure !== undefined) options.onDatabaseFailure(started.mirror, failure)
    else if (error instanceof AppError) throw error
    else options.onFailure(error)
    return { declined: 'failed' }
  }

  const late = (error: Overdue): Outcome<T> => {
    if (started === undefined || started.reading.waitsFor() === 'place') {
      options.onLate(error, started?.mirror)
      return { declined: 'waited_too_long' }
    }
    if (started.reading.waitsFor() === 'work') {
      options.onFailure(error)
      throw new AppError('query_timeout', `The answer took longer than the limit of ${patience.silenceMs} ms.`, {
        context: { limit_ms: patience.silenceMs },
        cause: error,
      })
    }
    options.onDatabaseFailure(started.mirror, { error })
    return { declined: 'failed' }
  }

  try {
    return await whileAlive({ what: 'a request to the cache', limitMs: patience.waitMs, signal }, start)
  } catch (error) {
    return explain(error)
  } finally {
    over.abort(new Error('nobody waits for this any longer'))
    release()
    // A reading that began gives its turn back itself.
    if (started === undefined) leave?.()
  }
}

/** A failure of the mirror's database, as a reader sees it. */
interface DatabaseFailure {
  readonly error: unknown
  /** Text of the statement that failed. Absent if none was running. */
  readonly text?: string
}

/** An answer that is being read from the tables. */
interface Reading<T> {
  readonly value: Promise<T>
  /** The cause of the wait: a place among the readers, then its own work or the database. */
  waitsFor(): 'place' | 'work' | 'database'
  /** The database's failure, even if the work has swallowed it. Undefined as long as the database has not failed. */
  databaseFailure(): DatabaseFailure | undefined
}

interface ReadingOptions {
  readonly reading: Omit<CacheReading, 'snapshot'>
  /** Ends the reading, also while it waits for a place. */
  readonly signal: AbortSignal
  /** Called when the snapshot of the reading has begun. */
  readonly onBegun: () => void
  readonly beat: Beat
  /** Called with the text of each statement that has succeeded. */
  readonly onSuccess: (text: string) => void
}

/** Runs `work` in a snapshot of the current tables. */
function startReading<T>(
  { answers, tables }: Mirror,
  work: (reading: CacheReading) => Promise<T>,
  { reading, signal, onBegun, beat, onSuccess }: ReadingOptions,
): Reading<T> {
  let waitsFor: ReturnType<Reading<T>['waitsFor']> = 'place'
  let runningStatements = 0
  let failure: DatabaseFailure | undefined
  const read = async () =>
    tables.database.reader.withSnapshot(
      async (real) => {
        signal.throwIfAborted()
        waitsFor = 'work'
        onBegun()
        const snapshot = observed(real, {
          began() {
            runningStatements += 1
          },
          received: ({ text }) => {
            beat()
            onSuccess(text)
          },
          failed({ text }, error) {
            if (!signal.aborted && !isTooSlow(error)) failure ??= { error, text }
          },
          ended() {
            runningStatements -= 1
          },
        })
        const value = await work({ ...reading, snapshot: answers.over(snapshot) })
        // Only the end of the snapshot remains, which is work of the database.
        waitsFor = 'database'
        return value
      },
      { signal },
    )
  return {
    value: read().catch((error: unknown) => {
      if (waitsFor === 'place' && !signal.aborted && !isFullQueue(error)) failure ??= { error }
      throw error
    }),
    waitsFor: () => (waitsFor === 'work' && runningStatements > 0 ? 'database' : waitsFor),
    databaseFailure: () => failure,
  }
}

// A statement over its time limit means that the request is heavy, not that the database has failed.
function isTooSlow(error: unknown): boolean {
  return error instanceof AppError && error.code === 'query_timeout'
}

// A full queue raises an AppError without a cause. A failure of the database raises an AppError with a cause.
function isFullQueue(error: unknown): boolean {
  return error instanceof AppError && error.cause === undefined
}
