import { PGlite, type Transaction } from '@electric-sql/pglite'
import type { Statement } from '../compiler/statement.ts'
import type { Executor, Row } from '../engine/ports.ts'
import type { Driver, DriverSession } from './driver.ts'
import { createExecutor } from './executor.ts'
import { driverCode } from './failures.ts'
import { type ExecutorOptions, type Limits, resolveLimits } from './options.ts'
import { cursorBatches } from './postgres-cursor.ts'
import { postgresState, postgresWritePrivileges } from './postgres-introspection.ts'
import { embeddedBeginStatements } from './postgres-session.ts'
import { EXACT_PARSERS } from './postgres-types.ts'

/** `database`: an open one, which stays open; else `directory`; else in memory. */
export interface PgliteOptions extends Omit<ExecutorOptions, 'url' | 'poolSize' | 'statementTimeoutMs'> {
  readonly directory?: string | undefined
  readonly database?: PGlite | undefined
}

/**
 * Executor over PGlite, PostgreSQL inside this process: one snapshot at a time, the others queue. It has neither a time limit nor a
 * cancel, and the process stands still while a statement runs; an abort takes effect at the end of the statement under way.
 */
export function createPgliteExecutor(options: PgliteOptions): Executor {
  const limits = resolveLimits({ queueLimit: 64, ...options, poolSize: 1 })
  const driver = createPgliteDriver(options, limits)
  return createExecutor(driver, limits, {
    state: async (snapshot) => {
      const state = await postgresState(snapshot)
      return { ...state, version: `${state.version} (PGlite: no time limit, no cancel)` }
    },
    writePrivileges: postgresWritePrivileges,
  })
}

function createPgliteDriver(options: PgliteOptions, limits: Limits): Driver {
  let opened: Promise<PGlite> | undefined
  const open = () => {
    opened ??= options.database === undefined ? PGlite.create(options.directory) : Promise.resolve(options.database)
    return opened
  }
  return {
    variant: 'pglite',
    dialect: options.dialect,
    statementTimeoutMs: undefined,
    connectTimeoutMs: undefined,
    connect: async () => createSession(await open(), embeddedBeginStatements(limits, options.schema), limits.tap),
    failureKind: (error) => (driverCode(error) === undefined ? 'unavailable' : 'refused'),
    async close() {
      if (options.database === undefined) await (await opened)?.close()
    },
  }
}

/** PGlite lends a transaction to a callback; the session keeps that callback waiting until the snapshot is over. */
function createSession(database: PGlite, opening: readonly string[], tap: (text: string) => void): DriverSession {
  let transaction: Transaction | undefined
  let closed: Promise<void> = Promise.resolve()
  let letGo: () => void = () => {}

  const send = async ({ text, values }: Statement): Promise<readonly Row[]> => {
    if (transaction === undefined) throw new Error('the transaction is over')
    tap(text)
    // As text, which every type accepts; PGlite's own rules would turn some of the values down.
    const bound = values.map((value) => (value === null ? null : String(value)))
    return (await transaction.query<Row>(text, bound, { parsers: EXACT_PARSERS })).rows
  }
  const end = async () => {
    const open = transaction
    transaction = undefined
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
