import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createKillbillConnector } from '../../../connectors/killbill/index.ts'
import { mirrorCatalogs } from '../../../src/cache/held/catalogs.ts'
import { heldTables } from '../../../src/cache/held/held-tables.ts'
import type { Patience } from '../../../src/cache/mirror/options.ts'
import { createReadThrough } from '../../../src/cache/mirror/read-through.ts'
import { loadCatalog, type SqlCatalog } from '../../../src/compiler/catalog.ts'
import { duckdb } from '../../../src/compiler/dialects/duckdb.ts'
import type { DatabaseConnector } from '../../../src/connector-kit/connector.ts'
import { once } from '../../../src/core/async.ts'
import { type Clock, fixedClock } from '../../../src/core/clock.ts'
import type { FxRate } from '../../../src/core/currency.ts'
import { type Definitions, definitionsSchema, type SetOptions } from '../../../src/core/definitions.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { createCacheFiles } from '../../../src/databases/duckdb/files.ts'
import { createGate } from '../../../src/databases/gate.ts'
import { createEngine, type Engine } from '../../../src/engine/engine.ts'
import type { ReservedConnections } from '../../../src/execution/dependencies.ts'
import { builtInRegistry } from '../../../src/metrics/built-in.ts'
import type { Registry } from '../../../src/metrics/registry.ts'
import type { CacheDatabase, CacheFiles } from '../../../src/ports/cache-database.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import type { CacheState, ReadThrough } from '../../../src/ports/read-through.ts'
import type { Store } from '../../../src/ports/store.ts'
import { importAttributes } from '../../../src/workspace/attributes/import/csv.ts'
import { importFxRates } from '../../../src/workspace/exchange-rates/import/csv.ts'
import { importExpenses } from '../../../src/workspace/expenses/import/csv.ts'
import { readGoalFile } from '../../../src/workspace/goals/import/csv.ts'
import type { Settings, TestDatabase } from '../databases/test-database.ts'

/** The instant at which the recorded numbers were computed. */
export const END_OF_RECORDING = new Date('2026-11-21T00:00:00Z')

/** Largest file that the engine imports unless told otherwise. */
export const CSV_BYTES = 100_000

const SQL = join(packageRoot(), 'sql')

const KILLBILL = createKillbillConnector({ tenant: [], catalog: [] }).relationsDirectory
/** Once a process, as files of SQL do not change while tests run. */
export const killbillCatalog = once(() => loadCatalog({ sql: SQL, relations: [KILLBILL] }))

const REAL = join(packageRoot(), 'fixtures', 'killbill', 'real')

export interface EngineOptions {
  readonly tenant?: readonly string[]
  /** Instead of a connector with these settings. */
  readonly connector?: DatabaseConnector
  /** Names of tenants, by external key. */
  readonly tenantNames?: Readonly<Record<string, string>>
  /** Address of Kaui. */
  readonly kauiUrl?: string
  readonly now?: Date
  /** Instead of `now`, where it moves. */
  readonly clock?: Clock
  readonly definitions?: Partial<Definitions>
  /** Days after which months are closed in the ledger. */
  readonly close_days?: number
  /** Relations and statements, by default those of the product. */
  readonly catalog?: SqlCatalog
  /** Configured definition sets. */
  readonly sets?: Readonly<Record<string, SetOptions>>
  /** The metrics that it knows, by default all of the product. */
  readonly registry?: Registry
  readonly store?: Store
  readonly workspace?: string
  /** Largest file that it imports; by default CSV_BYTES. */
  readonly csvBytes?: number
  readonly settings?: Settings
  /** Most stored attributes, the default unless told. */
  readonly attributeKeys?: number
  /** Limits of statements, for the estimate of their time. The settings of the executor are apart. */
  readonly statementLimits?: { readonly statement_timeout_ms: number; readonly session_memory_mb: number }
  /** Wraps the executor between the engine and its database. */
  readonly wrapExecutor?: (executor: Executor) => Executor
  /** Connections for probes and stored resources; without them all goes over those of the answers. */
  readonly reserved?: ReservedConnections
  /** Makes the cache that the engine answers from; without it every answer is direct. */
  readonly cache?: (executor: Executor, connector: DatabaseConnector, definitions: Definitions, clock: Clock) => ReadThrough
}

/** The cache over an executor, for the given clock; unless told, requests wait until it is filled. */
export function cacheOver(executor: Executor, connector: DatabaseConnector, options: CacheOptions): ReadThrough {
  const { mirror: source, relationsDirectory } = connector
  if (source === undefined) throw new Error(`${connector.type} has no mirror`)
  const catalog = relationsDirectory === KILLBILL ? killbillCatalog() : loadCatalog({ sql: SQL, relations: [relationsDirectory] })
  return createReadThrough({
    ownExecutor: executor,
    turns: createGate({ size: 8, queueSize: 200, queueMs: 60_000 }),
    mirror: () => ({ connector, source, catalog }),
    files: filesOf(options),
    header: () => ({
      version: options.version ?? 'test',
      code: options.code ?? '',
      identity: '',
      definitions: options.definitions,
    }),
    catalogs: mirrorCatalogs(
      (tables) => loadCatalog({ sql: SQL, relations: [], tables }),
      () => heldTables(connector, catalog, source, 'duckdb'),
      options.definitions,
      'duckdb',
    ),
    request: () => ({ now: options.clock.now(), definitions: options.definitions }),
    isRequired: options.isRequired ?? true,
    patience: options.patience,
    bucket: options.bucket,
    onProgress: options.onProgress ?? (() => {}),
    onFailure: options.onFailure ?? (() => {}),
  })
}

function filesOf({
  memoryMb = 1_000,
  wrap = (database) => database,
  stored = null,
  onNotice = () => {},
}: CacheOptions): CacheFiles {
  const files = createCacheFiles({ stored, onNotice, dialect: duckdb, memoryMb, directory: tmpdir(), poolSize: 8 })
  return {
    ...files,
    open: async (how) => {
      const database = await files.open(how)
      return database === null ? null : wrap(database)
    },
    create: async (how) => wrap(await files.create(how)),
  }
}

export interface CacheOptions {
  readonly clock: Clock
  readonly definitions: Definitions
  readonly memoryMb?: number | undefined
  /** The directory in which the cache outlives its process. */
  readonly stored?: string | null
  readonly onNotice?: (text: string) => void
  /** The version of the product that a stored cache belongs to. */
  readonly version?: string
  /** Digest of the programs that made a stored cache. */
  readonly code?: string
  readonly onProgress?: (state: CacheState) => void
  /** False: it answers only after it was started. */
  readonly isRequired?: boolean
  /** Wraps the database of the cache. */
  readonly wrap?: ((database: CacheDatabase) => CacheDatabase) | undefined
  readonly onFailure?: (error: unknown) => void
  readonly patience?: Patience
  /** Number of customers that a filling makes together. */
  readonly bucket?: number
}

/** The real engine over a test database; rates come from the store given, by default those of the recording. */
export async function engineOver(database: TestDatabase, options: EngineOptions = {}): Promise<Engine> {
  const connector =
    options.connector ??
    createKillbillConnector({
      tenant: options.tenant ?? [],
      tenant_names: options.tenantNames,
      kaui_url: options.kauiUrl,
      catalog: [],
    })
  const { wrapExecutor = (real) => real } = options
  const executor = wrapExecutor(database.executor(options.settings))
  const { close_days } = options
  const definitions = {
    ...definitionsSchema.parse({ base_currency: 'USD', ...options.definitions }),
    ...(close_days !== undefined && { close_days }),
  }
  const clock = options.clock ?? fixedClock(options.now ?? END_OF_RECORDING)
  return createEngine({
    executor,
    reserved: options.reserved,
    connector,
    registry: options.registry ?? builtInRegistry(),
    cache: options.cache?.(executor, connector, definitions, clock),
    store: options.store ?? (await ratesOnly(readFileSync(join(REAL, 'expected', 'fx.csv'), 'utf8'))),
    workspace: options.workspace,
    clock,
    definitions,
    definition_sets: options.sets ?? {},
    limits: {
      max_rows: 250_000,
      ...options.statementLimits,
      ...(options.attributeKeys === undefined ? {} : { attribute_keys: options.attributeKeys }),
    },
    replica: { max_lag_seconds: 300, lag_policy: 'warn', require_read_only: false },
    importAttributes: (source, given, place) => importAttributes(source, given, place, options.csvBytes ?? CSV_BYTES),
    importRates: (source, given, place) => importFxRates(source, place, { ...given, maxBytes: options.csvBytes ?? CSV_BYTES }),
    readGoals: (file, form) => readGoalFile(file, form, options.csvBytes ?? CSV_BYTES),
    importExpenses: (source, given, place) => importExpenses(source, given, place, options.csvBytes ?? CSV_BYTES),
    catalog: options.catalog ?? killbillCatalog(),
  })
}

/** A store that holds the rates of a CSV text in memory; the database stores have their own tests. */
export async function ratesOnly(csv: string): Promise<Store> {
  const kept: FxRate[] = []
  const store: Store = {
    enabled: true,
    fxRates: {
      ratesInto: async (to, from) => kept.filter((rate) => rate.to === to && from?.includes(rate.from) !== false),
      list: async () => kept,
      upsert: async (rates) => {
        for await (const rate of rates) kept.push(rate)
        return kept.length
      },
    },
    version: async () => 0,
    fingerprint: async () => String(kept.length),
    ping: async () => {},
    open: async () => {},
    close: async () => {},
  }
  await importFxRates(csv, store, { maxBytes: 1_000_000 })
  return store
}

/** A file of the recording's expected numbers. */
export function expectedNumbers<T>(tenant: 'alpha' | 'beta', name: string): T {
  return JSON.parse(gunzipSync(readFileSync(join(REAL, 'expected', tenant, `${name}.json.gz`))).toString()) as T
}
