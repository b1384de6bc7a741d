import type { Snapshot } from '../../../src/connector-kit/connector.ts'
import { createQueryRunner, sql, textList } from '../../../src/connector-kit/query-runner.ts'
import { chunksOf } from '../../../src/core/batches.ts'
import { parseInteger } from '../../../src/core/money.ts'
import type { PriceChange } from './catalog-changes.ts'

/** Names in one statement. */
const CHUNK = 500

/** Accounts with an event in one of these phases, whose currency is one of these currencies. */
export async function pricedAccounts(snapshot: Snapshot, changes: readonly PriceChange[]): Promise<readonly number[]> {
  const run = createQueryRunner(snapshot)
  const currencies = textList([...new Set(changes.map(({ currency }) => currency))])
  const accounts: number[] = []
  for (const phases of chunksOf([...new Set(changes.map(({ phase }) => phase))], CHUNK)) {
    const rows = await run(
      'killbill.log.priced',
      sql`select distinct subscription.account_record_id from subscription_events as event
join subscriptions as subscription on subscription.id = event.subscription_id
join accounts as account on account.record_id = subscription.account_record_id
where event.phase_name in (${textList(phases)}) and coalesce(account.currency, '') in (${currencies})`,
    )
    for (const row of rows) accounts.push(parseInteger(row['account_record_id']))
  }
  return accounts
}
