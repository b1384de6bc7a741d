import { setMaxListeners } from 'node:events'
import { AppError } from '../../../core/errors.ts'
import type { InboxEntry, Outcome } from '../../../ports/source-store.ts'
import { attempt } from './attempt.ts'
import type { Connectors } from './connectors.ts'
import type { SourceCounters } from './counters.ts'
import { instantIn, type SourceStores } from './deps.ts'

/** Notifications that a process works on at a time. */
const AT_ONCE = 10
/** So many must be free before more are taken, as each taking is a commit. */
const WORTHWHILE = AT_ONCE / 2
/** Longest time of one attempt; its entry comes free somewhat later. */
const ATTEMPT_MS = 120_000
const HOLD_MS = ATTEMPT_MS + 30_000
/** Other processes put entries into the inbox too. */
const LOOK_AGAIN_MS = 5_000
const COLLISION_MS = 100

/** Works off the inbox until it is stopped. */
export interface InboxWorker {
  /** Says that there may be something to do. */
  wake(): void
  /** Lets what was taken go, and resolves when nothing runs any more. */
  stop(): Promise<void>
}

interface InboxWorkerParts {
  readonly openStores: () => Promise<SourceStores>
  readonly connectors: Connectors
  readonly counters: Pick<SourceCounters, 'attempted'>
  readonly onFailure: (error: unknown) => void
}

/** Starts to work off the inbox, several entries at a time. It stands still without harm where the store or a platform does. */
export function startInboxWorker({ openStores, connectors, counters, onFailure }: InboxWorkerParts): InboxWorker {
  const stopping = new AbortController()
  // Each attempt listens to it.
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
  /** Begins what is due; says after how many milliseconds to look again. */
  const round = async (): Promise<number> => {
    const stores = await openStores()
    const free = AT_ONCE - running.size
    if (free < WORTHWHILE) return LOOK_AGAIN_MS
    const due = await stores.inbox.nextDue(connectors.types)
    const wait = due === null ? LOOK_AGAIN_MS : Date.parse(due) - Date.now()
    if (wait > 0) return Math.min(wait, LOOK_AGAIN_MS)
    const taken = await stores.inbox.take(connectors.types, instantIn(0), instantIn(HOLD_MS), free)
    for (const entry of taken) begin(stores, entry)
    // What is due and cannot be taken is being taken by another process.
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
