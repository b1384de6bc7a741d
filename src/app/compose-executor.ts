import { mysql } from '../compiler/dialects/mysql.ts'
import { postgres } from '../compiler/dialects/postgres.ts'
import { trino } from '../compiler/dialects/trino.ts'
import { openExecutor } from '../databases/open.ts'
import { MEBIBYTE, type QueryCounts } from '../databases/options.ts'
import type { Executor } from '../ports/executor.ts'
import { BUILT_IN_CONNECTORS } from './built-in.ts'
import { apartFrom, databasePlaces } from './compose-databases.ts'
import type { Config } from './config/config.ts'

/**
 * A connection pool to the billing database, of `limits.pool_size` by default. Connections open on first use. `isForCache`: the cache reads its rows.
 * `counts` gets the queries of Trino. A statement over several databases names one of them.
 */
export function composeExecutor(
  config: Config,
  poolSize = config.limits.pool_size,
  isForCache = false,
  counts?: QueryCounts,
): Executor {
  const executor = openBilling(config, poolSize, isForCache, counts)
  const places = databasePlaces(config)
  return places === undefined ? executor : apartFrom(executor, places)
}

/** The same without a look at the databases that a statement names, for the tables of publications. */
export function openBilling(
  { connector, database, lake, limits }: Config,
  poolSize: number,
  isForCache: boolean,
  counts?: QueryCounts,
): Executor {
  return openExecutor({
    url: database.url,
    schema: database.schema ?? defaultSchema(connector.type, database.url),
    dialects: { postgres, mysql, trino },
    statementTimeoutMs: limits.statement_timeout_ms,
    sessionMemoryBytes: limits.session_memory_mb * MEBIBYTE,
    poolSize,
    queueLimit: limits.queue_size,
    queueMs: limits.queue_ms,
    isForCache,
    trino: { tokenFile: database.token_file, nextUriOrigin: lake.next_uri_origin, scanLimitGb: lake.scan_limit_gb, counts },
  })
}

/** The schema of a connector whose tables are not in the first one of the role. Other databases have it in their address. */
function defaultSchema(connector: string, url: string): string | undefined {
  if (!/^(postgres|postgresql|pglite):/.test(url)) return undefined
  return BUILT_IN_CONNECTORS.find(({ type }) => type === connector)?.defaultSchema
}
