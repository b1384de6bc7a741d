import type { CheckFinding, Snapshot } from '../../src/connector-kit/connector.ts'
import { createQueryRunner, type QueryRunner, sql, textList } from '../../src/connector-kit/query-runner.ts'
import { text } from '../../src/connector-kit/reading.ts'
import { chunksOf } from '../../src/core/batches.ts'
import { readTransferRows, transferBundles } from './fold/transfer-rows.ts'
import { isGiven, type TransferBundle, transferInstants } from './fold/transfers.ts'

/** Names in one statement. */
const CHUNK = 500
const MOST_LISTED = 20

/**
 * Findings about bundles that were transferred away (D19): those without a successor, whose subscriptions go on here, and those that
 * the engine never ended. The second happens in the middle of a chain: a second transfer may end the first owner's subscriptions.
 */
export async function transferFindings(snapshot: Snapshot, tenants: readonly number[]): Promise<readonly CheckFinding[]> {
  const run = createQueryRunner(snapshot)
  const bundles = transferBundles(await readTransferRows(run, { tenants }))
  const instants = transferInstants(bundles)
  const given = bundles.filter(isGiven)
  const lost = given.filter(({ id }) => !instants.has(id))
  const endless = await withoutEnd(run, given)
  return [
    lost.length === 0
      ? { name: 'transfers', level: 'ok', message: `${given.length} bundles were transferred away, each has its successor` }
      : { name: 'transfers', level: 'warning', message: `transferred away, successor not found: ${listed(lost.map(keyOf))}` },
    endless.length === 0
      ? { name: 'transfer_chains', level: 'ok', message: 'the engine has ended what was transferred away' }
      : {
          name: 'transfer_chains',
          level: 'warning',
          message: `transferred away, yet the engine has no end for it and goes on billing: ${listed(endless.map(placeOf))}`,
        },
  ]
}

/** Of these bundles the ones with a subscription, add-ons apart, that neither a CANCEL nor an EXPIRED ends. */
async function withoutEnd(run: QueryRunner, bundles: readonly TransferBundle[]): Promise<readonly TransferBundle[]> {
  const endless = new Set<string>()
  for (const chunk of chunksOf(bundles, CHUNK)) {
    const rows = await run(
      'killbill.transfers_without_end',
      sql`select distinct subscription.bundle_id from subscriptions as subscription
where subscription.bundle_id in (${textList(chunk.map(({ id }) => id))}) and subscription.category <> 'ADD_ON'
  and not exists (select 1 from subscription_events as event where event.subscription_id = subscription.id and event.is_active = true
    and (event.user_type = 'CANCEL' or event.event_type = 'EXPIRED'))`,
    )
    for (const row of rows) endless.add(text(row['bundle_id']))
  }
  return bundles.filter(({ id }) => endless.has(id))
}

function keyOf({ external_key }: TransferBundle): string {
  return external_key
}

function placeOf({ external_key, moved_at }: TransferBundle): string {
  return moved_at === null ? external_key : `${external_key} (the middle of a chain)`
}

function listed(keys: readonly string[]): string {
  const rest = keys.length - MOST_LISTED
  return `${keys.slice(0, MOST_LISTED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
