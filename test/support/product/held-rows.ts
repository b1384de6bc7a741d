import Big from 'big.js'
import { createLook } from '../../../connectors/killbill/changes/look.ts'
import { createKillbillConnector } from '../../../connectors/killbill/index.ts'
import { type HeldTable, heldTables } from '../../../src/cache/held/held-tables.ts'
import { HORIZON, horizonColumns } from '../../../src/cache/mirror/mirror-tables.ts'
import type { DatabaseConnector, InlineRelation } from '../../../src/connector-kit/connector.ts'
import { isTrue } from '../../../src/connector-kit/index.ts'
import type { HeldCustomers, KeyType } from '../../../src/connector-kit/mirror-source.ts'
import { createQueryRunner, ident, sql } from '../../../src/connector-kit/query-runner.ts'
import { definitionsSchema } from '../../../src/core/definitions.ts'
import { InternalError } from '../../../src/core/errors.ts'
import type { CacheColumn, CacheDatabase, CacheType } from '../../../src/ports/cache-database.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import type { CacheReading, FeedRequest, ReadThrough } from '../../../src/ports/read-through.ts'
import type { Row } from '../../../src/ports/rows.ts'
import { type CacheOptions, cacheOver, killbillCatalog } from './recorded-engine.ts'

/** The instant of a comparison, and the seconds that have passed on the clocks of its processes. */
export interface Moment {
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  readonly now: string
  readonly seconds: number
}

export interface Held {
  /** Identifies the filling from which the rows come. */
  readonly filled_at: string
  /** The rows of each held relation and the horizons of customers, as sorted lines of JSON. */
  readonly tables: Readonly<Record<string, readonly string[]>>
}

/** The billing engine of a soaked cache. */
export interface SoakedBilling {
  /** A connector whose clocks show these seconds. `process` identifies the process to them. */
  connector(seconds: () => number, process: string): DatabaseConnector
  readonly tables: () => readonly HeldTable[]
  readonly keyType: KeyType
}

/** A cache over a generated history, at a moment that moves. */
export interface SoakedCache {
  readonly cache: ReadThrough
  failures(): readonly string[]
  /** All rows after a refresh, at this moment. */
  held(moment: Moment): Promise<Held>
}

const SETTINGS = { tenant: ['all'], catalog: [] }
/** The customers of a mirror without rows, for a look. */
export const NONE_HELD: HeldCustomers = () => Promise.resolve([])
export const DEFINITIONS = definitionsSchema.parse({ base_currency: 'USD', allow_unpriced: true })
/** The table with what the cache knows about itself. The horizons of customers are compared like rows. */
const STATE = 'cached_state'
/** A catalog upload or an account's first link may ask for a new filling in the middle. */
const ATTEMPTS = 20
/** Lines that a difference shows. */
const MOST_LINES = 5

const KILLBILL: SoakedBilling = {
  connector(seconds, process) {
    const connector = createKillbillConnector(SETTINGS)
    if (connector.mirror === undefined) throw new InternalError('the connector has no mirror')
    return {
      ...connector,
      mirror: { ...connector.mirror, look: createLook(SETTINGS, { wall: seconds, running: seconds, process }) },
    }
  },
  tables: () => HELD_TABLES,
  keyType: 'integer',
}

/** Creates the cache; with `stored`, in a directory in which it outlives the process. `name` identifies the process to the clocks. */
export function soakedCache(
  executor: Executor,
  name: string,
  stored: string | null,
  wrap?: (database: CacheDatabase) => CacheDatabase,
  cacheOptions: Partial<CacheOptions> = {},
  billing = KILLBILL,
): SoakedCache {
  let moment: Moment = { now: '', seconds: 0 }
  const failures: string[] = []
  const clock = { now: () => new Date(`${moment.now.replace(' ', 'T')}Z`) }
  const connector = billing.connector(() => moment.seconds, name)
  const cache = cacheOver(executor, connector, {
    clock,
    definitions: DEFINITIONS,
    stored,
    wrap,
    ...cacheOptions,
    onFailure(error) {
      failures.push(String(error))
      cacheOptions.onFailure?.(error)
    },
  })
  // Only a started cache is stored.
  let isStarted = stored === null
  return {
    cache,
    failures: () => failures,
    async held(wanted) {
      moment = wanted
      if (!isStarted) cache.start()
      isStarted = true
      const request = () => ({ now: clock.now(), definitions: DEFINITIONS })
      return readHeld(cache, request, billing.tables(), billing.keyType).catch((error) => {
        throw new Error(`${String(error)} ${failures.join('; ')}`)
      })
    },
  }
}

/** All rows of a cache after a refresh. */
export async function readHeld(
  cache: ReadThrough,
  request: () => FeedRequest,
  tables: readonly HeldTable[],
  keyType: KeyType,
): Promise<Held> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const read = await cache.read(request, (reading) => heldRows(reading, tables, keyType))
    if (read !== null) return read.value
    await cache.ready()
  }
  throw new Error(`the cache does not answer: ${JSON.stringify(cache.statistics())}`)
}

/** The canonical text of a row: the cells of these columns, a plan by its facts. Databases write numbers, instants and truth values differently. */
export type LineOf = (row: Row) => string

/** Makes the lines of a relation's rows. `plan` are the plans by number: processes number them by the order in which they have met them. */
export function linesOf(columns: readonly CacheColumn[], plan: InlineRelation | undefined): LineOf {
  const named = planNames(plan)
  return (row) =>
    JSON.stringify(
      Object.fromEntries(
        columns.map(({ name, type }) => {
          const cell = row[name] ?? null
          const isPlan = name.endsWith('plan_key') && cell !== null
          return [name, isPlan ? (named.get(String(cell)) ?? `no plan ${String(cell)}`) : canonical(cell, type)]
        }),
      ),
    )
}

function canonical(cell: Row[string], type: CacheType): string | boolean | null {
  if (cell === null || cell === undefined) return null
  if (type === 'boolean') return isTrue(cell)
  const written = String(cell)
  if (type === 'integer' || type === 'decimal' || typeof type === 'object') return new Big(written).toFixed()
  // Instants of whole seconds have no fraction.
  return type === 'timestamp' ? written.replace(/\.0+$/, '') : written
}

/** The tables of the relations that the cache of this connector holds. */
export const HELD_TABLES = heldTables(createKillbillConnector(SETTINGS), killbillCatalog(), { keyType: 'integer' }, 'duckdb')

async function heldRows({ snapshot, session }: CacheReading, tablesHeld: readonly HeldTable[], keyType: KeyType): Promise<Held> {
  const run = createQueryRunner(snapshot)
  const [filling] = await run('state', sql`select content from ${ident(STATE)} where name = 'filled_at'`)
  const tables: Record<string, readonly string[]> = {}
  const horizon = { relation: HORIZON, table: HORIZON, columns: horizonColumns(keyType) }
  for (const { relation, table, columns } of [...tablesHeld, horizon]) {
    const held = await run(table, sql`select * from ${ident(table)}`)
    // Numbers of plans differ between processes. Keys that are texts do not.
    const lineOf = linesOf(columns, keyType === 'integer' ? session.inline.get('plan') : undefined)
    tables[relation] = held
      .filter((row) => !isUnlimited(row))
      .map(lineOf)
      .sort()
  }
  return { filled_at: String(filling?.['content']), tables }
}

/** A horizon without ends says the same as none. */
function isUnlimited(row: Row): boolean {
  return row['valid_to'] === null && String(row['valid_from']).startsWith('0001')
}

function planNames(plan: InlineRelation | undefined): ReadonlyMap<string, string> {
  const { columns, rows } = plan ?? { columns: [], rows: [] }
  const at = columns.findIndex(({ name }) => name === 'plan_key')
  return new Map(rows.map((row) => [String(row[at]), JSON.stringify(row.filter((_, index) => index !== at))]))
}

/** The first lines that only one side has, by table; lines count as often as they occur. Undefined if there are none. */
export function heldDifferences(
  [oneName, one]: readonly [string, Held['tables']],
  [otherName, other]: readonly [string, Held['tables']],
): string | undefined {
  const tables = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const found = tables.flatMap((table) => {
    const [mine, theirs] = [one[table] ?? [], other[table] ?? []]
    const [onlyMine, onlyTheirs] = [without(mine, theirs), without(theirs, mine)]
    if (onlyMine.length === 0 && onlyTheirs.length === 0) return []
    const shown = (lines: readonly string[]) => lines.slice(0, MOST_LINES).join('\n    ')
    return [
      `${table}: ${oneName} ${mine.length} rows, ${otherName} ${theirs.length}\n  only ${oneName} (${onlyMine.length}):\n    ${shown(onlyMine)}\n  only ${otherName} (${onlyTheirs.length}):\n    ${shown(onlyTheirs)}`,
    ]
  })
  return found.length === 0 ? undefined : found.join('\n')
}

function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const left = counts.get(line) ?? 0
    counts.set(line, left - 1)
    return left <= 0
  })
}
