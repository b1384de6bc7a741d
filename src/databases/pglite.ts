import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite, Transaction } from '@electric-sql/pglite'
import type { Statement } from '../compiler/statement.ts'
import { once } from '../core/async.ts'
import { onDemand } from '../core/on-demand.ts'
import type { Executor } from '../ports/executor.ts'
import type { Row } from '../ports/rows.ts'
import type { Driver, DriverSession } from './driver.ts'
import { createExecutor } from './executor.ts'
import { driverCode, type FailureKind, isOfNoNumber } from './failures.ts'
import { type ExecutorOptions, type Limits, resolveLimits } from './options.ts'
import { cursorBatches } from './postgres/cursor.ts'
import { postgresWritePrivileges } from './postgres/privileges.ts'
import { clientScript, embeddedBeginStatements } from './postgres/session.ts'
import { postgresSchema, postgresState } from './postgres/state.ts'
import { EXACT_PARSERS } from './postgres/types.ts'

/**
 * The database: the open `database`, which the executor does not close, or else the database in `directory`, or else a new
 * database in memory.
 */
interface PgliteOptions extends Omit<ExecutorOptions, 'url' | 'poolSize' | 'statementTimeoutMs'> {
  readonly directory?: string | undefined
  readonly database?: PGlite | undefined
}

/**
 * Executor over PGlite, which is PostgreSQL inside this process. It runs one snapshot at a time while the others wait. PGlite has neither a
 * time limit nor a cancel. A running statement blocks the process, so an abort takes effect when that statement has ended.
 */
export function createPgliteExecutor(options: PgliteOptions): Executor {
  const limits = resolveLimits({ ...options, poolSize: 1 })
  const driver = createPgliteDriver(options, limits)
  return createExecutor(driver, limits, {
    state: async (snapshot) => {
      const state = await postgresState(snapshot)
      return { ...state, version: `${state.version} (PGlite: no time limit, no cancel)` }
    },
    schema: postgresSchema,
    writePrivileges: postgresWritePrivileges,
  })
}

function createPgliteDriver(options: PgliteOptions, limits: Limits): Driver {
  const program = pgliteProgram()
  let opened: Promise<PGlite> | undefined
  const open = () => {
    opened ??= options.database === undefined ? create(program, options.directory) : Promise.resolve(options.database)
    return opened
  }
  return {
    variant: 'pglite',
    ...(options.directory === undefined ? {} : { place: options.directory }),
    dialect: options.dialect,
    client: clientScript(options.schema),
    statementTimeoutMs: undefined,
    connectTimeoutMs: undefined,
    connect: async () => createSession(await open(), embeddedBeginStatements(limits, options.schema), limits.tap),
    failureKind: (error) => pgliteFailure(error),
    async close() {
      // A database that could not be opened needs no closing.
      const open = await opened?.catch(() => undefined)
      if (options.database === undefined) await open?.close()
    },
  }
}

// Most databases are servers.
const pgliteProgram = once(() => onDemand(() => import('@electric-sql/pglite')))

async function create(program: ReturnType<typeof pgliteProgram>, directory: string | undefined): Promise<PGlite> {
  // PGlite would create a missing directory, and the billing database is only ever read.
  if (directory !== undefined) await access(join(directory, 'PG_VERSION'))
  const { PGlite } = await program()
  return PGlite.create(directory)
}

/** PGlite runs a transaction only inside a callback. The session keeps that callback waiting until the snapshot is over. */
function createSession(database: PGlite, opening: readonly string[], tap: (text: string) => void): DriverSession {
  let transaction: Transaction | undefined
  /** The target of statements: the database before the transaction, then the transaction, then nothing. */
  let place: Pick<PGlite, 'query'> | undefined = database
  let closed: Promise<void> = Promise.resolve()
  let letGo: () => void = () => {}

  const send = async ({ text, values }: Statement): Promise<readonly Row[]> => {
    if (place === undefined) throw new Error('the transaction is over')
    tap(text)
    // Values are bound as text, which every type accepts. PGlite's own rules would refuse some of them.
    const bound = values.map((value) => (value === null ? null : String(value)))
    return (await place.query<Row>(text, bound, { parsers: EXACT_PARSERS })).rows
  }
  const end = async () => {
    const open = transaction
    transaction = undefined
    place = undefined
    if (open !== undefined) {
      tap('rollback')
      await open.rollback()
    }
    letGo()
    await closed
  }
  return {
    begin: () =>
      new Promise<void>((resolve, reject) => {
        tap('begin')
        closed = database.transaction(async (lent) => {
          for (const text of opening) {
            tap(text)
            await lent.exec(text)
          }
          transaction = lent
          place = lent
          const over = new Promise<void>((release) => (letGo = release))
          resolve()
          await over
        })
        closed.catch(reject)
      }),
    query: send,
    batches: (statement) => cursorBatches(send, statement),
    end,
    cancel: async () => {},
    release: () => {},
    destroy: () => void end().catch(() => {}),
  }
}

function pgliteFailure(error: unknown): FailureKind {
  const code = driverCode(error)
  if (code === undefined) return 'unavailable'
  if (isOfNoNumber(error)) return 'not_a_number'
  return code === '22003' ? 'too_large' : 'refused'
}
