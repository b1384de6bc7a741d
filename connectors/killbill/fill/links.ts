import type { Snapshot } from '../../../src/connector-kit/connector.ts'
import { createQueryRunner, type Fragment, sql, textList } from '../../../src/connector-kit/query-runner.ts'
import { chunksOf } from '../../../src/core/batches.ts'
import { parseInteger } from '../../../src/core/money.ts'
import type { Links } from '../fold/links.ts'

/** Names in one statement. */
const CHUNK = 500

/** Accounts with a bundle or an invoice whose link to another account has changed. */
export async function relinkedAccounts(snapshot: Snapshot, before: Links, now: Links): Promise<readonly number[]> {
  return [
    ...(await ownersOf(snapshot, sql`bundles`, differing(before.transfers, now.transfers))),
    ...(await ownersOf(snapshot, sql`invoices`, differing(before.parents, now.parents))),
  ]
}

function differing(before: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>): readonly string[] {
  const keys = new Set([...before.keys(), ...now.keys()])
  return [...keys].filter((key) => before.get(key) !== now.get(key) || before.has(key) !== now.has(key))
}

function ownersOf(snapshot: Snapshot, table: Fragment, ids: readonly string[]): Promise<number[]> {
  return inChunks(ids, (list) =>
    accountsIn(snapshot, sql`select distinct t.account_record_id from ${table} as t where t.id in (${list})`),
  )
}

async function accountsIn(snapshot: Snapshot, statement: Fragment): Promise<number[]> {
  const rows = await createQueryRunner(snapshot)('killbill.fill.owners', statement)
  return rows.map((row) => parseInteger(row['account_record_id']))
}

async function inChunks(texts: readonly string[], find: (list: Fragment) => Promise<number[]>): Promise<number[]> {
  const found: number[] = []
  for (const chunk of chunksOf(texts, CHUNK)) found.push(...(await find(textList(chunk))))
  return found
}
