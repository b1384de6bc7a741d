import type { BillingDialect, Dialect } from '../../../src/compiler/dialect.ts'
import type { ExecutorOptions } from '../../../src/databases/options.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import type { Row } from '../../../src/ports/rows.ts'
import type { TargetName } from './target-places.ts'

export type Settings = Partial<Omit<ExecutorOptions, 'dialect'>>
export type Value = string | number | boolean | null

/** The dialect of a database that the billing engine can live in. */
export type BillingDatabaseDialect = Dialect & { readonly name: BillingDialect }

/** A database of its own with administrator rights; closes the executors it handed out when it is dropped. */
export interface TestDatabase {
  readonly target: TargetName
  readonly dialect: BillingDatabaseDialect
  readonly url: string
  /** One of its own where it differs in anything, `{}` included; otherwise the one that all share, which cannot be closed. */
  executor(options?: Settings): Executor
  /** Runs as administrator on one connection; rows are exact as an executor's. Without values the text may hold several statements on PostgreSQL. */
  adminQuery(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
  drop(): Promise<void>
}

/** A kind of database that tests run on. */
export interface Target {
  readonly name: TargetName
  readonly dialect: BillingDatabaseDialect
  /** Whether a group of tests is asked of this one alone, and so all that the first engine is asked. */
  readonly actsAsFirst?: boolean
  /** A new, empty database. Those of a test file are dropped at its end. */
  createDatabase(): Promise<TestDatabase>
  /** A filled database that is made once per machine, for all who only read. */
  sharedDatabase(template: Template): Promise<TestDatabase>
  /** A filled database of one's own, where copying one is quicker than filling it. */
  readonly copyOf?: (template: Template) => Promise<TestDatabase>
}

/** How to fill a database, under a key that changes with the contents. */
export interface Template {
  readonly key: string
  fill(database: TestDatabase): Promise<void>
}

/**
 * What executors of tests have unless told: few connections, as each begins cold and more work at a time makes nothing quicker where all
 * share two processors, and patience in waiting for one and for its answer.
 */
export const MODEST: Settings = { poolSize: 2, queueMs: 240_000, statementTimeoutMs: 240_000 }

/**
 * The executors that a database hands out, and their end. Those who ask for nothing special share one, which stays open as long as the
 * database: a server reads its own catalog anew on each connection, which takes longer than most statements of a test.
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
    // What kind of server it is shows with the first connection.
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
