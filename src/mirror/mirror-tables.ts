import { join } from '../compiler/fragment.ts'
import type { ColumnType, InlineColumn } from '../compiler/inline.ts'
import type { FilledPage } from '../connector-kit/cache-feed.ts'
import { empty, type Fragment, ident, sql, statementOf, value } from '../connector-kit/query-runner.ts'
import { chunksOf } from '../core/batches.ts'
import { InternalError } from '../core/errors.ts'
import { parseInteger } from '../core/money.ts'
import { sqlNow } from '../core/periods.ts'
import type { CacheDatabase, CacheWriter } from '../ports/cache-database.ts'
import type { Row } from '../ports/rows.ts'
import { RELATION_CONTRACTS } from '../relations/contracts.ts'
import { inlineColumns } from '../relations/define-relation.ts'
import { firstInstantAfter } from './change-mark.ts'
import type { Beat } from './liveness.ts'

/** The rows are right for every now in [from, to). A `to` of null means no end. Instants are text. */
interface Validity {
  readonly from: string
  readonly to: string | null
}

/** The tables of one mirror. */
export interface MirrorTables {
  readonly database: CacheDatabase
  /** The instants for which all rows are right. */
  readonly validity: () => Validity
  /**
   * Accounts whose rows are no longer right at `now`. If the clock that the mirror follows has been set back, the accounts whose rows are
   * not right yet are included.
   */
  due(now: Date): Promise<readonly number[]>
  /** Replaces all rows of these accounts with those of the pages, in one transaction. If anything fails, nothing has changed. */
  replace(accounts: readonly number[], pages: AsyncIterable<FilledPage>, beat: Beat): Promise<void>
  /** The first instant of the rows after `now`. Null if they have none. */
  nextInstant(now: Date): Promise<string | null>
  /** Runs a small statement to see whether the database still answers. It waits for no reader. */
  probe(): Promise<void>
  close(): Promise<void>
}

/** Number of accounts that one statement deletes. */
const CHUNK = 1_000
/** The mirror waits for a clock that is less than this behind the rows. A clock further behind has been set back. */
const SET_BACK_MS = 60_000

/** Fills an empty database, and closes it again if that fails. `onPage` receives the number of accounts that it holds. */
export async function fillTables(
  database: CacheDatabase,
  relations: readonly string[],
  pages: AsyncIterable<FilledPage>,
  onPage: (accounts: number) => void,
): Promise<MirrorTables> {
  const tables = relations.map(heldTable)
  try {
    await database.write(async (writer) => {
      for (const table of [ACCOUNTS, ...tables]) await run(writer, createTable(table))
    })
    let accounts = 0
    for await (const page of pages) {
      await database.write((writer) => append(writer, tables, page))
      accounts += page.accounts.length
      onPage(accounts)
    }
    const validity = await database.write(readValidity)
    return tablesOf(database, tables, validity)
  } catch (error) {
    await database.close()
    throw error
  }
}

function tablesOf(database: CacheDatabase, tables: readonly HeldTable[], filled: Validity): MirrorTables {
  let validity = filled
  return {
    database,
    validity: () => validity,
    async due(now) {
      const at = sqlNow(now)
      const isSetBack = sqlNow(new Date(now.getTime() + SET_BACK_MS)) < validity.from
      if (!isSetBack && (validity.to === null || validity.to > at)) return []
      const instant = value(at, 'timestamp')
      const early = isSetBack ? sql` or valid_from > ${instant}` : empty
      // Runs as a writer, because a reader may have to wait for a place. Every request waits for this statement.
      const rows = await database.write((writer) =>
        run(writer, sql`select customer_key from cached_account where valid_to <= ${instant}${early}`),
      )
      return rows.map((row) => parseInteger(row['customer_key']))
    },
    async replace(accounts, pages, beat) {
      validity = await database.write(async (writer) => {
        for (const chunk of chunksOf(accounts, CHUNK)) {
          await remove(writer, tables, chunk)
          beat()
        }
        for await (const page of pages) {
          await append(writer, tables, page)
          beat()
        }
        return readValidity(writer)
      })
    },
    async nextInstant(now) {
      const instants = tables.map(({ name, columns }) => ({
        table: name,
        columns: columns.filter(({ type }) => type === 'timestamp').map((column) => column.name),
      }))
      const [row] = await database.write((writer) => run(writer, firstInstantAfter(sqlNow(now), instants)))
      const at = row?.['first_at'] ?? null
      return at === null ? null : String(at)
    },
    async probe() {
      await database.write((writer) => run(writer, sql`select count(*) as accounts from cached_account`))
    },
    close: () => database.close(),
  }
}

async function remove(writer: CacheWriter, tables: readonly HeldTable[], accounts: readonly number[]): Promise<void> {
  for (const { name } of [ACCOUNTS, ...tables]) {
    await run(writer, sql`delete from ${ident(name)} where customer_key in (${value(accounts, 'integers')})`)
  }
}

async function append(writer: CacheWriter, tables: readonly HeldTable[], page: FilledPage): Promise<void> {
  await writer.append(
    ACCOUNTS.name,
    ACCOUNTS.columns,
    page.accounts.map((account): Row => ({ ...account })),
  )
  for (const { relation, name, columns } of tables) {
    const rows = page.rows.get(relation) ?? []
    if (rows.length > 0) await writer.append(name, columns, rows)
  }
}

async function readValidity(writer: CacheWriter): Promise<Validity> {
  const [row] = await run(
    writer,
    sql`select coalesce(max(valid_from), timestamp '0001-01-01 00:00:00') as valid_from, min(valid_to) as valid_to from cached_account`,
  )
  const to = row?.['valid_to'] ?? null
  return { from: String(row?.['valid_from']), to: to === null ? null : String(to) }
}

function run(writer: CacheWriter, statement: Fragment): Promise<readonly Row[]> {
  return writer.query(statementOf(statement, writer.dialect, 'cache'))
}

/** The table in which the mirror holds a relation. The files of sql/cached read it. */
interface HeldTable {
  readonly relation: string
  readonly name: string
  readonly columns: readonly InlineColumn[]
}

const CUSTOMER_KEY: InlineColumn = { name: 'customer_key', type: 'integer' }

/** The accounts, each with the instants between which its rows are right. */
const ACCOUNTS: HeldTable = {
  relation: 'account',
  name: 'cached_account',
  columns: [CUSTOMER_KEY, { name: 'valid_from', type: 'timestamp' }, { name: 'valid_to', type: 'timestamp' }],
}

/** The relation's columns, and the account if they do not include it. */
function heldTable(relation: string): HeldTable {
  const contract = RELATION_CONTRACTS.find(({ name }) => name === relation)
  if (contract === undefined) throw new InternalError(`the cache cannot hold ${relation}`)
  const columns = inlineColumns(contract, CUSTOMER_KEY.type)
  const hasAccount = columns.some(({ name }) => name === CUSTOMER_KEY.name)
  return { relation, name: `cached_${relation}`, columns: hasAccount ? columns : [CUSTOMER_KEY, ...columns] }
}

/** The statement that creates the empty table. */
function createTable({ name, columns }: HeldTable): Fragment {
  const declared = columns.map((column) => sql`${ident(column.name)} ${TYPES[column.type]}`)
  return sql`create table ${ident(name)} (${join(declared, sql`, `)})`
}

const TYPES: Readonly<Record<ColumnType, Fragment>> = {
  text: sql`varchar`,
  integer: sql`bigint`,
  decimal: sql`decimal(38, 12)`,
  timestamp: sql`timestamp`,
  date: sql`date`,
  boolean: sql`boolean`,
}
