import { performance } from 'node:perf_hooks'
import type { Engine, Readiness } from '../../../engine/engine.ts'

/** A look at the databases is repeated after this time, however often is asked. */
const FRESH_MS = 15_000

export interface LastReadiness {
  readonly found: Readiness
  readonly at: Date
}

/**
 * What the last look at replica and store found, at once: where it is old, or there is none, the next look begins behind the
 * caller's back, one at a time. A scrape so never waits for a database, nor do many load it.
 */
export function lastReadiness(
  engine: Pick<Engine, 'readiness'>,
  onFailure: (error: unknown) => void,
): () => LastReadiness | undefined {
  let last: LastReadiness | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let isLooking = false

  const look = async (): Promise<void> => {
    isLooking = true
    try {
      last = { found: await engine.readiness(), at: new Date() }
    } catch (error) {
      last = undefined
      onFailure(error)
    } finally {
      isLooking = false
      lookedAt = performance.now()
    }
  }

  return () => {
    if (!isLooking && performance.now() - lookedAt >= FRESH_MS) void look()
    return last
  }
}
