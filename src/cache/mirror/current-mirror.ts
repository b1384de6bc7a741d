import type { RefillCause } from '../../connector-kit/mirror-source.ts'
import { unlessAborted } from '../../core/async.ts'
import type { CacheState } from '../../ports/read-through.ts'
import { NoRoom } from './budget.ts'
import type { FilledSoFar } from './fill.ts'
import { createFillMeter } from './fill-meter.ts'
import { AGE, createBackOff, FAILURE, LOST, NOT_NEEDED, NOT_STORED, REPLACED, reasonOf, TOO_OLD, TRACES } from './health.ts'
import { whileAlive } from './liveness.ts'
import { type Before, type FillingOptions, fillMirror, HAS_TRACES, type Mirror, Outdated, restoreMirror } from './mirror.ts'
import type { ReadThroughOptions } from './options.ts'

/** Milliseconds after which the mirror is filled again, so that rows deleted without a trace in the change log disappear from it. */
const RENEW_MS = 86_400_000

const IDLE: CacheState = { status: 'idle', accounts: 0 }

/** Owns the mirrors: fills them, hands out the current one, and drops unusable ones. */
interface CurrentMirror {
  /** The mirror that answers. A newer one takes its place here, so this may be called only between two rounds. */
  take(): Mirror | undefined
  /** The mirror that answers, or the newer one that answers from the next round on. */
  newest(): Mirror | undefined
  /** False once the mirror has been dropped or replaced. */
  holds(mirror: Mirror): boolean
  /** Begins a filling and returns true, unless one is running, the back-off after a failure has not ended, or only `restore` was asked for. */
  startFilling(): boolean
  /**
   * Opens the mirror of an earlier process, without filling one, unless it is open. Resolves to null if there is one to answer from, else to the
   * reason.
   */
  restore(): Promise<string | null>
  /** Runs work that needs the mirror. In a process that may not store, a stored mirror is closed some time after the last work. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when the mirror of an earlier process is open, or there is none. Rejects with the signal's reason. */
  restored(signal?: AbortSignal): Promise<void>
  /** Begins a new filling if this mirror has grown old, or has more replaced rows than accounts. */
  renew(mirror: Mirror): void
  /** Resolves when no filling is running. Rejects with the signal's reason. */
  idle(signal?: AbortSignal): Promise<void>
  /** Stops answering from this mirror and begins another filling. `error` is the reason: it is outdated, or it has failed. */
  drop(mirror: Mirror, error: unknown): void
  /** Removes all mirrors and stored files (`ReadThrough`). A filling that is running ends, and another one begins. */
  clear(): Promise<void>
  state(): CacheState
  snapshotAt(): string | null
  close(): Promise<void>
}

type CurrentMirrorOptions = Omit<FillingOptions, 'onProgress'> &
  Pick<ReadThroughOptions, 'onProgress'> & {
    readonly onRefill: (cause: RefillCause) => void
    /** False in a process that only answers from the mirror of an earlier one. */
    readonly mayFill: () => boolean
  }

// A clock that has been set back by more than that cannot tell the age.
const isOld = ({ filledAt }: Mirror) => Math.abs(Date.now() - filledAt) > RENEW_MS

/** Creates the owner. No mirror is filled yet. */
export function createCurrentMirror(options: CurrentMirrorOptions): CurrentMirror {
  const { patience, isOwner, onFailure, onRefill } = options
  const closing = new AbortController()
  const backOff = createBackOff(patience.retryMs)
  /** Decides when a stored mirror that was dropped may be opened again. */
  const storedBackOff = createBackOff(patience.retryMs)
  let current: Mirror | undefined
  /** A mirror that was filled while `current` answered. It replaces `current` between two rounds. */
  let renewed: Mirror | undefined
  let filling: Promise<void> | undefined
  /** True until the mirror of an earlier process has been looked for. A service looks once: from then on, the stored mirror is its own. */
  let isFirst = true
  /** Resolves when a filling has opened the mirror of an earlier process, or there is none. */
  let restoring: Promise<void> = Promise.resolve()
  /** A stored mirror that is being opened without a filling. */
  let opening: Promise<string | null> | undefined
  /** Resolves when the stored mirror that this process returns to its owner is closed. */
  let leaving: Promise<void> = Promise.resolve()
  /** Calls that use the mirror now. */
  let inUse = 0
  let resting: NodeJS.Timeout | undefined
  let state: CacheState = IDLE
  /** True if the last filling found no room for its file. The next one is in memory, as after a failure of the disk, and the one after it tries the disk again. */
  let hadNoRoom = false
  /** Ends the present filling, which may have read rows that are to be removed. */
  let clearing = new AbortController()

  const report = (next: CacheState): void => {
    state = next
    options.onProgress(next)
  }
  const isEmpty = () => current === undefined && renewed === undefined
  /** True for a stored mirror in a process that does not own it. */
  const isBorrowed = ({ tables }: Mirror) => tables.database.file !== null && !isOwner()
  const dispose = (mirror: Mirror | undefined): void => {
    if (mirror === undefined) return
    const { database } = mirror.tables
    if (isBorrowed(mirror) && mirror.filledAt !== HAS_TRACES) leaving = database.close().catch(onFailure)
    else database.discard().catch(onFailure)
  }

  /** A mirror that opens too late, or when the process ends, is closed. */
  const inTime = async (restored: Promise<Mirror | string>): Promise<Mirror | string> => {
    const watch = { what: 'the opening of the stored cache', limitMs: patience.silenceMs, signal: closing.signal }
    try {
      return await whileAlive(watch, () => restored)
    } catch (error) {
      restored.then((late) => (typeof late === 'string' ? undefined : late.tables.database.close())).catch(() => {})
      throw error
    }
  }

  /** The mirror of an earlier process, or the reason why there is none to answer from. */
  const openStored = async (inputs: FillingOptions): Promise<Mirror | string> => {
    await leaving
    const stored = await inTime(restoreMirror(inputs))
    if (typeof stored === 'string') return stored
    if (isOwner() || (!isOld(stored) && !closing.signal.aborted)) return stored
    await stored.tables.database.close()
    return TOO_OLD
  }

  const restoreBefore = async (inputs: FillingOptions): Promise<Mirror | null> => {
    if (isOwner() ? !isFirst : !storedBackOff.mayTry()) return null
    isFirst = false
    const restored = openStored(inputs)
    restoring = restored.then(
      () => {},
      () => {},
    )
    const stored = await restored
    return typeof stored === 'string' ? null : stored
  }

  const restoreAgain = async (): Promise<string | null> => {
    isFirst = false
    const stored = await openStored({ ...options, onProgress: () => {} })
    if (typeof stored === 'string') return stored
    if (!isEmpty()) {
      await stored.tables.database.close()
      return NOT_NEEDED
    }
    renewed = stored
    state = { status: 'ready', accounts: stored.accounts }
    return null
  }

  /** Takes all mirrors out of use, and returns them. */
  const letGo = () => {
    const left = [current, renewed]
    current = undefined
    renewed = undefined
    return left
  }
  const remove = (mirror: Mirror): void => {
    if (mirror === current) current = undefined
    else renewed = undefined
    dispose(mirror)
  }

  /** Closes a stored mirror that belongs to a service. */
  const giveBack = (): void => {
    for (const mirror of [current, renewed]) if (mirror !== undefined && isBorrowed(mirror)) remove(mirror)
    if (isEmpty() && filling === undefined) state = IDLE
  }
  const rest = (): void => {
    const held = renewed ?? current
    if (held === undefined || !isBorrowed(held) || closing.signal.aborted) return
    resting = setTimeout(giveBack, isOld(held) ? 0 : patience.idleMs).unref()
  }

  const whatIsBefore = async (): Promise<Before> => {
    const inMemory = hadNoRoom
    hadNoRoom = false
    // It may be closed at this moment.
    const room = await (renewed ?? current)?.tables.database.room('held').catch(() => undefined)
    return { room, inMemory }
  }

  const fill = async (): Promise<void> => {
    clearing = new AbortController()
    const { signal } = clearing
    const measure = createFillMeter()
    const progress = (counts: FilledSoFar) => {
      if (isEmpty()) report({ status: 'filling', accounts: counts.customers, progress: measure(counts) })
    }
    if (isEmpty()) report({ status: 'filling', accounts: 0, progress: measure({ customers: 0, of: null, rows: 0 }) })
    try {
      const inputs = { ...options, onProgress: progress }
      const stored = await restoreBefore(inputs)
      const mirror = stored ?? (await fillMirror(inputs, AbortSignal.any([closing.signal, signal]), await whatIsBefore()))
      if (signal.aborted) return await mirror.tables.database.discard()
      dispose(renewed)
      renewed = mirror
      report({ status: 'ready', accounts: mirror.accounts })
    } catch (error) {
      if (closing.signal.aborted || signal.aborted) return
      hadNoRoom = error instanceof NoRoom && error.place === 'file'
      if (error instanceof Outdated) backOff.lost()
      else backOff.failed()
      const isAgain = error instanceof Outdated && backOff.mayTry()
      // An older mirror goes on answering.
      if (!isAgain) report(isEmpty() ? { status: 'failed', accounts: 0, ...reasonOf(error) } : { ...state, ...reasonOf(error) })
      if (error instanceof Outdated) onRefill(error.refill)
      else onFailure(error)
      if (isAgain) await fill()
    }
  }

  /** True if a filling has begun. */
  const startFilling = (): boolean => {
    if (!options.mayFill() || filling !== undefined || closing.signal.aborted || !backOff.mayTry()) return false
    filling = fill().finally(() => {
      filling = undefined
    })
    return true
  }

  return {
    take() {
      if (renewed === undefined) return current
      dispose(current)
      current = renewed
      renewed = undefined
      return current
    },
    newest: () => renewed ?? current,
    holds: (mirror) => mirror === current || mirror === renewed,
    startFilling,
    restored: (signal) => unlessAborted(restoring, signal),
    async restore() {
      if (closing.signal.aborted) return NOT_STORED
      const held = renewed ?? current
      if (held !== undefined) return isBorrowed(held) ? null : NOT_NEEDED
      if (filling !== undefined) return NOT_NEEDED
      if (!storedBackOff.mayTry()) return LOST
      opening ??= restoreAgain().finally(() => {
        opening = undefined
      })
      return opening
    },
    async during(work) {
      inUse += 1
      clearTimeout(resting)
      try {
        return await work()
      } finally {
        inUse -= 1
        if (inUse === 0) rest()
      }
    },
    renew(mirror) {
      const aged = mirror.filledAt === HAS_TRACES ? TRACES : isOld(mirror) ? AGE : undefined
      const cause = aged ?? (mirror.replaced > mirror.accounts ? REPLACED : undefined)
      if (cause !== undefined && startFilling()) onRefill(cause)
    },
    async idle(signal) {
      // The filling has its own deadline. A request that waits for it may leave earlier.
      await unlessAborted(Promise.resolve(filling), signal)
    },
    drop(mirror, error) {
      if (mirror !== current && mirror !== renewed) return
      if (isBorrowed(mirror)) storedBackOff.failed()
      remove(mirror)
      if (error instanceof Outdated) onRefill(error.refill)
      else {
        backOff.lost()
        onFailure(error)
        onRefill(FAILURE)
      }
      if (!isEmpty()) return
      startFilling()
      if (filling === undefined) report({ status: 'failed', accounts: 0, ...reasonOf(error) })
      else if (state.status !== 'filling') report({ status: 'filling', accounts: 0 })
    },
    async clear() {
      clearing.abort(new Error('the cache is being cleared'))
      await Promise.allSettled([filling, opening])
      for (const mirror of letGo()) await mirror?.tables.database.discard()
      await options.files.removeAll()
      startFilling()
      if (filling === undefined && state.status !== 'failed') report(IDLE)
    },
    state: () => state,
    snapshotAt: () => (renewed ?? current)?.snapshot_at ?? null,
    async close() {
      closing.abort(new Error('the cache is being closed'))
      clearTimeout(resting)
      await Promise.allSettled([filling, opening])
      const left = letGo()
      const watch = { what: 'the closing of the cache', limitMs: patience.silenceMs }
      await whileAlive(watch, () => leaving).catch(onFailure)
      for (const mirror of left) await whileAlive(watch, async () => mirror?.tables.database.close()).catch(onFailure)
    },
  }
}
