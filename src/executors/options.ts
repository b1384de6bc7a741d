import type { Dialect } from '../compiler/dialect.ts'

/** What every executor is made from. */
export interface ExecutorOptions {
  readonly url: string
  readonly dialect: Dialect
  /** PostgreSQL: the schema that holds the billing tables; MySQL: the database, when the URL names none. */
  readonly schema?: string | undefined
  /** Server-side limit of one statement, milliseconds; 30,000 unless told. */
  readonly statementTimeoutMs?: number | undefined
  /** Most snapshots at a time; 4 unless told. */
  readonly poolSize?: number | undefined
  /** Most snapshots that may wait for a connection; four times the pool unless told. */
  readonly queueLimit?: number | undefined
  /** How long a connection may take to open, milliseconds; 10,000 unless told. */
  readonly connectTimeoutMs?: number | undefined
  readonly applicationName?: string | undefined
  /** What one sort, hash or temporary table of a statement may take, bytes; 128 MiB unless told. */
  readonly sessionMemoryBytes?: number | undefined
  /** Sees every SQL text that goes to the server: statements and session settings. */
  readonly onStatement?: ((text: string) => void) | undefined
}

/** The options with every default filled in. */
export interface Limits {
  readonly statementTimeoutMs: number
  readonly poolSize: number
  readonly queueLimit: number
  readonly connectTimeoutMs: number
  readonly applicationName: string
  readonly sessionMemoryBytes: number
  readonly tap: (text: string) => void
}

export const MEBIBYTE = 1024 * 1024

/** Fills in the defaults. */
export function resolveLimits(options: Omit<ExecutorOptions, 'url' | 'dialect'>): Limits {
  const poolSize = options.poolSize ?? 4
  return {
    statementTimeoutMs: options.statementTimeoutMs ?? 30_000,
    poolSize,
    queueLimit: options.queueLimit ?? poolSize * 4,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    applicationName: options.applicationName ?? 'plumbline',
    sessionMemoryBytes: options.sessionMemoryBytes ?? 128 * MEBIBYTE,
    tap: options.onStatement ?? (() => {}),
  }
}
