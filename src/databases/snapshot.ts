import type { Statement } from '../compiler/statement.ts'
import { InternalError } from '../core/errors.ts'
import type { Row } from '../ports/rows.ts'
import type { Snapshot } from '../ports/snapshot.ts'
import { readingDenied } from './denials.ts'
import { type Driver, type DriverSession, withDeadline } from './driver.ts'
import {
  databaseUnavailable,
  numberTooLarge,
  ReplayConflict,
  serverLimitReached,
  statementCancelled,
  statementRefused,
  statementTimedOut,
} from './failures.ts'

/** An answer is awaited this much longer than the server's own limit before its connection is given up, milliseconds. */
const GRACE_MS = 5_000

/** A snapshot that its executor can end and ask how it went. */
export interface OpenSnapshot extends Snapshot {
  /** Refuses statements from now on. False when a stream was left open and the connection is still busy with it. */
  finish(): boolean
  /** The standby's cancel, if one hit a statement. It is kept here because the work may have swallowed or wrapped the error. */
  conflict(): ReplayConflict | undefined
}

/** Makes a snapshot of a connection: statements run one after the other, each with a deadline, and driver errors become the product's. */
export function openSnapshot(driver: Driver, session: DriverSession, signal?: AbortSignal): OpenSnapshot {
  let tail: Promise<unknown> = Promise.resolve()
  let over = false
  let streaming = false
  let conflict: ReplayConflict | undefined

  const checkUsable = () => {
    signal?.throwIfAborted()
    if (over) throw new InternalError('A snapshot was used after its end.')
    // MySQL cannot run a second statement while rows of the first arrive. It is refused on every database, so that tests on any find it.
    if (streaming) throw new InternalError('A statement was started while another one of the same snapshot streams.')
  }

  const refusalOf = (label: string, error: unknown) =>
    serverLimitReached(label, error) ?? readingDenied(driver.dialect.name, error) ?? statementRefused(label, error)

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
      if (kind === 'too_large') throw numberTooLarge(label, error)
      if (kind === 'unavailable') throw databaseUnavailable(error, driver)
      if (kind === 'refused') throw refusalOf(label, error)
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
      // A failure is its own caller's to handle and must not fail the statements behind it.
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
