import { hostname } from 'node:os'
import { join } from 'node:path'
import { copiedConnector } from '../cache/lake/copied-connector.ts'
import type { CopySettings } from '../cache/lake/copy.ts'
import type { LakeDatabase } from '../cache/lake/databases/database.ts'
import { severalDatabases } from '../cache/lake/databases/several.ts'
import { type LakeSource, lakeHeader } from '../cache/lake/lake-source.ts'
import { type LakePlace, readPlace } from '../cache/lake/place.ts'
import { UnprovenPublication } from '../cache/lake/proofs.ts'
import { createPublications, type Publication } from '../cache/lake/publications.ts'
import { type PublicationPlan, type PublishOptions, planPublication, publish } from '../cache/lake/publish.ts'
import { createLakeCache, type LakeCache } from '../cache/lake/read-lake.ts'
import { loadCatalog, type SqlCatalog } from '../compiler/catalog.ts'
import { trino } from '../compiler/dialects/trino.ts'
import type { DatabaseConnector } from '../connector-kit/connector.ts'
import type { EngineColumns } from '../connector-kit/mirror-source.ts'
import { once } from '../core/async.ts'
import type { Clock } from '../core/clock.ts'
import { ConfigurationError, InternalError } from '../core/errors.ts'
import { packageRoot, packageVersion } from '../core/package-root.ts'
import { serverAddress, serverKind } from '../databases/addresses/read-address.ts'
import type { QueryCounts } from '../databases/options.ts'
import { createTrinoExecutor } from '../databases/trino/trino.ts'
import { logBackgroundFailure } from '../facades/http/failure.ts'
import type { Executor } from '../ports/executor.ts'
import type { LakeFigures } from '../ports/lake.ts'
import { codeDigest } from './code-digest.ts'
import type { Config } from './config/config.ts'
import { databaseIdentity } from './config/identity.ts'
import { clockOf, logOf } from './config/runtime.ts'

interface LakeContext {
  readonly connector: DatabaseConnector
  /** The relations of the product and of the connector. */
  readonly catalog: SqlCatalog
  /** SQL folders of added metrics. */
  readonly queries: readonly string[]
  /** Several databases, which `connector` unites. */
  readonly databases: readonly LakeDatabase[] | undefined
  readonly openExecutor: () => Executor
  readonly counts: QueryCounts
}

/** The lake of a configuration. */
export interface Lake {
  readonly cache: LakeCache
  /** The connector of the configuration, for questions that read the billing tables. */
  readonly connector: DatabaseConnector
  /** Shows the instant of the publication that answers, and without one the clock of the configuration. */
  readonly clock: Clock
  /** Makes a publication. Resolves to its faults, in words, if its tables contradict each other: then the earlier one stays. */
  publish(onProgress: (text: string) => void, signal: AbortSignal): Promise<Publication | { readonly faults: readonly string[] }>
  /** The statements of a publication that is not made. */
  plan(signal: AbortSignal): Promise<PublicationPlan>
  /** Complete publications, the newest first. */
  list(): Promise<readonly Publication[]>
  /** The figures of the publication that answers. */
  figures(): LakeFigures['publication']
  /** When the newest publication was made from which this program can answer. Undefined: there is none. */
  newestAt(): Promise<Date | undefined>
}

/** The lake of a configuration, if it names a schema for publications. ConfigurationError if the billing database is not on Trino. */
export function composeLake(config: Config, context: LakeContext): Lake | undefined {
  const { lake } = config
  if (lake.schema === undefined) return undefined
  const { connector, catalog, queries, databases, counts } = context
  const { mirror } = connector
  if (serverKind(config.database.url) !== 'trino')
    throw new ConfigurationError(['lake.schema: publications need a billing database on Trino, database.url = "trino://…"'])
  if (mirror === undefined) throw new ConfigurationError([`lake.schema: the connector "${connector.type}" has no publications`])
  const place = readPlace(lake.schema)
  const places = databases?.map((database) => database.place) ?? [billingPlace(config)]
  const [billing] = places
  if (billing === undefined) throw new InternalError('no database is named')
  const same = ({ catalog, schema }: LakePlace, other: LakePlace) => catalog === other.catalog && schema === other.schema
  if (places.some((each) => same(each, place)))
    throw new ConfigurationError([
      'lake.schema: must not be the schema of the billing tables, because publications are written to it',
    ])
  if (databases === undefined && !same(billing, billingPlace(config, writerAddress(config))))
    throw new ConfigurationError(['lake.publish_url: must name the catalog and the schema of database.url, with another user'])
  const copy = copyOf(lake, mirror.columns)
  const { sets: _sets, ...definitions } = config.definitions
  const header = once(() => ({
    version: packageVersion(),
    code: codeDigest(connector.type),
    identity: JSON.stringify([
      databaseIdentity({ ...config, database: { ...config.database, url: tablesAddress(config) } }),
      copy,
    ]),
    definitions,
  }))
  const source: LakeSource = {
    connector,
    mirror,
    catalog,
    definitions,
    dialect: trino,
    get header() {
      return header()
    },
  }
  const onFailure = (error: unknown) => logBackgroundFailure(logOf(config), error, 'lake')
  const cache = createLakeCache({
    ...source,
    executor: context.openExecutor(),
    place,
    load: (tables) => loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [], metrics: queries, tables }),
    lookEveryMs: lake.look_every_seconds * 1_000,
    isStraightAllowed: lake.straight,
    maxAgeMs: lake.max_age_minutes === undefined ? undefined : lake.max_age_minutes * 60_000,
    isOldRefused: config.replica.lag_policy === 'refuse',
    onFailure,
  })
  const clock = clockOf(config)
  const withWriter = async <T>(onProgress: (text: string) => void, work: (options: PublishOptions) => Promise<T>): Promise<T> => {
    const writer = openWriter(config, counts)
    try {
      return await work({
        ...source,
        writer,
        billing,
        copy,
        place,
        databases,
        now: () => clock.now(),
        name: `${hostname()}, process ${process.pid}`,
        parallel: lake.parallel,
        keep: lake.keep,
        maxSkewMs: lake.max_skew_seconds * 1_000,
        onProgress,
        onFailure,
        onRetry: counts.repeated,
      })
    } finally {
      await writer.close()
    }
  }
  const list = async () => {
    const executor = context.openExecutor()
    try {
      return await createPublications(executor, place).list()
    } finally {
      await executor.close()
    }
  }
  return {
    cache,
    connector:
      databases === undefined
        ? copiedConnector(connector, { billing, copy })
        : severalDatabases(
            databases.map((each) => ({ ...each, connector: copiedConnector(each.connector, { billing: each.place, copy }) })),
          ),
    clock: { now: () => cache.now() ?? clock.now() },
    publish: (onProgress, signal) =>
      withWriter(onProgress, (options) => publish(options, signal)).catch((error: unknown) => {
        if (error instanceof UnprovenPublication) return { faults: error.faults }
        throw error
      }),
    plan: (signal) =>
      withWriter(
        () => {},
        (options) => planPublication(options, signal),
      ),
    list,
    figures() {
      const publication = cache.publication()
      if (publication === undefined) return null
      const { made_at, seconds = null, rows } = publication
      return { made_at, seconds, rows: Object.values(rows).reduce((sum, count) => sum + count, 0) }
    },
    async newestAt() {
      const own = lakeHeader(source)
      const newest = (await list()).find((publication) => publication.header === own)
      return newest && new Date(newest.made_at)
    },
  }
}

/** How the billing tables were copied. ConfigurationError for settings that contradict each other, or a table that nobody reads. */
function copyOf({ copied_by: tool, tables: names, straight }: Config['lake'], columns: EngineColumns | undefined): CopySettings {
  const unread = Object.keys(names).filter((name) => columns?.tables.includes(name) !== true)
  const isChanged = tool !== 'plain' || Object.keys(names).length > 0
  const problems = [
    ...unread.map((name) => `lake.tables.${name}: the connector reads no table of this name`),
    ...(isChanged && columns === undefined ? ['lake.copied_by: the connector can read plain copies only'] : []),
    ...(isChanged && straight
      ? ['lake.straight: with lake.copied_by or lake.tables, only publications read the billing tables']
      : []),
  ]
  if (problems.length > 0) throw new ConfigurationError(problems)
  return { tool, names }
}

function writerAddress({ database, lake }: Config): string {
  return lake.publish_url ?? database.url
}

/** The address of the billing tables without its user: readers and the writer may be different ones. */
function tablesAddress(config: Config): string {
  // Each of several databases names its own schema.
  if (config.lake.databases !== undefined)
    return `trino://localhost/${serverAddress(config.database.url, 'database.url').database}`
  const { catalog, schema } = billingPlace(config)
  return `trino://localhost/${catalog}/${schema}`
}

function billingPlace(config: Config, address = config.database.url): LakePlace {
  const { database = '' } = serverAddress(address, 'database.url')
  const [catalog, schema] = database.split('/')
  const named = `${catalog}.${config.database.schema?.toLowerCase() ?? schema}`
  try {
    return readPlace(named)
  } catch {
    throw new ConfigurationError([
      `lake.schema: the names of the catalog and the schema of the billing tables must be plain: ${named}`,
    ])
  }
}

/** Connections that may write. One more than the steps: the sign of life. */
function openWriter(config: Config, counts: QueryCounts): Executor {
  const { database, lake, limits } = config
  const statementTimeoutMs = lake.step_timeout_seconds * 1_000
  return createTrinoExecutor({
    url: writerAddress(config),
    schema: database.schema,
    dialect: trino,
    statementTimeoutMs,
    poolSize: lake.parallel + 1,
    queueLimit: limits.queue_size,
    queueMs: statementTimeoutMs,
    trino: {
      tokenFile: lake.publish_url === undefined ? database.token_file : lake.publish_token_file,
      nextUriOrigin: lake.next_uri_origin,
      scanLimitGb: lake.scan_limit_gb,
      mayWrite: true,
      setting: lake.publish_url === undefined ? 'database' : 'lake',
      isFaultTolerant: lake.fault_tolerant,
      counts,
    },
  })
}
