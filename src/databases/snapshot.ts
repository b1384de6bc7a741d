import { dirname } from 'node:path'
import type { Statement } from '../compiler/statement.ts'
import { InternalError, Shortage } from '../core/errors.ts'
import type { CacheColumn } from '../ports/cache-database.ts'
import type { Row } from '../ports/rows.ts'
import type { Snapshot } from '../ports/snapshot.ts'
import { readingDenied } from './denials.ts'
import { type Driver, type DriverSession, withDeadline } from './driver.ts'
import {
  databaseUnavailable,
  notANumber,
  numberTooLarge,
  ReplayConflict,
  serverLimitReached,
  statementCancelled,
  statementRefused,
  statementTimedOut,
} from './failures.ts'
import type { Limits } from './options.ts'
import { diskShortage } from './shortage.ts'

/** A connection that is still silent this long after the server's own time limit is closed, milliseconds. */
const GRACE_MS = 5_000

/** A snapshot that its executor can end and inspect. */
interface OpenSnapshot extends Snapshot {
  /**
   * Refuses further statements, and waits for the one that still runs if the work has failed meanwhile. False if a stream was left open and the
   * connection is still busy with it.
   */
  finish(): Promise<boolean>
  /** The error, if the standby cancelled a statement. It is stored here because the work may have swallowed or wrapped it. */
  conflict(): ReplayConflict | undefined
}

/** Creates a snapshot on a connection: one statement at a time, each with a deadline, and driver errors translated into the product's. */
export function openSnapshot(
  driver: Driver,
  session: DriverSession,
  { isForCache }: Pick<Limits, 'isForCache'>,
  signal?: AbortSignal,
): OpenSnapshot {
  let tail: Promise<unknown> = Promise.resolve()
  let over = false
  let streaming = false
  let conflict: ReplayConflict | undefined

  const checkUsable = () => {
    signal?.throwIfAborted()
    if (over) throw new InternalError('A snapshot was used after its end.')
    // MySQL cannot run a second statement while rows of the first arrive. A snapshot refuses it on every database, so that a test
    // on any database finds the mistake.
    if (streaming) throw new InternalError('A statement was started while another one of the same snapshot streams.')
  }

  const refusalOf = (label: string, error: unknown) =>
    driver.refusal?.(label, error) ??
    serverLimitReached(label, error) ??
    readingDenied(driver.dialect.name, error) ??
    statementRefused(label, error)

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
      if (error instanceof Shortage) throw error
      const kind = overdue ? 'timeout' : driver.failureKind(error, performance.now() - started)
      if (kind === 'timeout') throw statementTimedOut(limit ?? 0, driver.dialect.name, isForCache, error)
      if (kind === 'cancelled') throw statementCancelled(error)
      if (kind === 'too_large') throw numberTooLarge(label, error)
      if (kind === 'not_a_number') throw notANumber(label, error)
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

  const inTurn = <T>(label: string, action: () => Promise<T>): Promise<T> => {
    const turn = tail.then(() => {
      checkUsable()
      return timed(label, action)
    })
    // The statement's own caller handles the failure. It must not fail the statements behind it.
    tail = turn.catch(() => {})
    return turn
  }
  const { csv } = session
  const { client } = driver

  return {
    dialect: driver.dialect,
    query: (statement) => inTurn(statement.label, () => session.query(statement)),
    stream,
    ...(client !== undefined && { client }),
    ...(csv !== undefined && {
      csv: {
        dialect: csv.dialect,
        write: (statement: Statement, columns: readonly CacheColumn[], file: string) =>
          inTurn(statement.label, () =>
            csv.write(statement, columns, file).catch((error: unknown) => {
              throw diskShortage(error, dirname(file)) ?? error
            }),
          ),
        count: (statement: Statement) => inTurn(statement.label, () => csv.count(statement)),
      },
    }),
    finish: async () => {
      over = true
      await tail
      return !streaming
    },
    conflict: () => conflict,
  }
}
