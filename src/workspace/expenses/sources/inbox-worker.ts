import { setMaxListeners } from 'node:events'
import { AppError } from '../../../core/errors.ts'
import type { InboxEntry, Outcome } from '../../../ports/source-store.ts'
import { attempt } from './attempt.ts'
import type { Connectors } from './connectors.ts'
import type { SourceCounters } from './counters.ts'
import { instantIn, type SourceStores } from './deps.ts'

/** Most notifications to process at a time. */
const AT_ONCE = 10
/** Least number of free places to take more entries. Taking only a few would cost too many commits. */
const WORTHWHILE = AT_ONCE / 2
/** Longest time of one attempt. Other processes may take its entry a little later. */
const ATTEMPT_MS = 120_000
const HOLD_MS = ATTEMPT_MS + 30_000
/** Poll interval: other processes also add entries to the inbox. */
const LOOK_AGAIN_MS = 5_000
const COLLISION_MS = 100

/** Processes the inbox until it is stopped. */
export interface InboxWorker {
  /** Tells the worker that entries may be waiting. */
  wake(): void
  /** Releases taken entries. Resolves when all attempts have stopped. */
  stop(): Promise<void>
}

interface InboxWorkerParts {
  readonly openStores: () => Promise<SourceStores>
  readonly connectors: Connectors
  readonly counters: Pick<SourceCounters, 'attempted'>
  readonly onFailure: (error: unknown) => void
}

/** Starts to process the inbox, several entries at a time. While the store or a platform is down it pauses, and loses nothing. */
export function startInboxWorker({ openStores, connectors, counters, onFailure }: InboxWorkerParts): InboxWorker {
  const stopping = new AbortController()
  // Each attempt adds a listener, so there must be no limit.
  setMaxListeners(0, stopping.signal)
  const running = new Set<Promise<void>>()
  const waker = createWaker()

  const workOff = async (stores: SourceStores, entry: InboxEntry): Promise<void> => {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(ATTEMPT_MS)])
    const { outcome, failure } = await attempt(stores, connectors, entry, signal)
    if (failure !== undefined && !(failure instanceof AppError) && !signal.aborted) onFailure(failure)
    const isCutOff = failure !== undefined && stopping.signal.aborted
    const result: Outcome = isCutOff ? { kind: 'released' } : outcome
    await stores.inbox.finish(entry, result, instantIn(0))
    counters.attempted(result.kind)
  }
  const begin = (stores: SourceStores, entry: InboxEntry): void => {
    const work: Promise<void> = workOff(stores, entry)
      .catch(onFailure)
      .finally(() => {
        running.delete(work)
        if (AT_ONCE - running.size === WORTHWHILE) waker.wake()
      })
    running.add(work)
  }
  /** Starts the due entries. Returns the milliseconds until the next look. */
  const round = async (): Promise<number> => {
    const stores = await openStores()
    const free = AT_ONCE - running.size
    if (free < WORTHWHILE) return LOOK_AGAIN_MS
    const due = await stores.inbox.nextDue(connectors.types)
    const wait = due === null ? LOOK_AGAIN_MS : Date.parse(due) - Date.now()
    if (wait > 0) return Math.min(wait, LOOK_AGAIN_MS)
    const taken = await stores.inbox.take(connectors.types, instantIn(0), instantIn(HOLD_MS), free)
    for (const entry of taken) begin(stores, entry)
    // If due entries cannot be taken, another process is taking them.
    return taken.length > 0 ? 0 : COLLISION_MS
  }
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const pause = await round().catch((error: unknown) => {
        if (!(error instanceof AppError)) onFailure(error)
        return LOOK_AGAIN_MS
      })
      if (pause > 0) await waker.wait(pause)
    }
    await Promise.all(running)
  }
  const ended = loop()
  return {
    wake: () => waker.wake(),
    stop: () => {
      stopping.abort(new AppError('connector_unavailable', 'The service is stopping.'))
      waker.wake()
      return ended
    },
  }
}

/** Wakes a waiting loop before its time. */
interface Waker {
  wake(): void
  /** Resolves after this many milliseconds, or as soon as `wake` is called. A call since the last wait counts. */
  wait(milliseconds: number): Promise<void>
}

function createWaker(): Waker {
  let isDue = false
  let end: (() => void) | undefined
  return {
    wake() {
      isDue = true
      end?.()
    },
    wait: (milliseconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(finish, isDue ? 0 : milliseconds)
        end = finish
        function finish() {
          clearTimeout(timer)
          end = undefined
          isDue = false
          resolve()
        }
      }),
  }
}
