import type { BillingDialect, Dialect } from '../../src/compiler/dialect.ts'
import type { ExecutorOptions } from '../../src/executors/options.ts'
import type { Executor } from '../../src/ports/executor.ts'
import type { Row } from '../../src/ports/rows.ts'
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
  executor(options?: Settings): Executor
  /** Runs as administrator on one connection; rows are exact as an executor's. Without values the text may hold several statements on PostgreSQL. */
  adminQuery(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
  drop(): Promise<void>
}

/** A kind of database that tests run on. */
export interface Target {
  readonly name: TargetName
  readonly dialect: BillingDatabaseDialect
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

/** What closes over an executor list: shared by the three kinds of database. */
export function trackExecutors(): { track: (executor: Executor) => Executor; closeAll: () => Promise<void> } {
  const open: Executor[] = []
  return {
    track(executor) {
      open.push(executor)
      return executor
    },
    async closeAll() {
      await Promise.all(open.splice(0).map((executor) => executor.close()))
    },
  }
}
