import type { BillingDialect, Dialect } from '../../../src/compiler/dialect.ts'
import type { ExecutorOptions } from '../../../src/databases/options.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import type { Row } from '../../../src/ports/rows.ts'
import type { TargetName } from './target-places.ts'

export type Settings = Partial<Omit<ExecutorOptions, 'dialect'>>
export type Value = string | number | boolean | null

/** The dialect of a database that the billing engine itself can live in. */
export type BillingDatabaseDialect = Dialect & { readonly name: Exclude<BillingDialect, 'trino'> }

/** A database with administrator rights. When it is dropped, it closes the executors it handed out. */
export interface TestDatabase {
  readonly target: TargetName
  readonly dialect: BillingDatabaseDialect
  readonly url: string
  /** A new executor if options are given, `{}` included. Otherwise the one that all share, which cannot be closed. */
  executor(options?: Settings): Executor
  /** Runs as administrator on one connection; rows are exact as an executor's. Without values the text may hold several statements on PostgreSQL. */
  adminQuery(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
  drop(): Promise<void>
}

/** A kind of database that tests run on. */
export interface Target {
  readonly name: TargetName
  readonly dialect: BillingDatabaseDialect
  /** Whether a group runs on this engine alone, so that it gets the cases of the first engine. */
  readonly actsAsFirst?: boolean
  /** A new, empty database. Those of a test file are dropped at its end. */
  createDatabase(): Promise<TestDatabase>
  /** A filled database that is made once per machine, for all who only read. */
  sharedDatabase(template: Template): Promise<TestDatabase>
  /** A new filled database, if copying one is quicker than filling it. */
  readonly copyOf?: (template: Template) => Promise<TestDatabase>
}

/** How to fill a database, under a key that changes with the contents. */
export interface Template {
  readonly key: string
  fill(database: TestDatabase): Promise<void>
}

/**
 * The defaults of executors in tests. They have few connections: each begins cold, and all share two processors. They have patience in
 * waiting for a connection and for its answer.
 */
export const MODEST: Settings = { poolSize: 2, queueMs: 240_000, statementTimeoutMs: 240_000 }

/**
 * The executors that a database hands out, and their end. Calls without options share one, which stays open as long as the
 * database. On each new connection a server reads its own catalog again, which takes longer than most statements of a test.
 */
export function trackExecutors(
  create: (settings: Settings | undefined) => Executor,
): Pick<TestDatabase, 'executor'> & { closeAll(): Promise<void> } {
  const open: Executor[] = []
  const opened = (settings: Settings | undefined) => {
    const executor = create(settings)
    open.push(executor)
    return executor
  }
  let shared: Executor | undefined
  return {
    executor(settings) {
      if (settings !== undefined) return opened(settings)
      shared ??= lasting(opened(undefined))
      return shared
    },
    async closeAll() {
      shared = undefined
      await Promise.all(open.splice(0).map((executor) => executor.close()))
    },
  }
}

function lasting(executor: Executor): Executor {
  return {
    ...executor,
    // The first connection shows the kind of server.
    get dialect() {
      return executor.dialect
    },
    get variant() {
      return executor.variant
    },
    close: async () => {},
  }
}

/** Shared databases stay open as long as the process. */
export function keptOpen(open: (template: Template) => Promise<TestDatabase>): Target['sharedDatabase'] {
  const kept = new Map<string, Promise<TestDatabase>>()
  const openKept = async (template: Template): Promise<TestDatabase> => ({ ...(await open(template)), drop: async () => {} })
  return (template) => {
    const database = kept.get(template.key) ?? openKept(template)
    kept.set(template.key, database)
    database.catch(() => kept.delete(template.key))
    return database
  }
}
