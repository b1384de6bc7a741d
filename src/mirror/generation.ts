import type { FilledPage } from '../connector-kit/cache-feed.ts'
import { empty, type Fragment, ident, sql, statementOf, value } from '../connector-kit/query-runner.ts'
import { chunksOf } from '../core/batches.ts'
import { parseInteger } from '../core/money.ts'
import { sqlNow } from '../core/periods.ts'
import type { CacheDatabase, CacheWriter } from '../ports/cache-database.ts'
import type { Row } from '../ports/rows.ts'
import { ACCOUNTS, createTable, type HeldTable, heldTable } from './held-table.ts'
import type { Beat } from './liveness.ts'

/** The rows are right for every now in [from, to); a `to` of null means for ever. Instants are text. */
export interface Validity {
  readonly from: string
  readonly to: string | null
}

/** The tables of one filling, and what may be done to them. */
export interface Generation {
  readonly database: CacheDatabase
  /** The instants for which all rows are right. */
  readonly validity: () => Validity
  /**
   * Accounts whose rows are no longer right at `now`. When the clock that the cache follows has been put back, those whose rows are not
   * right yet belong to them too.
   */
  due(now: Date): Promise<readonly number[]>
  /** Replaces all rows of these accounts by those of the pages, in one transaction: when anything fails, nothing has changed. */
  replace(accounts: readonly number[], pages: AsyncIterable<FilledPage>, beat: Beat): Promise<void>
  /** Runs a small statement to see whether the database still answers; it waits for no reader. */
  probe(): Promise<void>
  close(): Promise<void>
}

/** How many accounts one statement deletes. */
const CHUNK = 1_000
/** A clock that is less than this behind the rows is awaited; one further behind has been put back. */
const PUT_BACK_MS = 60_000

/** Fills an empty database and closes it again when that fails; `onPage` hears how many accounts it holds. */
export async function fillGeneration(
  database: CacheDatabase,
  relations: readonly string[],
  pages: AsyncIterable<FilledPage>,
  onPage: (accounts: number) => void,
): Promise<Generation> {
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
    return generationOf(database, tables, validity)
  } catch (error) {
    await database.close()
    throw error
  }
}

function generationOf(database: CacheDatabase, tables: readonly HeldTable[], filled: Validity): Generation {
  let validity = filled
  return {
    database,
    validity: () => validity,
    async due(now) {
      const at = sqlNow(now)
      const isPutBack = sqlNow(new Date(now.getTime() + PUT_BACK_MS)) < validity.from
      if (!isPutBack && (validity.to === null || validity.to > at)) return []
      const instant = value(at, 'timestamp')
      const early = isPutBack ? sql` or valid_from > ${instant}` : empty
      // This runs as a writer, because readers may have to wait for a place and every request waits for this statement.
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
