import type { Statement } from '../compiler/statement.ts'
import { InternalError } from '../core/errors.ts'
import type { Row, Snapshot } from '../engine/ports.ts'
import { withDeadline } from './deadline.ts'
import type { Driver, DriverSession } from './driver.ts'
import { databaseUnavailable, ReplayConflict, statementCancelled, statementRefused, statementTimedOut } from './failures.ts'

/** How much longer than the server's own limit an answer is awaited before the connection is given up, milliseconds. */
const GRACE_MS = 5_000

/** A snapshot and what became of it. */
export interface OpenSnapshot extends Snapshot {
  /** Refuses statements from now on. False when a stream was left open, so that the connection is still busy with it. */
  finish(): boolean
  /** The standby's cancel, if one hit a statement: the work may have swallowed or wrapped the error. */
  conflict(): ReplayConflict | undefined
}

/** A snapshot over a session: statements one after the other, each with a deadline, driver errors turned into ours. */
export function openSnapshot(driver: Driver, session: DriverSession, signal?: AbortSignal): OpenSnapshot {
  let tail: Promise<unknown> = Promise.resolve()
  let over = false
  let streaming = false
  let conflict: ReplayConflict | undefined

  const checkUsable = () => {
    signal?.throwIfAborted()
    if (over) throw new InternalError('A snapshot was used after its end.')
    // MySQL cannot serve a second statement while rows of the first arrive; refused everywhere, so that no engine hides it.
    if (streaming) throw new InternalError('A statement was started while another one of the same snapshot streams.')
  }

  const timed = async <T>(label: string, action: () => Promise<T>): Promise<T> => {
    const limit = driver.statementTimeoutMs
    const started = performance.now()
    let overdue = false
    const giveUp = () => {
      overdue = true
      session.destroy()
    }
    try {
      return await withDeadline(limit === undefined ? undefined : limit + GRACE_MS, giveUp, action)
    } catch (error) {
      signal?.throwIfAborted()
      const kind = overdue ? 'timeout' : driver.failureKind(error, performance.now() - started)
      if (kind === 'timeout') throw statementTimedOut(limit ?? 0, error)
      if (kind === 'cancelled') throw statementCancelled(error)
      if (kind === 'unavailable') throw databaseUnavailable(error)
      if (kind === 'refused') throw statementRefused(label, error)
      conflict = new ReplayConflict(error)
      throw conflict
    }
  }

  async function* stream(statement: Statement): AsyncGenerator<Row> {
    await tail
    checkUsable()
    streaming = true
    const batches = session.batches(statement)[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await timed(statement.label, () => batches.next())
        if (next.done === true) return
        yield* next.value
        signal?.throwIfAborted()
      }
    } finally {
      await timed(statement.label, async () => batches.return?.())
      streaming = false
    }
  }

  return {
    dialect: driver.dialect,
    query(statement) {
      const turn = tail.then(() => {
        checkUsable()
        return timed(statement.label, () => session.query(statement))
      })
      // One failure must not fail the statements behind it; its own caller hears of it.
      tail = turn.catch(() => {})
      return turn
    },
    stream,
    finish: () => {
      over = true
      return !streaming
    },
    conflict: () => conflict,
  }
}
