import type { FilledPage } from '../connector-kit/cache-feed.ts'
import { createQueryRunner, type Fragment, ident, sql, statementOf, value } from '../connector-kit/query-runner.ts'
import { chunksOf } from '../core/batches.ts'
import { parseInteger } from '../core/money.ts'
import type { CacheDatabase, CacheWriter, Row } from '../engine/ports.ts'
import { ACCOUNTS, createTable, type HeldTable, heldTable } from './held-table.ts'

/** Every now in [from, to) finds the rows right; `to` null = for ever. Instants as text. */
export interface Validity {
  readonly from: string
  readonly to: string | null
}

/** One filling of the cache's database. */
export interface Generation {
  readonly database: CacheDatabase
  readonly validity: () => Validity
  /** Accounts whose rows are right no longer at that instant. */
  due(now: string): Promise<readonly number[]>
  /** Puts the pages in the place of what is held of these accounts: all at once or, when anything fails, not at all. */
  replace(accounts: readonly number[], pages: AsyncIterable<FilledPage>): Promise<void>
  close(): Promise<void>
}

/** Accounts deleted by one statement. */
const CHUNK = 1_000

/** Fills an empty database; `onPage` hears how many accounts it holds. Closes the database when that fails. */
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
      if (validity.to === null || validity.to > now) return []
      const rows = await database.reader.withSnapshot((snapshot) =>
        createQueryRunner(snapshot)(
          'cache.due',
          sql`select customer_key from cached_account where valid_to <= ${value(now, 'timestamp')}`,
        ),
      )
      return rows.map((row) => parseInteger(row['customer_key']))
    },
    async replace(accounts, pages) {
      validity = await database.write(async (writer) => {
        for (const chunk of chunksOf(accounts, CHUNK)) await remove(writer, tables, chunk)
        for await (const page of pages) await append(writer, tables, page)
        return readValidity(writer)
      })
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
