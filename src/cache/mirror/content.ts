import { performance } from 'node:perf_hooks'
import type { KeyRange } from '../../connector-kit/mirror-source.ts'
import { createQueryRunner, digits, type Fragment, fn, ident, sql } from '../../connector-kit/query-runner.ts'
import { parseInteger } from '../../core/money.ts'
import type { CacheColumn } from '../../ports/cache-database.ts'
import type { Row } from '../../ports/rows.ts'
import type { ConnectorSession } from '../../ports/session.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import { CUSTOMER_KEY, send } from '../held/held-tables.ts'
import type { MirrorTables } from './mirror-tables.ts'

// The digests of the held customers, and the sweep that compares them with the billing database: rows that somebody edits or deletes there by
// hand leave nothing in its change log.

/** The held digest of each customer. Only for connectors with such digests. */
export const CONTENT = 'cached_content'
export const CONTENT_COLUMNS: readonly CacheColumn[] = [
  { name: CUSTOMER_KEY, type: 'integer' },
  { name: 'digest', type: 'integer' },
]

/** Parts of a sweep, if there is a question for each. */
const PARTS = 150
/** Customers whose digests are added up before they are compared. */
const STRETCH = 1_000

/** How far the sweep of a mirror is. */
export interface Sweep {
  /** The keys to compare now. Null: none are due yet. */
  due(highest: number): KeyRange | null
  /** Records that these keys have been compared. */
  done(range: KeyRange): void
}

/**
 * A sweep that begins now and compares every customer within `sweepMs`. With `all`, its first part is all customers: nobody knows what happened
 * before. `clock` is in milliseconds.
 */
export function createSweep(sweepMs: number, all: boolean, clock: () => number = () => performance.now()): Sweep {
  let from = 0
  let top = 0
  let comparedAt = all ? Number.NEGATIVE_INFINITY : clock()
  return {
    due(highest) {
      const passed = clock() - comparedAt
      if (passed < sweepMs / PARTS) return null
      top = highest
      if (passed >= sweepMs) return { from: '0', through: String(highest) }
      return { from: String(from), through: String(Math.min(highest, from + Math.ceil((highest * passed) / sweepMs))) }
    },
    done({ through }) {
      comparedAt = clock()
      from = Number(through) >= top ? 0 : Number(through) + 1
    },
  }
}

/** The customers among these keys whose digests in the snapshot are not the held ones. */
export async function editedCustomers(
  { database, source }: Pick<MirrorTables, 'database' | 'source'>,
  snapshot: Snapshot,
  session: ConnectorSession,
  range: KeyRange,
): Promise<readonly string[]> {
  const content = source.content?.(session, snapshot.dialect.name)
  if (content === undefined) return []
  const run = createQueryRunner(snapshot)
  const there = (select: (rows: Fragment) => Fragment, within: KeyRange) =>
    run('mirror.content', select(sql`(${content.select({ keys: [], range: within })})`))
  const here = (select: (rows: Fragment) => Fragment, { from, through }: KeyRange) => {
    const rows = sql`(select * from ${ident(CONTENT)} where customer_key between ${digits(Number(from))} and ${digits(Number(through))})`
    return database.write((writer) => send(writer, select(rows)))
  }
  const differing = async (select: (rows: Fragment) => Fragment, within: KeyRange): Promise<readonly number[]> => {
    const [now, held] = [byKey(await there(select, within)), byKey(await here(select, within))]
    return [...new Set([...now.keys(), ...held.keys()])].filter((key) => now.get(key) !== held.get(key))
  }
  const [from, through] = [Number(range.from), Number(range.through)]
  const stretches = through - from < STRETCH ? [Math.floor(from / STRETCH)] : await differing(stretchSums, range)
  const customers: string[] = []
  for (const stretch of stretches) {
    const first = Math.max(from, stretch * STRETCH)
    const last = Math.min(through, through - from < STRETCH ? through : (stretch + 1) * STRETCH - 1)
    const found = await differing(eachDigest, { from: String(first), through: String(last) })
    customers.push(...found.map(String))
  }
  return customers
}

/** The highest key that has a digest. */
export async function highestKey({ database }: Pick<MirrorTables, 'database'>): Promise<number> {
  const [row] = await database.write((writer) =>
    send(writer, sql`select coalesce(max(customer_key), 0) as highest from ${ident(CONTENT)}`),
  )
  return parseInteger(row?.['highest'] ?? 0)
}

const STRETCH_KEY = fn('int_div', sql`content.customer_key`, digits(STRETCH))

const stretchSums = (rows: Fragment): Fragment =>
  sql`select ${STRETCH_KEY} as part, count(*) as entries, sum(content.digest) as total from ${rows} as content group by ${STRETCH_KEY}`

const eachDigest = (rows: Fragment): Fragment =>
  sql`select content.customer_key as part, 1 as entries, content.digest as total from ${rows} as content`

function byKey(rows: readonly Row[]): ReadonlyMap<number, string> {
  return new Map(rows.map(({ part, entries, total }) => [parseInteger(part ?? 0), `${String(entries)} ${String(total)}`]))
}
