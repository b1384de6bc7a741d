import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Patience } from '../../../src/cache/mirror/options.ts'
import { createReadThrough } from '../../../src/cache/mirror/read-through.ts'
import { loadCatalog } from '../../../src/compiler/catalog.ts'
import { compileFragment } from '../../../src/compiler/compile.ts'
import { duckdb } from '../../../src/compiler/dialects/duckdb.ts'
import { type Fragment, sql, value } from '../../../src/compiler/fragment.ts'
import type { Statement } from '../../../src/compiler/statement.ts'
import type { ConnectorSession } from '../../../src/connector-kit/connector.ts'
import type { MirrorSource, RefillCause } from '../../../src/connector-kit/mirror-source.ts'
import { once } from '../../../src/core/async.ts'
import { definitionsSchema } from '../../../src/core/definitions.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import type { Driver, DriverSession } from '../../../src/databases/driver.ts'
import { openDuckdb } from '../../../src/databases/duckdb/duckdb.ts'
import { createExecutor } from '../../../src/databases/executor.ts'
import { createGate } from '../../../src/databases/gate.ts'
import { resolveLimits } from '../../../src/databases/options.ts'
import type { CacheDatabase } from '../../../src/ports/cache-database.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import type { CacheReading, CacheState, ReadThrough } from '../../../src/ports/read-through.ts'
import type { Row } from '../../../src/ports/rows.ts'
import type { Snapshot } from '../../../src/ports/snapshot.ts'
import { catalogOf } from './run-fragment.ts'

/** A hook at every await of the cache on something outside. It does nothing, or the work of a fault. */
export type Point = (place: string) => Promise<void>

/** Counts the awaits of a cache in which nothing goes wrong, and measures the longest time between two: this machine needs so much patience. */
export function silenceMeter(): { readonly point: Point; calls(): number; longestMs(): number } {
  const moments = [performance.now()]
  return {
    point: async () => void moments.push(performance.now()),
    calls: () => moments.length - 1,
    longestMs: () => Math.max(...moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0))),
  }
}

const ACCOUNTS = 3
const READERS = 2

/** A billing database of three accounts, or more, whose rows carry the version that was last written. */
export interface SmallBilling {
  version: number
  now: Date
  readonly accounts?: number
  /** An instant in each row, `YYYY-MM-DD HH:MM:SS`. */
  created_at?: string
  /** The instant at which each row changes by itself. */
  readonly changes_at?: string
  /** The cause of a refill that each look with marks asks for. */
  refill?: RefillCause | undefined
}

const keysOf = ({ accounts = ACCOUNTS }: SmallBilling) => Array.from({ length: accounts }, (_, index) => index + 1)

export interface SmallCacheOptions {
  readonly billing: SmallBilling
  readonly patience: Patience
  readonly point: Point
  readonly isRequired?: boolean
  readonly onProgress?: (state: CacheState) => void
  /** Of a statement in the cache's database, milliseconds. */
  readonly statementTimeoutMs?: number
}

export interface SmallCache extends ReadThrough {
  /** Reads the version from all rows; null where only the replica can answer. */
  version(signal?: AbortSignal, now?: Date): Promise<{ readonly value: string } | null>
  readonly failures: readonly unknown[]
  /** Causes for which it was filled again. */
  readonly refills: readonly RefillCause[]
}

const definitions = definitionsSchema.parse({ base_currency: 'USD' })

function statementOf(fragment: Fragment): Statement {
  return compileFragment({ fragment, catalog: catalogOf({}), inline: new Map(), params: {}, dialect: duckdb, label: 'test' })
}

const ONE = statementOf(sql`select 1 as one`)
const VERSIONS = sql`select min(customer_name) as first, max(customer_name) as last, count(*) as rows from cached_customer`

/** The cache over a small billing database; its database is a real one, and every port of it passes a point. */
export async function smallCache({
  billing,
  patience,
  point,
  isRequired = true,
  onProgress = () => {},
  statementTimeoutMs,
}: SmallCacheOptions): Promise<SmallCache> {
  const failures: unknown[] = []
  const refills: RefillCause[] = []
  const cache = createReadThrough({
    ownExecutor: pointed(toyReplica(billing), 'replica', point),
    turns: createGate({ size: READERS, queueSize: 100, queueMs: 5_000 }),
    mirror: () => ({ connector: CONNECTOR, source: smallSource(billing, point), catalog: relations() }),
    files: {
      open: async () => null,
      async create() {
        await point('open')
        const limits = { poolSize: READERS, queueLimit: 100, statementTimeoutMs }
        return pointedDatabase(await openDuckdb({ dialect: duckdb, memoryMb: 64, directory: tmpdir(), ...limits }), point)
      },
      keepOnly: async () => {},
      copy: () => Promise.reject(new Error('this cache has no directory')),
      removeAll: async () => {},
    },
    header: () => ({ version: 'test', code: '', identity: '', definitions }),
    catalogs: { of: () => catalogOf({}), decided: () => [], holds: () => true },
    request: () => ({ now: billing.now, definitions }),
    isRequired,
    // The billing database gives the rows of all accounts, whichever are asked for.
    bucket: billing.accounts,
    patience,
    onProgress,
    onFailure: (error) => failures.push(error),
    onRefill: (cause) => refills.push(cause),
  })
  // Another value each time, or the answer would be known.
  let asked = 0
  return {
    ...cache,
    version(signal, now = billing.now) {
      asked += 1
      const statement = statementOf(sql`${VERSIONS} where customer_key < ${value(1_000 + asked, 'integer')}`)
      return cache.read(
        () => ({ now, definitions }),
        async ({ snapshot }: CacheReading) => versionOf(await snapshot.query(statement), billing),
        signal,
      )
    },
    failures,
    refills,
  }
}

/** The replica: an executor like any other over a server that takes no time. */
function toyReplica(billing: SmallBilling): Executor {
  const nothing = async () => {}
  const session: DriverSession = {
    begin: nothing,
    query: async ({ label, text }) => {
      const { version, created_at = '2024-01-01 00:00:00', changes_at = null } = billing
      const keys = keysOf(billing)
      if (label.startsWith('mirror.customers') && text.includes('count(*)')) return [{ entries: keys.length }]
      if (label.startsWith('plumbline.count')) return [{ place: 0, entries: keys.length }]
      if (label.startsWith('mirror.customers') || label.startsWith(LABEL))
        return keys.map((customer_key) => ({ customer_key, customer_name: `v${version}`, created_at, changes_at }))
      return []
    },
    async *batches() {},
    end: nothing,
    cancel: nothing,
    release() {},
    destroy() {},
  }
  const limits = resolveLimits({ poolSize: 2 })
  const driver: Driver = {
    variant: 'toy',
    dialect: duckdb,
    statementTimeoutMs: undefined,
    connectTimeoutMs: undefined,
    connect: async () => session,
    failureKind: () => 'refused',
    close: nothing,
  }
  const state = async () => ({
    role: 'unknown' as const,
    lag_seconds: null,
    data_through: null,
    doubt: null,
    version: null,
  })
  return createExecutor(driver, limits, { state, schema: async () => null, writePrivileges: async () => [] })
}

function versionOf([row]: readonly Row[], billing: SmallBilling): string {
  if (row?.['first'] !== row?.['last'] || Number(row?.['rows']) !== keysOf(billing).length)
    throw new Error(`half a state: ${JSON.stringify(row)}`)
  return String(row?.['first'])
}

/** The rows of the replica, whose version stays the same in one snapshot. */
const LABEL = 'mirror.small_customers'

function smallSource(billing: SmallBilling, point: Point): MirrorSource {
  const columns = [
    { name: 'customer_key', type: 'integer' },
    { name: 'customer_name', type: 'text' },
    { name: 'created_at', type: 'timestamp' },
    { name: 'changes_at', type: 'timestamp' },
  ] as const
  return {
    keyType: 'integer',
    tables: () => [
      {
        name: 'small_customers',
        columns,
        select: () => sql`select customer_key, customer_name, created_at, changes_at from small_customers`,
      },
    ],
    async look(snapshot, _request, marks) {
      const { version } = billing
      await snapshot.query(ONE)
      await point('source.look')
      const isNew = marks !== version
      return {
        session: SESSION,
        extent: marks === undefined || billing.refill !== undefined ? 'refill' : isNew ? 'customers' : 'none',
        cause: billing.refill,
        customers: isNew ? keysOf(billing).map(String) : [],
        marks: version,
      }
    },
  }
}

const SESSION: ConnectorSession = {
  sources: [],
  params: {},
  inline: new Map(),
  aliases: new Map(),
  currencies: [],
  rates: async () => [],
}

/** The connector of the small billing database: customers, and nothing else. */
const CONNECTOR = { capabilities: { customer: 'exact', change_instant: 'exact' } } as const
const relations = once(() =>
  loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [join(packageRoot(), 'test/support/product/small-billing')] }),
)

function pointed(executor: Executor, name: string, point: Point): Executor {
  return {
    ...executor,
    async withSnapshot(work, options) {
      await point(`${name}.enter`)
      const result = await executor.withSnapshot(async (snapshot) => {
        const passing: Snapshot = {
          ...snapshot,
          async query(statement) {
            await point(`${name}.query`)
            return snapshot.query(statement)
          },
        }
        return work(passing)
      }, options)
      await point(`${name}.leave`)
      return result
    },
  }
}

function pointedDatabase(database: CacheDatabase, point: Point): CacheDatabase {
  return {
    ...database,
    reader: pointed(database.reader, 'reader', point),
    async write(work) {
      await point('write.enter')
      const result = await database.write((writer) =>
        work({
          ...writer,
          async query(statement) {
            await point('write.query')
            return writer.query(statement)
          },
          async append(...rows) {
            await point('write.append')
            return writer.append(...rows)
          },
          async transaction(inside) {
            await point('write.transaction')
            return writer.transaction(inside)
          },
        }),
      )
      await point('write.leave')
      return result
    },
    async close() {
      await point('close')
      await database.close()
    },
    async discard() {
      await point('discard')
      await database.discard()
    },
  }
}

/** The outcome, or `late` if none comes within `limitMs` milliseconds. */
export async function settled<T>(work: Promise<T>, limitMs: number): Promise<T | Error | 'late'> {
  const over = new AbortController()
  const outcome = work.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
  const late = setTimeout(limitMs, 'late' as const, { signal: over.signal }).catch(() => 'late' as const)
  return Promise.race([outcome, late]).finally(() => over.abort())
}
