import { AppError, ConfigurationError } from '../core/errors.ts'
import type { TableSizes } from '../ports/executor.ts'
import type { Snapshot } from '../ports/snapshot.ts'
import type { EngineDependencies } from './dependencies.ts'

/**
 * Rows of the tables of a level (`levelTables` of a connector) that a server goes through in a second of one processor. docs/performance.md has the
 * measurements. MySQL and MariaDB are slower if the tables are larger than their buffer pool.
 */
const ROWS_PER_SECOND = { postgres: 300_000, mysql: 150_000, mysql_beyond_pool: 75_000 } as const

/** Memory of one sort or temporary table on MySQL and MariaDB, by rows of these tables. */
const SESSION_BYTES_PER_ROW = 27

const MEBIBYTE = 1024 * 1024
const FRESH_MS = 600_000

/** The limits that an answer straight from the database can exceed. */
interface StraightLimits {
  readonly statement_timeout_ms: number
  readonly session_memory_mb: number
}

/** Reads the estimate: a text if an answer straight from the database may exceed its time limit, else undefined. */
export type StraightEstimate = (snapshot: Snapshot) => Promise<string | undefined>

/** The estimate for a database. Its sizes are read at most every ten minutes. Undefined as well if the sizes cannot be read. */
export function createStraightEstimate({
  executor,
  connector: { levelTables = [] },
  limits: { statement_timeout_ms, session_memory_mb },
  cache,
}: Pick<EngineDependencies, 'executor' | 'connector' | 'limits' | 'cache'>): StraightEstimate {
  let known: { readonly sizes: TableSizes | null; readonly at: number } | undefined
  return async (snapshot) => {
    if (statement_timeout_ms === undefined || session_memory_mb === undefined || levelTables.length === 0) return undefined
    if (known === undefined || performance.now() - known.at > FRESH_MS) {
      const sizes = await executor.tableSizes(snapshot, levelTables)
      known = { sizes, at: performance.now() }
    }
    const limitsOf = { statement_timeout_ms, session_memory_mb }
    return known.sizes === null ? undefined : straightText(known.sizes, snapshot.dialect.name, limitsOf, cache !== undefined)
  }
}

/**
 * Says how long a level straight from the database may take, and what to set. Undefined if it is within the time limit.
 */
export function straightText(
  sizes: TableSizes,
  dialect: string,
  { statement_timeout_ms, session_memory_mb }: StraightLimits,
  hasCache = false,
): string | undefined {
  const { rows, bytes, memory_bytes } = sizes
  const isBeyond = memory_bytes !== null && bytes > memory_bytes
  const rate = dialect === 'mysql' ? (isBeyond ? 'mysql_beyond_pool' : 'mysql') : 'postgres'
  const seconds = rows / ROWS_PER_SECOND[rate]
  if (seconds * 1_000 <= statement_timeout_ms) return undefined
  const needed = 2 ** Math.ceil(Math.log2(mebibytes(rows * SESSION_BYTES_PER_ROW)))
  const remedies = [
    ...(hasCache ? [] : ['cache.mode = "auto", which answers faster']),
    ...(isBeyond ? [`innodb_buffer_pool_size of the server, ${size(bytes)} or more (now ${size(memory_bytes)})`] : []),
    ...(dialect === 'mysql' && needed > session_memory_mb
      ? [`limits.session_memory_mb, ${needed} or more (now ${session_memory_mb})`]
      : []),
    `limits.statement_timeout_ms (now ${statement_timeout_ms})`,
  ]
  const then = hasCache ? ' After the limit, a question waits until the cache is filled.' : ''
  return `A level straight from the billing database reads about ${millions(rows)} rows (${size(bytes)}), which may take about ${Math.round(seconds)} s. To set: ${remedies.join('; ')}.${then}`
}

/** The estimate outside of an answer. Undefined if the database does not give it. */
export async function estimateApart(
  { executor }: Pick<EngineDependencies, 'executor'>,
  estimate: StraightEstimate,
): Promise<string | undefined> {
  try {
    return await executor.withSnapshot(estimate)
  } catch (error) {
    if (error instanceof AppError || error instanceof ConfigurationError) return undefined
    throw error
  }
}

function mebibytes(bytes: number): number {
  return bytes / MEBIBYTE
}

function size(bytes: number): string {
  const mb = mebibytes(bytes)
  return mb < 1_024 ? `${Math.round(mb)} MB` : `${(mb / 1_024).toFixed(1)} GB`
}

function millions(rows: number): string {
  return rows < 1_000_000 ? rows.toLocaleString('en') : `${(rows / 1_000_000).toFixed(1)} million`
}
