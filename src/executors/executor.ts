import type { Executor, ReplicaState, Snapshot } from '../engine/ports.ts'
import { withDeadline } from './deadline.ts'
import type { Driver, DriverSession } from './driver.ts'
import { databaseUnavailable, ReplayConflict, replayConflictPersists, statementRefused } from './failures.ts'
import { createGate } from './gate.ts'
import type { Limits } from './options.ts'
import { openSnapshot } from './snapshot.ts'

type Work<T> = (snapshot: Snapshot) => Promise<T>

/** What an engine tells about itself, read through a snapshot like everything else. */
export interface Introspection {
  state(snapshot: Snapshot): Promise<ReplicaState>
  writePrivileges(snapshot: Snapshot): Promise<readonly string[]>
}

/**
 * The executor over a driver: bounded pool and queue, one read-only transaction per snapshot, cancellation, one retry when a standby
 * cancels a statement to apply its primary's changes. So `work` may run twice. An aborted snapshot rejects with the signal's reason.
 */
export function createExecutor(driver: Driver, limits: Limits, introspection: Introspection): Executor {
  const gate = createGate(limits.poolSize, limits.queueLimit)
  let closing: Promise<void> | undefined

  const withSnapshot = async <T>(work: Work<T>, options: { readonly signal?: AbortSignal } = {}): Promise<T> => {
    const leave = await gate.enter(options.signal)
    try {
      return await runOnce(driver, work, options.signal).catch((error: unknown) => {
        if (error instanceof ReplayConflict) return runOnce(driver, work, options.signal)
        throw error
      })
    } catch (error) {
      throw error instanceof ReplayConflict ? replayConflictPersists(error) : error
    } finally {
      leave()
    }
  }

  return {
    get dialect() {
      return driver.dialect
    },
    get variant() {
      return driver.variant
    },
    withSnapshot,
    state: () => withSnapshot(introspection.state),
    writePrivileges: () => withSnapshot(introspection.writePrivileges),
    close() {
      closing ??= gate.close().then(() => driver.close())
      return closing
    },
  }
}

async function runOnce<T>(driver: Driver, work: Work<T>, signal: AbortSignal | undefined): Promise<T> {
  const session = await connect(driver)
  const snapshot = openSnapshot(driver, session, signal)
  let cancelling: Promise<void> | undefined
  const cancel = () => {
    // A cancel can reach the server after the statement it was meant for: the connection must not serve anybody else.
    cancelling = session.cancel().finally(() => session.destroy())
  }
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    signal?.throwIfAborted()
    await begin(driver, session)
    const result = await work(snapshot)
    signal?.throwIfAborted()
    return result
  } catch (error) {
    signal?.throwIfAborted()
    throw snapshot.conflict() ?? error
  } finally {
    signal?.removeEventListener('abort', cancel)
    if (!snapshot.finish()) cancel()
    await cancelling
    if (cancelling === undefined && (await ended(driver, session))) session.release()
    else session.destroy()
  }
}

async function connect(driver: Driver): Promise<DriverSession> {
  try {
    return await driver.connect()
  } catch (error) {
    throw databaseUnavailable(error)
  }
}

async function begin(driver: Driver, session: DriverSession): Promise<void> {
  try {
    await withDeadline(driver.connectTimeoutMs, session.destroy, session.begin)
  } catch (error) {
    throw driver.failureKind(error, 0) === 'refused' ? statementRefused('session settings', error) : databaseUnavailable(error)
  }
}

function ended(driver: Driver, session: DriverSession): Promise<boolean> {
  return withDeadline(driver.connectTimeoutMs, session.destroy, session.end).then(
    () => true,
    () => false,
  )
}
