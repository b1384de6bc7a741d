import { AppError } from '../core/errors.ts'
import type { CacheReading } from '../ports/read-through.ts'
import type { Filled } from './filling.ts'
import type { Beat } from './liveness.ts'
import { observed } from './observed.ts'

/** How the cache's database has failed, as far as a reader can tell. */
export interface Illness {
  readonly error: unknown
  /** Text of the statement that failed; absent where none was running. */
  readonly text?: string
}

/** An answer that is being read from the tables. */
export interface Reading<T> {
  readonly value: Promise<T>
  /** What it waits for: a place among the readers, then its own work or the database. */
  waitsFor(): 'place' | 'work' | 'database'
  /** The database's failure, even where the work has swallowed it; undefined while there was none. */
  illness(): Illness | undefined
}

export interface ReadingOptions {
  readonly reading: Omit<CacheReading, 'snapshot'>
  /** Ends the reading, also while it waits for a place. */
  readonly signal: AbortSignal
  /** Called when its snapshot has begun. */
  readonly onBegun: () => void
  readonly beat: Beat
  /** Hears the text of each statement that has succeeded. */
  readonly onSuccess: (text: string) => void
}

/** Runs `work` in a snapshot of the tables as they are now. */
export function startReading<T>(
  { answers, generation }: Filled,
  work: (reading: CacheReading) => Promise<T>,
  { reading, signal, onBegun, beat, onSuccess }: ReadingOptions,
): Reading<T> {
  let waitsFor: ReturnType<Reading<T>['waitsFor']> = 'place'
  let under = 0
  let illness: Illness | undefined
  const read = async () =>
    generation.database.reader.withSnapshot(
      async (real) => {
        signal.throwIfAborted()
        waitsFor = 'work'
        onBegun()
        const snapshot = observed(real, {
          began() {
            under += 1
          },
          came: ({ text }) => {
            beat()
            onSuccess(text)
          },
          failed({ text }, error) {
            if (!signal.aborted && !isTooSlow(error)) illness ??= { error, text }
          },
          ended() {
            under -= 1
          },
        })
        const made = await work({ ...reading, snapshot: answers.over(snapshot) })
        // Only the end of the snapshot remains, which is the database's part.
        waitsFor = 'database'
        return made
      },
      { signal },
    )
  return {
    value: read().catch((error: unknown) => {
      if (waitsFor === 'place' && !signal.aborted && !isFullQueue(error)) illness ??= { error }
      throw error
    }),
    waitsFor: () => (waitsFor === 'work' && under > 0 ? 'database' : waitsFor),
    illness: () => illness,
  }
}

// A statement over its time limit says that the request is heavy, not that the database is ill.
function isTooSlow(error: unknown): boolean {
  return error instanceof AppError && error.code === 'query_timeout'
}

// A full queue is an AppError without a cause; a database that fails is one with a cause.
function isFullQueue(error: unknown): boolean {
  return error instanceof AppError && error.cause === undefined
}
