import type { FeedRequest } from '../connector-kit/cache-feed.ts'
import { AppError } from '../core/errors.ts'
import { sqlNow } from '../core/periods.ts'
import type { CacheReading } from '../ports/read-through.ts'
import type { Reason } from './counters.ts'
import type { Filled } from './filling.ts'
import { type Beat, Overdue, whileAlive } from './liveness.ts'
import type { Patience, ReadThroughOptions } from './options.ts'
import { type Illness, type Reading, startReading } from './reading.ts'
import type { Refreshed } from './refresh.ts'

/** A request that waits for a round (rounds.ts) to bring the cache up to date. */
export interface WaitingRequest {
  /** True when whoever asked has left or has been answered. */
  isOver(): boolean
  /** The instant that the answer is about. A round asks for it once, before it opens the snapshot to which it brings the cache. */
  instant(): Date
  /** Begins to read the tables; resolves when the reader's snapshot has begun, or when nobody waits for the request any longer. */
  begin(filled: Filled, refreshed: Refreshed, now: Date): Promise<void>
  /** Leaves the request to the replica. */
  decline(reason: Reason): void
}

/** What became of a request: the value of its work, or why the replica has to answer it. */
export type Outcome<T> = { readonly value: T } | { readonly declined: Reason }

export interface WaitingOptions extends Pick<ReadThroughOptions, 'catalog'> {
  readonly patience: Patience
  /** Puts the request into the next round. */
  readonly join: (waiting: WaitingRequest) => void
  /** True as long as the filling has not been dropped. */
  readonly holds: (filled: Filled) => boolean
  /** Hears the text of each statement that has succeeded. */
  readonly onSuccess: (text: string) => void
  /** Hears that the filling's database has failed. */
  readonly onIllness: (filled: Filled, illness: Illness) => void
  /** Hears that a request has waited too long: for a reader of this filling, or (without one) for its round. */
  readonly onLate: (error: Overdue, filled: Filled | undefined) => void
  /** Hears of faults that are not the database's. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Takes a request through a round to its answer. The caller is released when the signal fires or when nothing has come for too long;
 * the round and the reader that the request held are then released too.
 */
export async function answerInRound<T>(
  request: () => FeedRequest,
  work: (reading: CacheReading) => Promise<T>,
  signal: AbortSignal | undefined,
  options: WaitingOptions,
): Promise<Outcome<T>> {
  const { patience, catalog, onSuccess } = options
  const over = new AbortController()
  let release = () => {}
  let started: { readonly filled: Filled; readonly reading: Reading<T> } | undefined

  const start = (beat: Beat) =>
    new Promise<Outcome<T>>((resolve, reject) => {
      const decline = (reason: Reason) => resolve({ declined: reason })
      options.join({
        isOver: () => over.signal.aborted,
        decline,
        instant: () => request().now,
        async begin(filled, refreshed, now) {
          if (over.signal.aborted) return
          if (!isValid(filled, now)) return decline('now_out_of_range')
          const begun = new Promise<void>((resolveBegun) => {
            release = resolveBegun
          })
          const onBegun = () => {
            beat(patience.silenceMs)
            release()
          }
          const reading = startReading(filled, work, {
            reading: { catalog: catalog(), ...refreshed },
            signal: over.signal,
            onBegun,
            beat,
            onSuccess,
          })
          started = { filled, reading }
          reading.value.then((value) => {
            // Work may have swallowed the failure of a statement; what it made then is not what was asked for.
            const illness = reading.illness()
            if (illness === undefined) resolve({ value })
            else reject(illness.error)
          }, reject)
          await begun
        },
      })
    })

  const explain = (error: unknown): Outcome<T> => {
    if (signal?.aborted === true) throw signal.reason
    const illness = started?.reading.illness()
    if (error instanceof Overdue) return late(error)
    if (started === undefined) throw error
    if (!options.holds(started.filled)) return { declined: 'dropped' }
    if (illness !== undefined) options.onIllness(started.filled, illness)
    else if (error instanceof AppError) throw error
    else options.onFailure(error)
    return { declined: 'failed' }
  }

  const late = (error: Overdue): Outcome<T> => {
    if (started === undefined || started.reading.waitsFor() === 'place') {
      options.onLate(error, started?.filled)
      return { declined: 'waited_too_long' }
    }
    if (started.reading.waitsFor() === 'work') {
      options.onFailure(error)
      throw new AppError('query_timeout', `The answer took longer than the limit of ${patience.silenceMs} ms.`, {
        context: { limit_ms: patience.silenceMs },
        cause: error,
      })
    }
    options.onIllness(started.filled, { error })
    return { declined: 'failed' }
  }

  try {
    return await whileAlive({ what: 'a request to the cache', limitMs: patience.waitMs, signal }, start)
  } catch (error) {
    return explain(error)
  } finally {
    over.abort(new Error('nobody waits for this any longer'))
    release()
  }
}

function isValid({ generation }: Filled, instant: Date): boolean {
  const now = sqlNow(instant)
  const { from, to } = generation.validity()
  return now >= from && (to === null || now < to)
}
