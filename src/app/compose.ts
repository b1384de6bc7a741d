import { join } from 'node:path'
import { loadCatalog, type SqlCatalog } from '../compiler/catalog.ts'
import { mysql } from '../compiler/dialects/mysql.ts'
import { postgres } from '../compiler/dialects/postgres.ts'
import { sqlite } from '../compiler/dialects/sqlite.ts'
import { checkSupplied } from '../connector-kit/capabilities.ts'
import { type ConformanceFinding, checkConformance } from '../connector-kit/conformance.ts'
import type { DatabaseConnector } from '../connector-kit/connector.ts'
import type { ConnectorDefinition } from '../connector-kit/definition.ts'
import { redact } from '../core/addresses.ts'
import { baseCurrency } from '../core/definitions.ts'
import { ConfigurationError } from '../core/errors.ts'
import { onDemand } from '../core/on-demand.ts'
import { packageRoot } from '../core/package-root.ts'
import { addressFindings, type ConfiguredAddress } from '../databases/addresses/address-findings.ts'
import { serverKind } from '../databases/addresses/read-address.ts'
import { MEBIBYTE } from '../databases/options.ts'
import { createQueryCounts } from '../databases/trino/query-counts.ts'
import { createEngine } from '../engine/engine.ts'
import type { SetupFacts } from '../execution/dependencies.ts'
import { createStateLog, logBackgroundFailure } from '../facades/http/failure.ts'
import { isLoopback } from '../facades/http/host-names.ts'
import { builtInRegistry } from '../metrics/built-in.ts'
import type { MetricDefinition } from '../metrics/define-metric.ts'
import type { AccountingPlatform } from '../ports/accounting.ts'
import type { CacheState } from '../ports/read-through.ts'
import type { Store } from '../ports/store.ts'
import type { OwnDimension } from '../query/own-dimension.ts'
import { createStore } from '../workspace/store/create-store.ts'
import { builtInPlatforms } from './built-in.ts'
import { cacheRoomFinding } from './cache-room.ts'
import { composeConnector, composeDatabases, connectorDefinition } from './compose-connector.ts'
import { composeExecutor, openBilling } from './compose-executor.ts'
import { composeLake } from './compose-lake.ts'
import { composeMirror } from './compose-mirror.ts'
import type { Config, StoreConfig } from './config/config.ts'
import { clockOf, logOf, toStderr } from './config/runtime.ts'
import { fillLine } from './fill-report.ts'
import type { Composed, RunningService } from './service.ts'

export { composeConnector } from './compose-connector.ts'

/** Connections of the cache to the billing database: one to fill it, one to refresh it. */
const CACHE_CONNECTIONS = 2
/** Connections of probes to the billing database: two for readiness, in case one hangs, and one for the rights of the role. */
const PROBES = 3
/** Connections of discovery and stored resources to the billing database. */
const RESOURCES = 2

const attributeImport = onDemand(() => import('../workspace/attributes/import/csv.ts'))
const expenseImport = onDemand(() => import('../workspace/expenses/import/csv.ts'))
const goalImport = onDemand(() => import('../workspace/goals/import/csv.ts'))
const rateImport = onDemand(() => import('../workspace/exchange-rates/import/csv.ts'))
const fileFetch = onDemand(() => import('../workspace/csv/fetch-file.ts'))

const STORE_DIALECTS = { postgres, mysql, sqlite } as const

/** A metric of an embedding program. */
export interface OwnMetric {
  readonly definition: MetricDefinition
  /** Folder of its SQL files, one per query. The folder has the name of the metric. */
  readonly sqlDirectory: string
}

/** Metrics, dimensions, connectors and platforms that an embedding program adds. */
export interface Extensions {
  readonly metrics?: readonly OwnMetric[]
  /** Dimensions that the built-in metrics and the added `metrics` accept. */
  readonly dimensions?: readonly OwnDimension[]
  /** A connector with the type of a built-in connector replaces that connector. */
  readonly connectors?: readonly ConnectorDefinition[]
  /** A platform with the type of a built-in platform replaces that platform. */
  readonly platforms?: readonly AccountingPlatform[]
}

/** The engine of a configuration with its store. They connect on first use. Closing the engine closes both. */
export function composeEngine(config: Config, extensions: Extensions = {}): Composed {
  const connector = composeConnector(config, extensions)
  const { database, limits, replica } = config
  const { sets, ...options } = config.definitions
  const { close_days } = config.ledger
  const definitions = { ...options, ...(close_days !== undefined && { close_days }) }
  checkDefinitions(connector, config.definitions)
  const store = composeStore(config)
  const counts = createQueryCounts()
  const open = (poolSize?: number) => composeExecutor(config, poolSize, false, counts)
  const executor = open()
  // An embedded database lives in this process and has one connection.
  const reserved = database.url.startsWith('pglite:') ? undefined : { probe: open(PROBES), resources: open(RESOURCES) }
  // A command that finds the stored cache in use answers without it.
  let notice: (text: string) => void = () => {}
  let refilled: (text: string) => void = () => {}
  let report: (state: CacheState) => void = process.stderr.isTTY ? fillLine((text) => process.stderr.write(text)) : () => {}
  const catalog = composeCatalog(connector, extensions)
  const lake = composeLake(config, {
    connector,
    catalog,
    queries: sqlDirectories(extensions),
    databases: composeDatabases(config, connectorDefinition(config, extensions)),
    openExecutor: () => openBilling(config, limits.pool_size, false, counts),
    counts,
  })
  const writeClock = clockOf(config)
  const clock = lake?.clock ?? writeClock
  const mirror = composeMirror(config, connector, {
    report: (state) => report(state),
    notice: (text) => notice(text),
    refilled: (text) => refilled(text),
    openOwnExecutor: () => composeExecutor(config, CACHE_CONNECTIONS, true),
    clock,
    catalog,
    queries: sqlDirectories(extensions),
  })
  const cache = lake?.cache ?? mirror
  const engine = createEngine({
    executor,
    addresses: addressFindings(addressesOf(config)),
    setup: config.isSample === true ? undefined : setupFacts(config),
    reserved,
    connector: lake?.connector ?? connector,
    registry: builtInRegistry(
      extensions.metrics?.map(({ definition }) => definition),
      extensions.dimensions,
    ),
    cache,
    cacheRoom: mirror && (() => cacheRoomFinding(config)),
    lake: lake?.cache.check,
    lakeFigures:
      serverKind(database.url) === 'trino' ? () => ({ publication: lake?.figures() ?? null, ...counts.figures() }) : undefined,
    isHeldOnly: config.lake.databases !== undefined,
    store: store.enabled ? store : null,
    workspace: config.store.workspace,
    clock,
    writeClock,
    definitions,
    definition_sets: sets,
    ledger: config.ledger,
    limits,
    replica,
    auth: config.auth,
    importAttributes: async (source, options, place) => {
      const { importAttributes } = await attributeImport()
      return importAttributes(source, options, place, limits.max_csv_bytes)
    },
    importExpenses: async (source, options, place) => {
      const { importExpenses } = await expenseImport()
      return importExpenses(source, options, place, limits.max_csv_bytes)
    },
    readGoals: async function* (file, form) {
      const { readGoalFile } = await goalImport()
      yield* readGoalFile(file, form, limits.max_csv_bytes)
    },
    importRates: async (source, options, place) => {
      const { importFxRates } = await rateImport()
      return importFxRates(source, place, { ...options, maxBytes: limits.max_csv_bytes })
    },
    fetchRates: async (signal) => {
      const { fetchFile } = await fileFetch()
      return fetchFile(config.fx.ecb_url, limits.max_csv_bytes, signal)
    },
    catalog,
    platforms: composePlatforms(config, extensions),
    onFailure: (error) => logBackgroundFailure(logOf(config), error, 'sources'),
    onUnready: createStateLog(logOf(config)),
  })
  const reportCache: Composed['reportCache'] = (next) => {
    report = next.report
    notice = next.notice
    refilled = next.refilled
  }
  return { engine, store, cache, lake, reportCache, isExtended: Object.values(extensions).some((added) => added.length > 0) }
}

/** ConfigurationError if a set has the name of a connector's set, or needs billing periods or refunds that the engine does not have. */
function checkDefinitions(
  { type, billingPeriods, capabilities, definitionSets = [] }: DatabaseConnector,
  { sets, ...own }: Config['definitions'],
): void {
  const taken = definitionSets.filter(({ name }) => Object.hasOwn(sets, name))
  const problems = taken.map(({ name }) => `definitions.sets.${name}: the connector has a set of this name`)
  const stated = [
    ['definitions', own] as const,
    ...Object.entries(sets).map(([name, set]) => [`definitions.sets.${name}`, set] as const),
  ]
  for (const [place, { billing_periods = 'all', refunds }] of stated) {
    if (refunds === 'subtract' && (capabilities['refund'] ?? 'absent') === 'absent')
      problems.push(`${place}.refunds: the connector "${type}" cannot supply refunds; allowed: ignore`)
    const unknown = billing_periods.split(',').filter((word) => word !== 'all' && billingPeriods?.includes(word) === false)
    if (unknown.length > 0)
      problems.push(`${place}.billing_periods: unknown ${unknown.join(', ')}; known: ${billingPeriods?.join(', ')}`)
  }
  if (problems.length > 0) throw new ConfigurationError(problems)
}

function setupFacts({ setup, server, store }: Config): SetupFacts {
  const isReachable = !isLoopback(server.host) || server.hosts.length > 0 || server.public_origin !== undefined
  return { done: setup.done, isReachable, store: storeFacts(store) }
}

function storeFacts({ url, schema }: Config['store']): SetupFacts['store'] {
  if (url === 'none') return null
  const file = /^sqlite:(.*)$/s.exec(url)?.[1]
  if (file !== undefined) return { place: file, backup: `sqlite3 '${file}' ".backup 'store-copy.db'"` }
  const place = redact(url)
  if (url.startsWith('postgres')) return { place: `${place}, schema ${schema}`, backup: `pg_dump --schema=${schema}` }
  return { place, backup: 'mysqldump --single-transaction' }
}

/** The addresses of a configuration and their sources. */
function addressesOf({ database, store, addresses }: Config): readonly ConfiguredAddress[] {
  return [
    { setting: 'database.url', url: database.url, ...addresses.database },
    { setting: 'store.url', url: store.url, ...addresses.store },
  ]
}

/** The built-in SQL with the SQL of a connector and of added metrics. TemplateError or InternalError with all problems. */
export function composeCatalog(connector: DatabaseConnector, extensions: Extensions = {}): SqlCatalog {
  checkSupplied(connector)
  const relations = [connector.relationsDirectory]
  return loadCatalog({ sql: join(packageRoot(), 'sql'), relations, metrics: sqlDirectories(extensions) })
}

/** Runs the conformance kit on the connector and database of a configuration. Empty if every contract holds. Throws the AppErrors of a request. */
export async function checkConnector(config: Config, extensions: Extensions = {}): Promise<readonly ConformanceFinding[]> {
  const connector = composeConnector(config, extensions)
  const executor = composeExecutor(config, 1)
  const { sets: _sets, ...configured } = config.definitions
  const definitions = { ...configured, base_currency: baseCurrency(configured, []) }
  const catalog = composeCatalog(connector, extensions)
  try {
    return await checkConformance({ connector, executor, catalog, now: clockOf(config).now(), definitions })
  } finally {
    await executor.close()
  }
}

function composePlatforms(config: Config, { platforms: own = [] }: Extensions): readonly AccountingPlatform[] {
  return [...own, ...builtInPlatforms(config).filter(({ type }) => !own.some((platform) => platform.type === type))]
}

function sqlDirectories({ metrics = [] }: Extensions): readonly string[] {
  return metrics.map(({ sqlDirectory }) => sqlDirectory)
}

/** The side store of a configuration. Without limits it cannot answer metrics. */
export function composeStore({ store, limits, log }: StoreConfig & Partial<Pick<Config, 'limits' | 'log'>>): Store {
  return createStore({
    url: store.url,
    schema: store.schema,
    baseDirectory: process.cwd(),
    colocated: store.colocated,
    ...(limits === undefined
      ? {}
      : {
          reading: {
            dialects: STORE_DIALECTS,
            statementTimeoutMs: limits.statement_timeout_ms,
            sessionMemoryBytes: limits.session_memory_mb * MEBIBYTE,
          },
        }),
    secretKey: store.secret_key,
    onNotice: log === undefined ? toStderr : (text) => logOf({ log })('warn', text),
  })
}

/** Removes files left by killed processes, opens the store, then listens. The log goes to stderr. */
export async function startService(
  config: Config,
  composed: Composed,
  version: string,
  signal?: AbortSignal,
): Promise<RunningService> {
  // A command that answers one query needs no server.
  const { startService: start } = await import('./service.ts')
  return start(config, composed, version, signal)
}
