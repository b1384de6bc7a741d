import { join } from 'node:path'
import { createKillbillConnector } from '../connectors/killbill/index.ts'
import { loadCatalog } from './compiler/catalog.ts'
import { mysql } from './compiler/dialects/mysql.ts'
import { postgres } from './compiler/dialects/postgres.ts'
import type { Config, StoreConfig } from './config.ts'
import type { DatabaseConnector } from './connector-kit/connector.ts'
import { fixedClock, systemClock } from './core/clock.ts'
import { ConfigurationError } from './core/errors.ts'
import { packageRoot } from './core/package-root.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import type { Store } from './engine/ports.ts'
import { openExecutor } from './executors/open.ts'
import { createApp } from './http/app.ts'
import { type RunningServer, startServer } from './http/server.ts'
import { importAttributes } from './ingest/attribute-csv.ts'
import { createStore } from './store/create-store.ts'

const BODY_BYTES = 1_048_576

/** Every connector there is, by `connector.type`. */
const CONNECTORS: Readonly<Record<string, (config: Config) => DatabaseConnector>> = {
  killbill: ({ connector }) =>
    createKillbillConnector({
      tenant: connector.tenant ?? [],
      catalog: connector.catalog ?? [],
      cancel_reason_field: connector.cancel_reason_field,
    }),
}

/** The engine of a configuration with its store; nothing is connected before it is needed. Closing the engine closes both. */
export function composeEngine(config: Config): { readonly engine: Engine; readonly store: Store } {
  const connector = connectorOf(config)
  const { database, limits, clock, definitions, replica } = config
  const store = composeStore(config)
  const executor = openExecutor({
    url: database.url,
    schema: database.schema,
    dialects: { postgres, mysql },
    statementTimeoutMs: limits.statement_timeout_ms,
    poolSize: limits.pool_size,
  })
  const engine = createEngine({
    executor,
    connector,
    store: store.enabled ? store : null,
    clock: clock.now === undefined ? systemClock : fixedClock(clock.now),
    definitions,
    limits,
    replica,
    importAttributes: (source, options, place) => importAttributes(source, options, place, limits.max_csv_bytes),
    catalog: loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [connector.relationsDirectory] }),
  })
  return { engine, store }
}

/** The side store of a configuration. */
export function composeStore({ store }: StoreConfig): Store {
  return createStore({ url: store.url, schema: store.schema, baseDirectory: process.cwd(), colocated: store.colocated })
}

/** Opens the store, then listens. Failures of ours go to stderr, one JSON line each. */
export async function startService(config: Config, engine: Engine, store: Store, version: string): Promise<RunningServer> {
  if (store.enabled) await store.open()
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

function connectorOf(config: Config): DatabaseConnector {
  const { type } = config.connector
  const create = Object.hasOwn(CONNECTORS, type) ? CONNECTORS[type] : undefined
  if (create === undefined)
    throw new ConfigurationError([
      `connector.type: there is no connector "${type}"; available: ${Object.keys(CONNECTORS).join(', ')}`,
    ])
  return create(config)
}
