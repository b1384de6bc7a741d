import type { Row } from '../../../src/connector-kit/connector.ts'
import { ident, type QueryRunner, sql, textList, value } from '../../../src/connector-kit/query-runner.ts'
import { chunksOf } from '../../../src/core/batches.ts'
import { parseInteger } from '../../../src/core/money.ts'
import type { Log, LogObject } from './logs.ts'

/** Keys in one statement. */
const CHUNK = 500

/** The accounts that these rows of a log concern: those of the rows, and those of their objects. */
export async function accountsOf(run: QueryRunner, log: Log, rows: readonly Row[]): Promise<ReadonlySet<number>> {
  const accounts = new Set<number>()
  if (log.account === null || rows.length === 0) return accounts
  const owners = log.object === undefined ? new Map<string, number>() : await ownersOf(run, log.object, rows)
  for (const row of rows) {
    const owner = owners.get(String(row['object']))
    if (owner !== undefined) accounts.add(owner)
    accounts.add(parseInteger(row['account']))
  }
  return accounts
}

/**
 * The account of each object in the rows, by the key of the object. The statement lists the keys, because they are few and the
 * tables are large.
 */
async function ownersOf(run: QueryRunner, { table, id }: LogObject, rows: readonly Row[]): Promise<ReadonlyMap<string, number>> {
  const owners = new Map<string, number>()
  const column = ident(id.column)
  for (const keys of chunksOf([...new Set(rows.map((row) => String(row['object'])))], CHUNK)) {
    const list = id.type === 'text' ? textList(keys) : value(keys.map(Number), 'integers')
    const found = await run(
      `killbill.log.${table}`,
      sql`select t.${column} as object, t.account_record_id as account from ${ident(table)} as t where t.${column} in (${list})`,
    )
    for (const row of found) owners.set(String(row['object']), parseInteger(row['account']))
  }
  return owners
}
