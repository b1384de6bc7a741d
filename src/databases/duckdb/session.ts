import { setTimeout } from 'node:timers/promises'
import type { DuckDBConnection, DuckDBResult } from '@duckdb/node-api'
import type { Statement } from '../../compiler/statement.ts'
import { createPace } from '../../core/slices.ts'
import type { Row } from '../../ports/rows.ts'
import { type DriverSession, withDeadline } from '../driver.ts'
import { readCell } from './values.ts'

const INTERRUPT_EVERY_MS = 20
/** An interrupted statement that takes longer than this to end is abandoned with its connection, milliseconds. */
const STUBBORN_MS = 5_000

/** The error of a statement that DuckDB does not end. Nothing may wait for this database after that. */
class Stuck extends Error {
  constructor() {
    super('DuckDB does not end a statement although it was interrupted.')
    this.name = 'Stuck'
  }
}

/**
 * Number of statements of this process that still run although they were interrupted and abandoned. Each holds one of the threads
 * that all asynchronous work of Node shares.
 */
let stuckStatements = 0

/** Number of abandoned statements of this process that still run. */
export function countStuckStatements(): number {
  return stuckStatements
}

/**
 * A reader's connection. Closing a connection while a statement runs on it crashes the process, or the statement never returns. So a running
 * statement is interrupted first, and a connection whose statement ignores the interrupt is never closed.
 */
export function createDuckdbSession(
  connection: DuckDBConnection,
  statementTimeoutMs: number,
  stubbornMs = STUBBORN_MS,
): DriverSession {
  let running: Promise<void> | undefined
  let isClosing = false
  let giveUp: (error: Stuck) => void = () => {}

  /** Resolves when no statement runs on the connection any more, or when its statement has been abandoned. */
  const stop = async (): Promise<void> => {
    const patience = performance.now() + stubbornMs
    // DuckDB forgets an interrupt that arrives before the statement has begun. So it is repeated until the statement ends.
    while (running !== undefined && performance.now() < patience) {
      connection.interrupt()
      await Promise.race([running, setTimeout(INTERRUPT_EVERY_MS)])
    }
    if (running !== undefined) giveUp(new Stuck())
  }

  const run = <T>(action: () => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (isClosing) return reject(new Error('the connection is closed'))
      let isStuck = false
      giveUp = (error) => {
        if (!isStuck) stuckStatements += 1
        isStuck = true
        reject(error)
      }
      running = action()
        .then(resolve, reject)
        .finally(() => {
          if (isStuck) stuckStatements -= 1
          running = undefined
        })
    })
  const query = (statement: Statement): Promise<readonly Row[]> =>
    withDeadline(
      statementTimeoutMs,
      () => void stop(),
      () => run(() => send(connection, statement)),
    )

  const close = (): void => {
    if (isClosing) return
    isClosing = true
    void stop().then(async () => {
      await running
      connection.disconnectSync()
    })
  }

  return {
    begin: () =>
      run(async () => {
        await connection.run('begin transaction')
        // DuckDB takes its snapshot when the transaction first looks at the database, not when it begins.
        if (!isClosing) await connection.run('select count(*) from duckdb_tables()')
      }),
    query,
    async *batches(statement) {
      yield await query(statement)
    },
    end: () => run(async () => void (await connection.run('rollback'))),
    cancel: stop,
    release: close,
    destroy: close,
  }
}

/** Runs a statement with its values bound and returns all rows, with cells in the form of every executor. */
export async function send(connection: DuckDBConnection, { text, values }: Statement): Promise<readonly Row[]> {
  return rowsOf(await connection.run(text, boundValues(values)))
}

/** The values of a statement as DuckDB takes them: each placeholder has a cast from text. */
export function boundValues(values: Statement['values']): (string | null)[] {
  return values.map((value) => (value === null ? null : String(value)))
}

/** All rows of a result. */
export async function rowsOf(result: DuckDBResult): Promise<readonly Row[]> {
  const names = result.deduplicatedColumnNames()
  const pace = createPace()
  const rows: Row[] = []
  // A chunk has about two thousand rows.
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    for (const row of chunk.getRows()) {
      rows.push(Object.fromEntries(row.map((value, index) => [names[index], readCell(value)])))
      await pace()
    }
  }
  return rows
}
