import { setTimeout as pause } from 'node:timers/promises'
import PQueue from 'p-queue'
import type { Pacing } from '../pacing.ts'

/** The turns of one company's requests. Intuit limits how many run at a time and within any minute. */
export interface Turns {
  take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
  /** Delays all turns for a while, because Intuit has reported too many requests. */
  hold(milliseconds: number): void
}

/** Turns within the limits of `pacing`, in the order of the requests. */
export function createTurns(pacing: Pacing): Turns {
  const queue = new PQueue({
    concurrency: pacing.atOnce,
    interval: pacing.windowMs,
    intervalCap: pacing.perWindow,
    // The limit holds for every interval of this length, not only for the minutes of the clock.
    strict: true,
  })
  let heldUntil = 0
  // A waiting request stops when its caller does, so that no timer outlives a stopping process.
  async function heldOff(signal: AbortSignal): Promise<void> {
    for (let left = heldUntil - Date.now(); left > 0; left = heldUntil - Date.now()) await pause(left, undefined, { signal })
  }
  return {
    take: (work, signal) =>
      queue.add(
        async () => {
          await heldOff(signal)
          return work()
        },
        { signal },
      ),
    hold(milliseconds) {
      heldUntil = Math.max(heldUntil, Date.now() + milliseconds)
    },
  }
}
