import type { SqlCatalog } from '../../compiler/catalog.ts'
import type { TableDialect } from '../../compiler/dialect.ts'
import type { DatabaseConnector } from '../../connector-kit/connector.ts'
import type { KeyType, MirrorSource } from '../../connector-kit/mirror-source.ts'
import { empty, ident, sql, value } from '../../connector-kit/query-runner.ts'
import { parseInteger } from '../../core/money.ts'
import { sqlInstant, sqlNow } from '../../core/periods.ts'
import type { CacheColumn, CacheDatabase, CacheWriter } from '../../ports/cache-database.ts'
import { CUSTOMER_KEY, createTable, type HeldTable, heldTables, send } from '../held/held-tables.ts'
import { firstInstantAfter } from './change-mark.ts'
import { CONTENT, CONTENT_COLUMNS } from './content.ts'
import { createWorkArea, type WorkArea } from './work-area.ts'

/** The connector of a mirror, with all its relations. */
export interface MirrorConnector {
  readonly connector: Pick<DatabaseConnector, 'capabilities'>
  readonly source: MirrorSource
  /** The relations of the product and of the connector. */
  readonly catalog: SqlCatalog
}

/** The rows are right for every now in [from, to). A `to` of null means no end. Instants are text. */
export interface Validity {
  readonly from: string
  readonly to: string | null
}

/** The tables of one mirror, in its database. */
export interface MirrorTables extends MirrorConnector {
  readonly database: CacheDatabase
  readonly dialect: TableDialect
  readonly held: readonly HeldTable[]
  /** The instants for which all rows are right. */
  validity: Validity
  /** The marks of the source up to which the rows have come. Undefined before a filling has ended. */
  marks: unknown
  /** Customers whose held rows have been replaced, and whose kept rows have not (kept-sets.ts). */
  readonly replaced: Set<string>
  /** The work area of the database's writer, once something has been written. */
  work: WorkArea | undefined
  /** The work area of the scratch database, once a few customers have been rebuilt. */
  small: WorkArea | undefined
}

const DAY_MS = 86_400_000

/** The instants between which the rows of a customer are right. */
export const HORIZON = 'cached_horizon'
/** The mirror's facts about itself, as JSON by name (state.ts). */
export const STATE = 'cached_state'

/** The columns of the horizons. */
export function horizonColumns(keyType: KeyType): readonly CacheColumn[] {
  return [
    { name: CUSTOMER_KEY, type: keyType },
    { name: 'valid_from', type: 'timestamp' },
    { name: 'valid_to', type: 'timestamp' },
  ]
}

/** Creates the empty tables in a new database. */
export async function createTables(
  database: CacheDatabase,
  { connector, source, catalog }: MirrorConnector,
): Promise<MirrorTables> {
  const state: readonly CacheColumn[] = [
    { name: 'name', type: 'text' },
    { name: 'content', type: 'text' },
  ]
  const dialect = await database.write((writer) =>
    writer.transaction(async () => {
      await send(writer, createTable(ident(HORIZON), horizonColumns(source.keyType), writer.dialect))
      await send(writer, createTable(ident(STATE), state, writer.dialect))
      if (source.content !== undefined) await send(writer, createTable(ident(CONTENT), CONTENT_COLUMNS, writer.dialect))
      const held = heldTables(connector, catalog, source, writer.dialect.name)
      for (const { table, columns } of held) await send(writer, createTable(ident(table), columns, writer.dialect))
      return writer.dialect
    }),
  )
  return storedTables(database, dialect, { connector, source, catalog })
}

/** The tables of a stored database. Their validity and marks are read later (restoreMirror). */
export function storedTables(
  database: CacheDatabase,
  dialect: TableDialect,
  { connector, source, catalog }: MirrorConnector,
): MirrorTables {
  const held = heldTables(connector, catalog, source, dialect.name)
  return {
    database,
    dialect,
    connector,
    source,
    catalog,
    held,
    validity: { from: '', to: null },
    marks: undefined,
    replaced: new Set(),
    work: undefined,
    small: undefined,
  }
}

/** The work area of the tables' writer. */
export function workOf(tables: MirrorTables, writer: CacheWriter): WorkArea {
  tables.work ??= createWorkArea(writer, tables.source.keyType)
  return tables.work
}

/** The work area for few customers. */
export async function smallWorkOf(tables: MirrorTables): Promise<WorkArea> {
  tables.small ??= createWorkArea(await tables.database.scratch(), tables.source.keyType)
  return tables.small
}

/** The mirror waits for a clock that is less than this behind the rows. A clock further behind has been set back. */
const SET_BACK_MS = 60_000

/**
 * Customers whose rows are no longer right at `now`. If the clock that the mirror follows has been set back, the customers whose rows are
 * not right yet are included.
 */
export async function dueCustomers({ database, validity }: MirrorTables, now: Date): Promise<readonly string[]> {
  const at = sqlNow(now)
  const isSetBack = sqlNow(new Date(now.getTime() + SET_BACK_MS)) < validity.from
  if (!isSetBack && (validity.to === null || validity.to > at)) return []
  const instant = value(at, 'timestamp')
  const early = isSetBack ? sql` or valid_from > ${instant}` : empty
  // Runs as a writer, because a reader may have to wait for a place. Every request waits for this statement.
  const rows = await database.write((writer) =>
    send(writer, sql`select customer_key from ${ident(HORIZON)} where valid_to <= ${instant}${early}`),
  )
  return rows.map((row) => String(row[CUSTOMER_KEY]))
}

/** The validity of all rows, as the writer sees it. */
export async function readValidity(writer: CacheWriter): Promise<Validity> {
  const [row] = await send(
    writer,
    sql`select coalesce(max(valid_from), timestamp '0001-01-01 00:00:00') as valid_from, min(valid_to) as valid_to from ${ident(HORIZON)}`,
  )
  const to = row?.['valid_to'] ?? null
  return { from: String(row?.['valid_from']), to: to === null ? null : String(to) }
}

/** The first instant of the held rows after `now`. Null if they have none. */
export async function nextInstant({ database, held }: MirrorTables, now: Date): Promise<string | null> {
  const instants = held.map(({ table, columns }) => ({
    table,
    columns: columns.filter(({ type }) => type === 'timestamp').map(({ name }) => name),
  }))
  const [row] = await database.write((writer) => send(writer, firstInstantAfter(sqlNow(now), instants)))
  const at = row?.['first_at'] ?? null
  return at === null ? null : String(at)
}

/**
 * The first instant after `now` at which a day begins on the clock of a customer. Null if all days are those of UTC. Billing health counts local
 * days (H1), so answers change then.
 */
export async function nextLocalDay({ database, held }: MirrorTables, now: Date): Promise<string | null> {
  const zones = held.find(({ relation }) => relation === 'customer_zone')
  if (zones === undefined) return null
  const rows = await database.write((writer) =>
    send(writer, sql`select distinct utc_offset_seconds from ${ident(zones.table)} where utc_offset_seconds <> 0`),
  )
  const begins = rows.map((row) => {
    const offset = parseInteger(row['utc_offset_seconds']) * 1000
    return (Math.floor((now.getTime() + offset) / DAY_MS) + 1) * DAY_MS - offset
  })
  return begins.length === 0 ? null : sqlInstant(new Date(Math.min(...begins)))
}

/** Number of customers that the mirror holds. */
export async function customerCount(writer: CacheWriter): Promise<number> {
  const [row] = await send(writer, sql`select count(*) as customers from cached_customer`)
  return parseInteger(row?.['customers'])
}

/** The keys of the customers that the mirror holds. */
export async function heldCustomers({ database }: MirrorTables): Promise<readonly string[]> {
  const rows = await database.write((writer) => send(writer, sql`select customer_key from cached_customer`))
  return rows.map((row) => String(row[CUSTOMER_KEY]))
}

/** Runs a small statement to see whether the database still answers. It waits for no reader. */
export async function probeTables({ database }: MirrorTables): Promise<void> {
  await database.write((writer) => send(writer, sql`select count(*) as entries from ${ident(STATE)}`))
}
