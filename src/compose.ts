import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKillbillConnector } from '../connectors/killbill/index.ts'
import { createReadThrough } from './cache/read-through.ts'
import { loadCatalog } from './compiler/catalog.ts'
import { duckdb } from './compiler/dialects/duckdb.ts'
import { mysql } from './compiler/dialects/mysql.ts'
import { postgres } from './compiler/dialects/postgres.ts'
import type { Config, StoreConfig } from './config.ts'
import type { DatabaseConnector } from './connector-kit/connector.ts'
import { type Clock, fixedClock, systemClock } from './core/clock.ts'
import { ConfigurationError } from './core/errors.ts'
import { packageRoot } from './core/package-root.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import type { Executor, Store } from './engine/ports.ts'
import type { ReadThrough } from './engine/read-through.ts'
import { openExecutor } from './executors/open.ts'
import { MEBIBYTE } from './executors/options.ts'
import { createApp } from './http/app.ts'
import { logFailure } from './http/log.ts'
import { type RunningServer, startServer } from './http/server.ts'
import { importAttributes } from './ingest/attribute-csv.ts'
import { createStore } from './store/create-store.ts'

const BODY_BYTES = MEBIBYTE
/** Of the cache to the billing database: for a filling and for a refresh. */
const CACHE_CONNECTIONS = 2
/** Statements that the cache runs at a time. */
const CACHE_READERS = 8

/** Every connector there is, by `connector.type`. */
const CONNECTORS: Readonly<Record<string, (config: Config) => DatabaseConnector>> = {
  killbill: ({ connector }) =>
    createKillbillConnector({
      tenant: connector.tenant ?? [],
      catalog: connector.catalog ?? [],
      cancel_reason_field: connector.cancel_reason_field,
    }),
}

/** What a configuration makes. */
export interface Composed {
  readonly engine: Engine
  readonly store: Store
  readonly cache: ReadThrough | undefined
}

/** The engine of a configuration with its store; nothing is connected before it is needed. Closing the engine closes both. */
export function composeEngine(config: Config): Composed {
  const connector = connectorOf(config)
  const { database, limits, clock, definitions, replica } = config
  const store = composeStore(config)
  const open = (poolSize: number) =>
    openExecutor({
      url: database.url,
      schema: database.schema,
      dialects: { postgres, mysql },
      statementTimeoutMs: limits.statement_timeout_ms,
      sessionMemoryBytes: limits.session_memory_mb * MEBIBYTE,
      poolSize,
    })
  const executor = open(limits.pool_size)
  const present = clock.now === undefined ? systemClock : fixedClock(clock.now)
  const cache = composeCache(config, connector, { openOwnExecutor: () => open(CACHE_CONNECTIONS), clock: present })
  const engine = createEngine({
    executor,
    connector,
    cache,
    store: store.enabled ? store : null,
    clock: present,
    definitions,
    limits,
    replica,
    importAttributes: (source, options, place) => importAttributes(source, options, place, limits.max_csv_bytes),
    catalog: loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [connector.relationsDirectory] }),
  })
  return { engine, store, cache }
}

/** The side store of a configuration. */
export function composeStore({ store }: StoreConfig): Store {
  return createStore({ url: store.url, schema: store.schema, baseDirectory: process.cwd(), colocated: store.colocated })
}

/** Opens the store, then listens. Failures of ours go to stderr, one JSON line each. */
export async function startService(config: Config, { engine, store, cache }: Composed, version: string): Promise<RunningServer> {
  if (store.enabled) await store.open()
  cache?.start()
  const app = createApp({
    engine,
    version,
    corsOrigins: config.server.cors_origins,
    limits: { body_bytes: BODY_BYTES, csv_bytes: config.limits.max_csv_bytes },
    log: (line) => process.stderr.write(`${line}\n`),
  })
  return startServer(app, config.server).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    const { host, port } = config.server
    throw new ConfigurationError([`server: cannot listen on ${host} port ${port} (${code})`])
  })
}

/** Nothing to cache where the billing database is in this process: one snapshot at a time, and no network to save. */
function composeCache(config: Config, connector: DatabaseConnector, around: CacheSurroundings): ReadThrough | undefined {
  const { mode, memory_mb, directory } = config.cache
  const { createFeed } = connector
  if (createFeed === undefined || mode === 'off' || (mode === 'auto' && config.database.url.startsWith('pglite:')))
    return undefined
  const catalog = loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [], instead: join(packageRoot(), 'sql', 'cached') })
  return createReadThrough({
    ownExecutor: around.openOwnExecutor(),
    createFeed,
    openDatabase: async () => {
      // Loaded when it is wanted: the native library takes as long to load as everything else together.
      const { openDuckdb } = await import('./executors/duckdb.ts')
      return openDuckdb({
        dialect: duckdb,
        memoryMb: memory_mb,
        directory: directory ?? tmpdir(),
        statementTimeoutMs: config.limits.statement_timeout_ms,
        poolSize: CACHE_READERS,
        queueLimit: CACHE_READERS * 8,
      })
    },
    catalog,
    request: () => ({ now: around.clock.now(), definitions: config.definitions }),
    isRequired: mode === 'on',
    onProgress: ({ status, accounts }) => {
      const end = status === 'filling' ? '' : '\n'
      if (process.stderr.isTTY) process.stderr.write(`\rCache ${status}: ${accounts} accounts${end}`)
    },
    onFailure: (error) => logFailure((line) => process.stderr.write(`${line}\n`), error, 'cache', undefined),
  })
}

interface CacheSurroundings {
  readonly openOwnExecutor: () => Executor
  readonly clock: Clock
}

function connectorOf(config: Config): DatabaseConnector {
  const { type } = config.connector
  const create = Object.hasOwn(CONNECTORS, type) ? CONNECTORS[type] : undefined
  if (create === undefined)
    throw new ConfigurationError([
      `connector.type: there is no connector "${type}"; available: ${Object.keys(CONNECTORS).join(', ')}`,
    ])
  return create(config)
}
