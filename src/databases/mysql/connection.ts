import type mysql from 'mysql2'
import type { Dialect } from '../../compiler/dialect.ts'
import type { Statement } from '../../compiler/statement.ts'
import type { Row } from '../../ports/rows.ts'
import { createConnectionLoss } from '../connection-loss.ts'
import { type DriverSession, mysqlDriver } from '../driver.ts'
import { countOf, linesOf, SENT, writeLines } from './csv.ts'
import { exactRows, type RowSource, rowBatches } from './rows.ts'
import { BEGIN } from './settings.ts'

const KILL_TIMEOUT_MS = 5_000

type Tap = (text: string) => void

/** Runs a text without values. */
export function runText(connection: mysql.Connection, text: string, tap: Tap): Promise<readonly Row[]> {
  tap(text)
  return new Promise((resolve, reject) => {
    connection.query<mysql.RowDataPacket[]>(text, (error, rows, fields) => {
      if (error === null) resolve(Array.isArray(rows) ? exactRows(rows, fields) : [])
      else reject(error)
    })
  })
}

/** Creates a DriverSession from a pooled connection whose settings are applied. */
export function createMysqlSession(
  connection: mysql.PoolConnection,
  config: mysql.ConnectionOptions,
  dialect: Dialect,
  tap: Tap,
): DriverSession {
  let returned = false
  // If a connection is lost, mysql2 never answers the running statements. So every wait also listens for the loss.
  const loss = createConnectionLoss()
  connection.on('error', loss.report)
  const cancel = () => killQuery(connection.threadId, config, tap)

  const query = (statement: Statement): Promise<readonly Row[]> => {
    if (statement.values.length === 0) return loss.orLost(runText(connection, statement.text, tap))
    return loss.orLost(runPrepared(connection, statement, tap))
  }
  const batches = (statement: Statement): AsyncGenerator<readonly Row[]> => {
    tap(statement.text)
    const command = connection.execute(statement.text, parameters(statement)) as unknown as RowSource
    const source: RowSource = {
      on: (event: string, listener: (...args: never[]) => void) => {
        if (event === 'error') command.on('end', loss.listen(listener as (error: unknown) => void))
        return command.on(event as 'end', listener as () => void)
      },
    }
    return unpreparing(connection, statement, rowBatches(connection, source, cancel))
  }

  return {
    begin: () => loss.orLost(runText(connection, BEGIN, tap)).then(() => {}),
    query,
    batches,
    csv: {
      dialect,
      async write(statement, columns, file) {
        await writeLines(batches(linesOf(statement, columns)), file)
        const [row] = await query(SENT)
        return row && Number(row['entries'])
      },
      async count(statement) {
        const [row] = await query(countOf(statement))
        return row && Number(row['entries'])
      },
    },
    end: () => loss.orLost(runText(connection, 'rollback', tap)).then(() => {}),
    cancel,
    release() {
      connection.off('error', loss.report)
      if (!returned) connection.release()
      returned = true
    },
    destroy() {
      if (!returned) connection.destroy()
      returned = true
      loss.report(new Error('the connection was closed'))
    },
  }
}

/** The batches of a statement. The server forgets the statement after the last one. */
async function* unpreparing<T>(connection: mysql.Connection, { text }: Statement, batches: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield* batches
  } finally {
    connection.unprepare(text)
  }
}

/**
 * Prepares a statement for one execution. MariaDB takes far longer the second time it executes a large one (nrr on a small database:
 * 0.06 s, then 2.3 s). The server also keeps some megabytes for each statement until it is closed.
 */
function runPrepared(connection: mysql.Connection, statement: Statement, tap: Tap): Promise<readonly Row[]> {
  tap(statement.text)
  return new Promise((resolve, reject) => {
    connection.execute<mysql.RowDataPacket[]>(statement.text, parameters(statement), (error, rows, fields) => {
      connection.unprepare(statement.text)
      if (error === null) resolve(exactRows(rows, fields))
      else reject(error)
    })
  })
}

/** Sends whole numbers as 64-bit integers. mysql2 would send doubles, which `limit` rejects and which lose digits of large numbers. */
function parameters({ values }: Statement): mysql.ExecuteValues {
  return values.map((value) =>
    Number.isInteger(value) ? mysqlDriver().TypedParameter.LONGLONG(value) : value,
  ) as mysql.ExecuteValues
}

/** Stops the statement that runs on the connection with this thread id. Never rejects. */
async function killQuery(threadId: number, config: mysql.ConnectionOptions, tap: Tap): Promise<void> {
  const killer = mysqlDriver().createConnection({ ...config, connectTimeout: KILL_TIMEOUT_MS })
  killer.on('error', () => {})
  try {
    await runText(killer, `kill query ${threadId}`, tap)
  } catch {
    // No second connection could send the kill. The caller closes the connection of the statement, and the server's time limit
    // ends the statement.
  } finally {
    killer.destroy()
  }
}
