import type { Dialect } from '../compiler/dialect.ts'

/** What every executor is made from. */
export interface ExecutorOptions {
  readonly url: string
  readonly dialect: Dialect
  /** On PostgreSQL the schema that holds the billing tables; on MySQL the database, when the URL names none. */
  readonly schema?: string | undefined
  /** The server ends a statement after this time, milliseconds; default 30,000. */
  readonly statementTimeoutMs?: number | undefined
  /** How many snapshots may be open at a time; default 4. */
  readonly poolSize?: number | undefined
  /** How many snapshots may wait for a connection; default 200. */
  readonly queueLimit?: number | undefined
  /** How long a snapshot may wait for a connection, milliseconds; default 5,000. */
  readonly queueMs?: number | undefined
  /** How long a connection may take to open, milliseconds; default 10,000. */
  readonly connectTimeoutMs?: number | undefined
  readonly applicationName?: string | undefined
  /** How much memory one sort, hash or temporary table of a statement may take, bytes; default 128 MiB. */
  readonly sessionMemoryBytes?: number | undefined
  /** Is called with every SQL text that goes to the server: statements and session settings. */
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
    tap: options.onStatement ?? (() => {}),
  }
}
