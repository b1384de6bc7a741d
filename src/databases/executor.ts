import type { Statement } from '../compiler/statement.ts'
import { unlessAborted } from '../core/async.ts'
import { AppError, ConfigurationError, InternalError } from '../core/errors.ts'
import type { Executor, ReplicaState, TableSizes } from '../ports/executor.ts'
import type { Row } from '../ports/rows.ts'
import type { Snapshot, SnapshotOptions } from '../ports/snapshot.ts'
import { type Driver, type DriverSession, withDeadline } from './driver.ts'
import { databaseUnavailable, ReplayConflict, replayConflictPersists, statementRefused } from './failures.ts'
import { createGate } from './gate.ts'
import type { Limits } from './options.ts'
import { openSnapshot } from './snapshot.ts'

type Work<T> = (snapshot: Snapshot) => Promise<T>

/** A server's report about itself before a snapshot begins. */
type ServerState = Omit<ReplicaState, 'schema'>

interface Options extends Omit<SnapshotOptions, 'onReplicaLag'> {
  readonly onReplicaLag?: (state: ServerState) => void
}

/** A statement that shows whether the server is a primary. Its rows are the whole state of a primary. */
interface PrimaryState {
  readonly statement: Statement
  /** Undefined if the server is no primary. Only `state` knows its lag. */
  read(rows: readonly Row[]): ServerState | undefined
}

/** Statements that ask a database server about itself. */
interface Introspection {
  readonly primary?: PrimaryState
  /** Outside of a transaction, because the server may refuse some of its statements, and a refusal would end the transaction. */
  state(snapshot: Snapshot): Promise<ServerState>
  /** In a snapshot, because the session knows the schema that it reads. */
  schema(snapshot: Snapshot): Promise<string | null>
  writePrivileges(snapshot: Snapshot, tables?: readonly string[]): Promise<readonly string[]>
  /** In a snapshot. Absent: the database is embedded. */
  tableSizes?(snapshot: Snapshot, tables: readonly string[]): Promise<TableSizes>
}

/**
 * The executor over a driver. It bounds pool and queue, gives each snapshot a read-only transaction, and cancels abandoned statements. An
 * aborted snapshot rejects with the signal's reason. If a standby cancels a statement to apply its primary's changes, the snapshot is tried
 * once more, so `work` may run twice.
 */
export function createExecutor(driver: Driver, limits: Limits, introspection: Introspection): Executor {
  const gate = createGate({ size: limits.poolSize, queueSize: limits.queueLimit, queueMs: limits.queueMs })
  const opener = createOpener(driver, introspection)
  let closing: Promise<void> | undefined

  const withSnapshot = async <T>(work: Work<T>, options: Options = {}): Promise<T> => {
    const leave = await gate.enter(options.signal)
    const run = () => runOnce(driver, limits, opener, work, options)
    try {
      options.onTurn?.()
      return await run().catch((error: unknown) => {
        if (error instanceof ReplayConflict) return run()
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
    state: async () => {
      let known: ServerState | undefined
      const schema = await withSnapshot(introspection.schema, { onReplicaLag: (state) => (known = state) })
      if (known === undefined) throw new InternalError('a snapshot began before its server was asked')
      return { ...known, schema }
    },
    writePrivileges: (tables) => withSnapshot((snapshot) => introspection.writePrivileges(snapshot, tables)),
    tableSizes: async (snapshot, tables) => (await introspection.tableSizes?.(snapshot, tables)) ?? null,
    load: gate.load,
    close() {
      closing ??= gate.close().then(() => driver.close())
      return closing
    },
  }
}

async function runOnce<T>(
  driver: Driver,
  limits: Limits,
  open: Opener,
  work: Work<T>,
  { signal, onReplicaLag }: Options,
): Promise<T> {
  const session = await connect(driver)
  const snapshot = openSnapshot(driver, session, limits, signal)
  let cancelling: Promise<void> | undefined
  const cancel = () => {
    // A cancel can reach the server after its statement has ended and would then hit the next one. So the connection is closed.
    cancelling = session.cancel().finally(() => session.destroy())
  }
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    signal?.throwIfAborted()
    await open(session, snapshot, onReplicaLag)
    // If the caller has left, the connection is released even if the work still waits for something other than the database.
    const result = await unlessAborted(work(snapshot), signal)
    signal?.throwIfAborted()
    return result
  } catch (error) {
    signal?.throwIfAborted()
    throw snapshot.conflict() ?? error
  } finally {
    const isIdle = await snapshot.finish()
    signal?.removeEventListener('abort', cancel)
    if (!isIdle) cancel()
    await cancelling
    if (cancelling === undefined && (await ended(driver, session))) session.release()
    else session.destroy()
  }
}

/** Reads the state of the server if somebody asks for it, then begins the transaction. */
type Opener = (session: DriverSession, snapshot: Snapshot, onReplicaLag: Options['onReplicaLag']) => Promise<void>

/** The state of a server that was a primary comes with the begin of the transaction, in one round trip. */
function createOpener(driver: Driver, { state, primary }: Introspection): Opener {
  let wasPrimary = false
  return async (session, snapshot, onReplicaLag) => {
    if (onReplicaLag === undefined) return begin(driver, session, session.begin)
    const { beginAfter } = session
    if (wasPrimary && primary !== undefined && beginAfter !== undefined) {
      const known = primary.read(await begin(driver, session, () => beginAfter(primary.statement)))
      if (known !== undefined) return onReplicaLag(known)
      // The lag has to be read before the snapshot.
      await ended(driver, session)
    }
    const known = await readServerState(driver, session, () => state(snapshot))
    wasPrimary = known.role === 'primary'
    onReplicaLag(known)
    await begin(driver, session, session.begin)
  }
}

async function connect(driver: Driver): Promise<DriverSession> {
  try {
    return await driver.connect()
  } catch (error) {
    // An error about a server that is reachable but unusable already gives the reason.
    throw error instanceof AppError || error instanceof ConfigurationError ? error : databaseUnavailable(error, driver)
  }
}

// The first statement on an idle connection shows whether the connection is lost. So this statement may take no longer than
// opening a connection.
async function readServerState(driver: Driver, session: DriverSession, read: () => Promise<ServerState>): Promise<ServerState> {
  let isLost = false
  const giveUp = () => {
    isLost = true
    session.destroy()
  }
  return withDeadline(driver.connectTimeoutMs, giveUp, read).catch((error: unknown) => {
    throw isLost ? databaseUnavailable(error, driver) : error
  })
}

async function begin<T>(driver: Driver, session: DriverSession, action: () => Promise<T>): Promise<T> {
  try {
    return await withDeadline(driver.connectTimeoutMs, session.destroy, action)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw driver.failureKind(error, 0) === 'refused'
      ? statementRefused('session settings', error)
      : databaseUnavailable(error, driver)
  }
}

function ended(driver: Driver, session: DriverSession): Promise<boolean> {
  return withDeadline(driver.connectTimeoutMs, session.destroy, session.end).then(
    () => true,
    () => false,
  )
}
