import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { mirrorCatalogs } from '../cache/held/catalogs.ts'
import { heldTables } from '../cache/held/held-tables.ts'
import { patienceFor } from '../cache/mirror/options.ts'
import { createReadThrough } from '../cache/mirror/read-through.ts'
import { loadCatalog, type SqlCatalog } from '../compiler/catalog.ts'
import { duckdb } from '../compiler/dialects/duckdb.ts'
import type { DatabaseConnector } from '../connector-kit/connector.ts'
import { once } from '../core/async.ts'
import type { Clock } from '../core/clock.ts'
import { onDemand } from '../core/on-demand.ts'
import { packageRoot, packageVersion } from '../core/package-root.ts'
import { createGate } from '../databases/gate.ts'
import { logBackgroundFailure } from '../facades/http/failure.ts'
import type { CacheFiles } from '../ports/cache-database.ts'
import type { Executor } from '../ports/executor.ts'
import type { CacheState, ReadThrough } from '../ports/read-through.ts'
import { codeDigest } from './code-digest.ts'
import type { Config } from './config/config.ts'
import { mirrorDirectory, spillDirectory } from './config/mirror-directory.ts'
import { logOf } from './config/runtime.ts'

/** Queries that the cache answers at the same time. */
const CACHE_READERS = 8

// The native library takes as long to load as everything else together, so a process without a cache never loads it.
const cacheProgram = once(() => onDemand(() => import('../databases/duckdb/files.ts')))

interface MirrorContext {
  /** Called with a sentence if the cache cannot be stored. */
  readonly notice: (text: string) => void
  /** Called with a sentence when the cache is filled again. */
  readonly refilled: (text: string) => void
  /** Called with each state of the cache. */
  readonly report: (state: CacheState) => void
  readonly openOwnExecutor: () => Executor
  readonly clock: Clock
  /** The relations of the product and of the connector. */
  readonly catalog: SqlCatalog
  /** SQL folders of added metrics. */
  readonly queries: readonly string[]
}

/**
 * The cache of a configuration, if any. In mode `auto`, an embedded database gets no cache: reading it needs no network, and
 * filling a cache would block it. Trino gets none, because it has no snapshot over several statements.
 */
export function composeMirror(config: Config, connector: DatabaseConnector, context: MirrorContext): ReadThrough | undefined {
  const { mode, memory_mb } = config.cache
  const { mirror: source } = connector
  if (source === undefined || mode === 'off' || (mode === 'auto' && /^(pglite|trino):/i.test(config.database.url)))
    return undefined
  const { catalog, queries } = context
  const program = cacheProgram()
  const sql = join(packageRoot(), 'sql')
  const stored = mirrorDirectory(config)
  const { sets: _sets, ...definitions } = config.definitions
  const code = once(() => codeDigest(connector.type))
  return createReadThrough({
    ownExecutor: context.openOwnExecutor(),
    turns: createGate({ size: CACHE_READERS, queueSize: config.limits.queue_size, queueMs: config.limits.queue_ms }),
    mirror: () => ({ connector, source, catalog }),
    files: openedLate(async () => {
      const { createCacheFiles } = await program()
      return createCacheFiles({
        stored,
        onNotice: context.notice,
        dialect: duckdb,
        memoryMb: memory_mb,
        directory: spillDirectory(config),
        otherwise: tmpdir(),
        statementTimeoutMs: config.limits.statement_timeout_ms,
        poolSize: CACHE_READERS,
        queueLimit: config.limits.queue_size,
        queueMs: config.limits.queue_ms,
      })
    }),
    header: () => ({ version: packageVersion(), code: code(), identity: basename(stored ?? ''), definitions }),
    catalogs: mirrorCatalogs(
      (tables) => loadCatalog({ sql, relations: [], metrics: queries, tables }),
      () => heldTables(connector, catalog, source, duckdb.name),
      definitions,
      duckdb.name,
    ),
    request: () => ({ now: context.clock.now(), definitions }),
    isRequired: mode === 'on',
    patience: patienceFor(config.limits.statement_timeout_ms),
    onProgress: (state) => context.report(state),
    onRefill: ({ text }) => context.refilled(`The cache is filled again: ${text}.`),
    onFailure: (error) => logBackgroundFailure(logOf(config), error, 'cache'),
  })
}

/** The files of a cache, opened with the first use. */
function openedLate(load: () => Promise<CacheFiles>): CacheFiles {
  const loaded = once(load)
  return {
    open: async (how) => (await loaded()).open(how),
    create: async (how) => (await loaded()).create(how),
    keepOnly: async (database) => (await loaded()).keepOnly(database),
    copy: async (...copied) => (await loaded()).copy(...copied),
    removeAll: async () => (await loaded()).removeAll(),
  }
}
