import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, type ErrorCode, InternalError } from '../core/errors.ts'
import type { Lake } from './compose-lake.ts'

/** A service looks this often whether a publication is due. */
const LOOK_MS = 60_000
const RETRY_MS = 300_000
const PASSING: ReadonlySet<ErrorCode> = new Set(['connector_unavailable', 'overloaded', 'query_timeout', 'replica_lagging'])

interface Regularly {
  readonly everyMs: number
  /** By default a minute. */
  readonly lookMs?: number
  readonly now: () => Date
  readonly onProgress: (text: string) => void
  readonly onFailure: (error: unknown) => void
}

/**
 * Publishes when the newest publication of this version is older than `everyMs`. Services on one lake share the work: whichever sees it first
 * publishes. After a failure that may pass it waits five minutes, and `everyMs` after others.
 */
export function publishRegularly(
  lake: Pick<Lake, 'newestAt' | 'publish'>,
  { everyMs, lookMs = Math.min(LOOK_MS, everyMs), now, onProgress, onFailure }: Regularly,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping

  const publishIfDue = async (): Promise<void> => {
    const newest = await lake.newestAt()
    if (newest !== undefined && now().getTime() - newest.getTime() < everyMs) return
    signal.throwIfAborted()
    const made = await lake.publish(onProgress, signal)
    if ('faults' in made) throw new InternalError(`the publication is not right: ${made.faults.join('; ')}`)
  }
  /** Resolves to the pause after it. */
  const turn = async (): Promise<number> => {
    try {
      await publishIfDue()
      return lookMs
    } catch (error) {
      // Another service publishes.
      if (signal.aborted || (error instanceof AppError && error.code === 'conflict')) return lookMs
      onFailure(error)
      return error instanceof AppError && PASSING.has(error.code) ? Math.min(RETRY_MS, everyMs) : everyMs
    }
  }
  const running = (async () => {
    while (!signal.aborted) await sleep(await turn(), undefined, { signal, ref: false }).catch(() => {})
  })()

  return {
    stop() {
      stopping.abort(new Error('the service ends'))
      return running
    },
  }
}
