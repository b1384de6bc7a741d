import type { Dialect } from '../compiler/dialect.ts'

/** Counts the queries of a process on Trino by how they ended. */
export interface QueryCounts {
  /** A query has ended. Without an error it has succeeded. */
  ended(error?: unknown): void
  /** A query, or a step of a publication, is sent again after this error. */
  repeated(error: unknown): void
  /** Both by code: `ok`, Trino's name of the error, `HTTP_<status>`, or a name of the connection's failure. */
  figures(): { readonly queries: Readonly<Record<string, number>>; readonly retries: Readonly<Record<string, number>> }
}

/** Options that only Trino has. */
export interface TrinoOptions {
  /** File with a JWT, read again for each query. */
  readonly tokenFile?: string | undefined
  /** Origin by which the coordinator names itself, if a proxy has another one. */
  readonly nextUriOrigin?: string | undefined
  /** Most gigabytes that one query may read from files. Default 100. */
  readonly scanLimitGb?: number | undefined
  /** True for the writer of publications. Nobody else sends a statement that could write. */
  readonly mayWrite?: boolean | undefined
  /** The setting that holds the address, for messages. Default `database`. */
  readonly setting?: 'database' | 'lake'
  /** True if Trino repeats failed tasks of a query, which needs an exchange manager of the cluster. */
  readonly isFaultTolerant?: boolean | undefined
  /** Counts the queries. */
  readonly counts?: QueryCounts | undefined
}

/** The options of every executor. */
export interface ExecutorOptions {
  readonly url: string
  readonly dialect: Dialect
  /** On PostgreSQL the schema that holds the billing tables. On MySQL the database, if the URL names none. On Trino a
   * schema of the address's catalog. */
  readonly schema?: string | undefined
  /** The server ends a statement after this time, milliseconds. Default 30,000. */
  readonly statementTimeoutMs?: number | undefined
  /** Number of snapshots that may be open at a time. Default 4. */
  readonly poolSize?: number | undefined
  /** Number of snapshots that may wait for a connection. Default 200. */
  readonly queueLimit?: number | undefined
  /** Longest wait of a snapshot for a connection, milliseconds. Default 5,000. */
  readonly queueMs?: number | undefined
  /** Longest time to open a connection, milliseconds. Default 10,000. */
  readonly connectTimeoutMs?: number | undefined
  readonly applicationName?: string | undefined
  /** Memory limit of one sort, hash or temporary table of a statement, bytes. Default 128 MiB. */
  readonly sessionMemoryBytes?: number | undefined
  /** True if the rows are for the cache. Its errors then do not advise to use the cache. */
  readonly isForCache?: boolean | undefined
  readonly trino?: TrinoOptions | undefined
  /** Called with every SQL text that goes to the server: statements and session settings. */
  readonly onStatement?: ((text: string) => void) | undefined
}

/** The options with every default filled in. */
export interface Limits {
  readonly statementTimeoutMs: number
  readonly poolSize: number
  readonly queueLimit: number
  readonly queueMs: number
  readonly connectTimeoutMs: number
  readonly applicationName: string
  readonly sessionMemoryBytes: number
  readonly isForCache: boolean
  readonly tap: (text: string) => void
}

export const MEBIBYTE = 1024 * 1024

/** Fills in the defaults. */
export function resolveLimits(options: Omit<ExecutorOptions, 'url' | 'dialect'>): Limits {
  return {
    statementTimeoutMs: options.statementTimeoutMs ?? 30_000,
    poolSize: options.poolSize ?? 4,
    queueLimit: options.queueLimit ?? 200,
    queueMs: options.queueMs ?? 5_000,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    applicationName: options.applicationName ?? 'plumbline',
    sessionMemoryBytes: options.sessionMemoryBytes ?? 128 * MEBIBYTE,
    isForCache: options.isForCache ?? false,
    tap: options.onStatement ?? (() => {}),
  }
}
