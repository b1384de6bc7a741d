import type { Snapshot } from '../../../src/connector-kit/connector.ts'
import { createQueryRunner, type Fragment, sql, textList } from '../../../src/connector-kit/query-runner.ts'
import { chunksOf } from '../../../src/core/batches.ts'
import { parseInteger } from '../../../src/core/money.ts'
import type { Links } from '../fold/links.ts'
import type { PriceChange } from './catalog-changes.ts'

/** Names in one statement. */
const CHUNK = 500

/** Accounts with a bundle or an invoice whose link to another account has changed. */
export async function relinkedAccounts(snapshot: Snapshot, before: Links, now: Links): Promise<readonly number[]> {
  return [
    ...(await ownersOf(snapshot, sql`bundles`, differing(before.transfers, now.transfers))),
    ...(await ownersOf(snapshot, sql`invoices`, differing(before.parents, now.parents))),
  ]
}

/** Accounts with an event in one of these phases, whose currency is one of these currencies. */
export async function pricedAccounts(snapshot: Snapshot, changes: readonly PriceChange[]): Promise<readonly number[]> {
  const currencies = textList([...new Set(changes.map(({ currency }) => currency))])
  return inChunks([...new Set(changes.map(({ phase }) => phase))], (phases) =>
    accountsIn(
      snapshot,
      sql`select distinct subscription.account_record_id from subscription_events as event
join subscriptions as subscription on subscription.id = event.subscription_id
join accounts as account on account.record_id = subscription.account_record_id
where event.phase_name in (${phases}) and coalesce(account.currency, '') in (${currencies})`,
    ),
  )
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
