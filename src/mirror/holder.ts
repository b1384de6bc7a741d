import { unlessAborted } from '../core/async.ts'
import { AppError } from '../core/errors.ts'
import type { CacheState } from '../ports/read-through.ts'
import { createBackOff } from './back-off.ts'
import { type Filled, type FillingOptions, fillOnce, secondsNow } from './filling.ts'
import { whileAlive } from './liveness.ts'
import type { ReadThroughOptions } from './options.ts'

/** Seconds after which everything is read anew, so that rows deleted behind the engine's back do not stay for ever. */
const RENEW_SECONDS = 86_400

/** Owns the fillings: it begins them, hands out the one that answers, and drops those that are of no use any more. */
export interface Holder {
  /** The filling that answers now. A newer one takes its place here, so this may be called only between two rounds. */
  take(): Filled | undefined
  /** The filling that answers, or the newer one that will from the next round on. */
  held(): Filled | undefined
  /** False once the filling has been dropped or replaced. */
  holds(filled: Filled): boolean
  /** Begins a filling, unless one is under way or has failed a short while ago. */
  startFilling(): void
  /** Begins a new filling where this one has grown old, or has more replaced rows than accounts. */
  renew(filled: Filled): void
  /** Resolves when no filling is under way; rejects with the signal's reason. */
  idle(signal?: AbortSignal): Promise<void>
  /** Stops answering from this filling and begins another; `error` says what is wrong with it, if anything is. */
  drop(filled: Filled, error?: unknown): void
  state(): CacheState
  snapshotAt(): string | null
  close(): Promise<void>
}

export type HolderOptions = Omit<FillingOptions, 'onPage'> & Pick<ReadThroughOptions, 'onProgress'>

// Only the text of an AppError leaves the process.
const reasonOf = (error: unknown) => (error instanceof AppError ? { reason: error.message } : {})

/** Begins with nothing filled. */
export function createHolder(options: HolderOptions): Holder {
  const { patience, onFailure } = options
  const closing = new AbortController()
  const backOff = createBackOff(patience.retryMs)
  let current: Filled | undefined
  /** A filling made while `current` answered; it takes that one's place between two rounds. */
  let renewed: Filled | undefined
  let filling: Promise<void> | undefined
  let state: CacheState = { status: 'idle', accounts: 0 }

  const tell = (next: CacheState): void => {
    state = next
    options.onProgress(next)
  }
  const isEmpty = () => current === undefined && renewed === undefined
  const dispose = (filled: Filled | undefined): void => void filled?.generation.close().catch(onFailure)

  const fill = async (): Promise<void> => {
    const progress = (accounts: number) => {
      if (isEmpty()) tell({ status: 'filling', accounts })
    }
    progress(0)
    try {
      const filled = await fillOnce({ ...options, onPage: progress }, closing.signal)
      dispose(renewed)
      renewed = filled
      tell({ status: 'ready', accounts: filled.accounts })
    } catch (error) {
      if (closing.signal.aborted) return
      backOff.failed()
      if (isEmpty()) tell({ status: 'failed', accounts: 0, ...reasonOf(error) })
      onFailure(error)
    }
  }

  const startFilling = (): void => {
    if (filling !== undefined || closing.signal.aborted || !backOff.mayTry()) return
    filling = fill().finally(() => {
      filling = undefined
    })
  }

  return {
    take() {
      if (renewed === undefined) return current
      dispose(current)
      current = renewed
      renewed = undefined
      return current
    },
    held: () => renewed ?? current,
    holds: (filled) => filled === current || filled === renewed,
    startFilling,
    renew({ seconds, replaced, accounts }) {
      if (secondsNow() - seconds > RENEW_SECONDS || replaced > accounts) startFilling()
    },
    async idle(signal) {
      // The filling has a deadline of its own; whoever waits for it may leave earlier.
      await unlessAborted(Promise.resolve(filling), signal)
    },
    drop(filled, error) {
      if (filled !== current && filled !== renewed) return
      if (filled === current) current = undefined
      else renewed = undefined
      dispose(filled)
      if (error !== undefined) {
        backOff.lost()
        onFailure(error)
      }
      if (!isEmpty()) return
      startFilling()
      if (filling === undefined) tell({ status: 'failed', accounts: 0 })
      else if (state.status !== 'filling') tell({ status: 'filling', accounts: 0 })
    },
    state: () => state,
    snapshotAt: () => (renewed ?? current)?.snapshot_at ?? null,
    async close() {
      closing.abort(new Error('the cache is being closed'))
      await filling
      const left = [current, renewed]
      current = undefined
      renewed = undefined
      const watch = { what: 'the closing of the cache', limitMs: patience.silenceMs }
      for (const filled of left) await whileAlive(watch, async () => filled?.generation.close()).catch(onFailure)
    },
  }
}
