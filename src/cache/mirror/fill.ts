import { relation } from '../../compiler/fragment.ts'
import type { Customers } from '../../connector-kit/mirror-source.ts'
import { sql } from '../../connector-kit/query-runner.ts'
import { chunksOf } from '../../core/batches.ts'
import { AppError } from '../../core/errors.ts'
import type { CacheDatabase, CacheRoom } from '../../ports/cache-database.ts'
import type { Executor } from '../../ports/executor.ts'
import type { FeedRequest } from '../../ports/read-through.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import { CUSTOMER_KEY } from '../held/held-tables.ts'
import { type Budget, createBudget } from './budget.ts'
import { type Counted, type ReadRows, readRows } from './copy-rows.ts'
import { LINK, linkedWith } from './links.ts'
import { type Beat, observed } from './liveness.ts'
import { createTables, type MirrorConnector, type MirrorTables, workOf } from './mirror-tables.ts'
import { readReplica } from './read-replica.ts'
import { makeAndStore, planOf, type RebuildInputs } from './rebuild.ts'
import { mayPass, type RetryOptions, retried } from './retries.ts'
import { type StoredRowKeys, storeRowKeys } from './row-keys.ts'

/** Number of customers that are filled together: with files of the server, and without. Twice as many save 4 % of the time and take 0.4 GB more. */
const BUCKET = { files: 10_000, memory: 2_000 }
/** A bucket that cannot be read is halved, down to this part of the first size. */
const LEAST_PART = 1 / 32
/** The share that is shown at most before the end. */
const MOST_SHARE = 0.99

export interface FillInputs extends MirrorConnector {
  readonly executor: Pick<Executor, 'withSnapshot'>
  readonly open: () => Promise<CacheDatabase>
  readonly request: () => FeedRequest
  /** Number of customers that are filled together. If absent, it depends on how rows come. */
  readonly bucket?: number | undefined
  /** The room of the mirror that this one will replace. */
  readonly earlier?: CacheRoom | undefined
  readonly retries: RetryOptions
  readonly beat: Beat
  readonly signal: AbortSignal
  readonly onProgress: (progress: FilledSoFar) => void
}

/** How far a filling is. */
export interface FilledSoFar {
  /** Customers whose rows are made. */
  readonly customers: number
  /** All customers. */
  readonly of: number
  /** Raw rows that have been read. */
  readonly rows: number
  /** Share of the work that is done, from 0 to 1, if the customers do not show it. */
  readonly share?: number
}

/** Filled tables, with the instant of their first snapshot. */
interface Filled {
  readonly tables: MirrorTables
  readonly request: FeedRequest
}

/**
 * Fills a new database. Few customers come from one snapshot. Many come in buckets, each from a separate snapshot. The marks are those of
 * the first snapshot, so the refresh that follows rebuilds every customer that has changed since. A snapshot that fails is tried again, and
 * a bucket that still fails is halved. NoRoom if the rows will not fit (budget.ts).
 */
export async function fill(inputs: FillInputs): Promise<Filled> {
  let isConnected = false
  const first = () =>
    inputs.executor.withSnapshot((snapshot) => {
      isConnected = true
      return begin(watched(snapshot, inputs), inputs)
    }, inputs)
  // A database that cannot be reached at the start is not tried again here: its users wait for the failure.
  const started = await retried(first, { ...inputs.retries, isWorth: () => isConnected })
  const { tables, request } = started
  if (started.keys.length > 0) await fillBuckets(inputs, started)
  return { tables, request }
}

/** A filling after its first snapshot. `keys` are the customers that are still to be filled, and `rowKeys` the keys of their rows. */
interface Started extends Filled {
  readonly rebuild: RebuildInputs
  readonly keys: readonly string[]
  readonly rowKeys?: StoredRowKeys | undefined
  readonly size: number
  readonly budget: Budget
}

async function begin(snapshot: Snapshot, inputs: FillInputs): Promise<Started> {
  const { source, beat, onProgress } = inputs
  const request = inputs.request()
  const look = await source.look(snapshot, request, undefined, () => Promise.resolve([]))
  const rebuild: RebuildInputs = { request, look, dialect: snapshot.dialect.name, beat }
  const tables = await createTables(await inputs.open(), inputs)
  const usual = snapshot.csv === undefined || source.keyType === 'text' ? BUCKET.memory : BUCKET.files
  const size = inputs.bucket ?? usual
  const keys = await readKeys(snapshot, tables, rebuild)
  onProgress({ customers: 0, of: keys.length, rows: 0 })
  const budget = createBudget('the filling', keys.length)
  budget.begin(await tables.database.room('held'), inputs.earlier)
  if (keys.length > size) {
    await storeLinks(snapshot, tables, rebuild)
    return { tables, request, rebuild, keys, rowKeys: await storeRowKeys(snapshot, tables, look.session), size, budget }
  }
  const planned = planOf(tables, rebuild)
  // All customers are ready at once, so the tables that are read and the steps that are run show how far the filling is.
  const parts = planned.raw.length + planned.plan.steps.length
  let [done, rows] = [0, 0]
  const advance = (more = 0): void => {
    done += 1
    rows += more
    onProgress({ customers: 0, of: keys.length, rows, share: Math.min(done / parts, MOST_SHARE) })
  }
  const read = await readRows(snapshot, planned.raw, 'all', tables.database.directory, { onTable: advance })
  const counted: RebuildInputs = {
    ...rebuild,
    beat() {
      beat()
      advance()
    },
  }
  await tables.database.write((writer) =>
    makeAndStore(tables, writer, planned, read, counted, { customers: 'all', marks: look.marks }),
  )
  onProgress({ customers: keys.length, of: keys.length, rows: read.rows })
  return { tables, request, rebuild, keys: [], size, budget }
}

/** Customers that are filled together, and the raw rows of them and of `others`. */
interface Bucket {
  readonly keys: readonly string[]
  readonly others: readonly string[] | undefined
  readonly read: ReadRows
}

/** Fills one bucket after the other, and reads the rows of the next one meanwhile. */
async function fillBuckets(inputs: FillInputs, { tables, rebuild, keys, rowKeys, size, budget }: Started): Promise<void> {
  const planned = planOf(tables, rebuild)
  const left = [...chunksOf(keys, size)]
  const { directory } = tables.database
  const counted: Counted = new Map()
  const readCustomers = (customers: Customers): Promise<ReadRows> =>
    inputs.executor.withSnapshot(
      (snapshot) => readRows(watched(snapshot, inputs), planned.raw, customers, directory, { counted }),
      inputs,
    )
  const readNext = async (): Promise<Bucket | undefined> => {
    for (let bucket = left.shift(); bucket !== undefined; bucket = left.shift()) {
      const customers = await withContext(tables, bucket, rowKeys)
      try {
        return { keys: bucket, others: othersOf(customers), read: await retried(() => readCustomers(customers), inputs.retries) }
      } catch (error) {
        // A standby may leave less time to a snapshot than this bucket takes.
        if (!mayPassInParts(error) || bucket.length <= Math.max(1, size * LEAST_PART)) throw error
        left.unshift(...chunksOf(bucket, Math.ceil(bucket.length / 2)))
      }
    }
    return undefined
  }
  let customers = 0
  let rows = 0
  let next = readNext()
  for (let bucket = await next; bucket !== undefined; bucket = await next) {
    const { keys: filled, others, read } = bucket
    next = readNext()
    // The loop awaits it later. A failure of this bucket must not leave it unhandled.
    next.catch(() => {})
    customers += filled.length
    rows += read.rows
    const isLast = customers === keys.length
    await tables.database.write((writer) =>
      makeAndStore(tables, writer, planned, read, rebuild, {
        customers: { keys: filled, areNew: true, ...(others !== undefined && { others }) },
        except: LINK,
        ...(isLast && { marks: rebuild.look.marks }),
      }),
    )
    inputs.signal.throwIfAborted()
    if (!isLast) budget.advance(await tables.database.room('held'), customers)
    inputs.onProgress({ customers, of: keys.length, rows })
  }
  await rowKeys?.remove()
}

/** True for a failure that smaller buckets may not have. */
function mayPassInParts(error: unknown): boolean {
  return mayPass(error) || (error instanceof AppError && error.code === 'query_timeout')
}

/** A bucket with the customers that its rows depend on. */
async function withContext(tables: MirrorTables, bucket: readonly string[], rowKeys?: StoredRowKeys): Promise<Customers> {
  const linked = await tables.database.write((writer) => linkedWith(tables, writer, workOf(tables, writer), bucket, false))
  if (tables.source.keyType === 'text') return (await rowKeys?.of(linked)) ?? { keys: linked }
  const [from, through] = [bucket[0] ?? '', bucket.at(-1) ?? '']
  const isOutside = (key: string) => Number(key) < Number(from) || Number(key) > Number(through)
  return { keys: linked.filter(isOutside), range: { from, through } }
}

/** The customers next to a bucket with a range. */
function othersOf(customers: Customers): readonly string[] | undefined {
  return customers === 'all' || customers.range === undefined ? undefined : customers.keys
}

/** The keys of the customers that count, ascending if they are numbers. */
async function readKeys(snapshot: Snapshot, tables: MirrorTables, inputs: RebuildInputs): Promise<readonly string[]> {
  const statement = sql`select counted.customer_key from ${relation('customer')} as counted`
  const rows = await readReplica(snapshot, statement, readingOf(tables, inputs))
  const keys = rows.map((row) => String(row[CUSTOMER_KEY]))
  return tables.source.keyType === 'integer' ? keys.sort((a, b) => Number(a) - Number(b)) : keys
}

/** Stores the links of all customers, which each bucket needs. */
async function storeLinks(snapshot: Snapshot, tables: MirrorTables, inputs: RebuildInputs): Promise<void> {
  const held = tables.held.find((table) => table.relation === LINK)
  if (held === undefined) return
  const links = sql`select link.customer_key, link.link_key from ${relation(LINK)} as link`
  const rows = await readReplica(snapshot, links, readingOf(tables, inputs))
  await tables.database.write((writer) => writer.append(held.table, held.columns, rows))
}

function readingOf(connector: MirrorTables, { look, request }: RebuildInputs) {
  return { connector, session: look.session, request, label: 'mirror.customers' }
}

function watched(snapshot: Snapshot, { beat }: FillInputs): Snapshot {
  return observed(snapshot, { received: () => beat() })
}
