import { copyOfReal, sharedReal } from '../support/data/killbill/recorded-database.ts'
import type { Target, TestDatabase } from '../support/databases/test-database.ts'

/** The recorded data in a separate database, with a copy that can replace it. */
export interface ReplaceableReal {
  readonly database: TestDatabase
  /** Statements on the tables that are read; they name no schema. */
  change(statements: readonly string[]): Promise<void>
  /** Statements on those of the copy, `copy.` before the name of each table. */
  prepare(statements: readonly string[]): Promise<void>
  /** Puts the copy in the place of the tables, all at once and while they are read. */
  replace(): Promise<void>
  /** Drops the copies. The database itself is dropped as those of other tests are. */
  drop(): Promise<void>
}

/** Makes both. */
export async function replaceableReal(target: Target): Promise<ReplaceableReal> {
  return target.name === 'postgres'
    ? onPostgres(await copyOfReal(target))
    : onMysql(await sharedReal(target), await target.createDatabase())
}

async function onPostgres(database: TestDatabase): Promise<ReplaceableReal> {
  const tables = await tablesOf(database, 'public')
  await database.adminQuery('create schema copy')
  for (const table of tables) {
    await database.adminQuery(`create table copy.${table} (like public.${table} including all)`)
    await database.adminQuery(`insert into copy.${table} select * from public.${table}`)
  }
  return {
    database,
    change: (statements) => runAll(database, statements),
    prepare: (statements) => runAll(database, statements),
    async replace() {
      await database.adminQuery('begin; alter schema public rename to gone; alter schema copy rename to public; commit')
    },
    drop: async () => {},
  }
}

async function onMysql(source: TestDatabase, database: TestDatabase): Promise<ReplaceableReal> {
  const [own, from] = [nameOf(database), nameOf(source)]
  const [copy, gone] = [`${own}_copy`, `${own}_gone`]
  const tables = await tablesOf(source, from)
  await runAll(database, [`create database ${copy}`, `create database ${gone}`])
  for (const schema of [own, copy]) {
    for (const table of tables) {
      await database.adminQuery(`create table ${schema}.${table} like ${from}.${table}`)
      await database.adminQuery(`insert into ${schema}.${table} select * from ${from}.${table}`)
    }
  }
  return {
    database,
    change: (statements) => runAll(database, statements),
    prepare: (statements) =>
      runAll(
        database,
        statements.map((text) => text.replaceAll('copy.', `${copy}.`)),
      ),
    async replace() {
      const moves = tables.flatMap((table) => [`${own}.${table} to ${gone}.${table}`, `${copy}.${table} to ${own}.${table}`])
      await database.adminQuery(`rename table ${moves.join(', ')}`)
    },
    async drop() {
      await runAll(database, [`drop database ${copy}`, `drop database ${gone}`])
    },
  }
}

async function tablesOf(source: TestDatabase, schema: string): Promise<readonly string[]> {
  const rows = await source.adminQuery(
    `select table_name as name from information_schema.tables where table_schema = '${schema}' and table_name not like 'plumbline%'`,
  )
  return rows.map((row) => String(row['name'] ?? row['NAME']))
}

function nameOf({ url }: TestDatabase): string {
  return new URL(url).pathname.slice(1)
}

async function runAll(database: TestDatabase, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await database.adminQuery(statement)
}
