import { setMaxListeners } from 'node:events'
import { AppError } from '../../../core/errors.ts'
import type { InboxEntry, Outcome } from '../../../ports/source-store.ts'
import { attempt } from './attempt.ts'
import type { Connectors } from './connectors.ts'
import type { SourceCounters } from './counters.ts'
import { instantIn, type Kept } from './deps.ts'

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
  readonly opened: () => Promise<Kept>
  readonly connectors: Connectors
  readonly counters: Pick<SourceCounters, 'attempted'>
  readonly onFailure: (error: unknown) => void
}

/** Starts to work off the inbox, several entries at a time. It stands still without harm where the store or a platform does. */
export function startInboxWorker({ opened, connectors, counters, onFailure }: InboxWorkerParts): InboxWorker {
  const stopping = new AbortController()
  // Each attempt listens to it.
  setMaxListeners(0, stopping.signal)
  const running = new Set<Promise<void>>()
  const bell = createBell()

  const workOff = async (kept: Kept, entry: InboxEntry): Promise<void> => {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(ATTEMPT_MS)])
    const { outcome, failure } = await attempt(kept, connectors, entry, signal)
    if (failure !== undefined && !(failure instanceof AppError) && !signal.aborted) onFailure(failure)
    const isCutOff = failure !== undefined && stopping.signal.aborted
    const settled: Outcome = isCutOff ? { kind: 'released' } : outcome
    await kept.inbox.settle(entry, settled, instantIn(0))
    counters.attempted(settled.kind)
  }
  const begin = (kept: Kept, entry: InboxEntry): void => {
    const work: Promise<void> = workOff(kept, entry)
      .catch(onFailure)
      .finally(() => {
        running.delete(work)
        if (AT_ONCE - running.size === WORTHWHILE) bell.ring()
      })
    running.add(work)
  }
  /** Begins what is due; says after how many milliseconds to look again. */
  const round = async (): Promise<number> => {
    const kept = await opened()
    const free = AT_ONCE - running.size
    if (free < WORTHWHILE) return LOOK_AGAIN_MS
    const due = await kept.inbox.nextDue(connectors.types)
    const wait = due === null ? LOOK_AGAIN_MS : Date.parse(due) - Date.now()
    if (wait > 0) return Math.min(wait, LOOK_AGAIN_MS)
    const taken = await kept.inbox.take(connectors.types, instantIn(0), instantIn(HOLD_MS), free)
    for (const entry of taken) begin(kept, entry)
    // What is due and cannot be taken is being taken by another process.
    return taken.length > 0 ? 0 : COLLISION_MS
  }
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const pause = await round().catch((error: unknown) => {
        if (!(error instanceof AppError)) onFailure(error)
        return LOOK_AGAIN_MS
      })
      if (pause > 0) await bell.wait(pause)
    }
    await Promise.all(running)
  }
  const ended = loop()
  return {
    wake: () => bell.ring(),
    stop: () => {
      stopping.abort(new AppError('connector_unavailable', 'The service is stopping.'))
      bell.ring()
      return ended
    },
  }
}

/** What wakes a loop before its time. */
interface Bell {
  ring(): void
  /** Resolves after so many milliseconds, or when it is rung or was rung since the last wait. */
  wait(milliseconds: number): Promise<void>
}

/** A bell that nobody has rung yet. */
function createBell(): Bell {
  let isRung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      isRung = true
      wake?.()
    },
    wait: (milliseconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(end, isRung ? 0 : milliseconds)
        wake = end
        function end() {
          clearTimeout(timer)
          wake = undefined
          isRung = false
          resolve()
        }
      }),
  }
}
