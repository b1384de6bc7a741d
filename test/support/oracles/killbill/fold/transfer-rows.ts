import type { Row } from '../../../../../src/connector-kit/connector.ts'
import { type Fragment, type QueryRunner, sql, value } from '../../../../../src/connector-kit/query-runner.ts'
import { chunksOf } from '../../../../../src/core/batches.ts'
import { parseInteger } from '../../../../../src/core/money.ts'
import { groupBy } from './group.ts'
import type { BundleRecord, TransferBundle } from './transfers.ts'

const BUNDLE = sql`bundle.account_record_id, bundle.record_id, bundle.tenant_record_id, bundle.id, bundle.external_key`

/** Bundles in one statement. */
const CHUNK = 500

/**
 * Reads the rows that show transfers: bundles that were transferred according to their key, bundles that were transferred
 * according to their history, and received bundles.
 */
export async function readTransferRows(run: QueryRunner, scope: LinkScope): Promise<readonly Row[]> {
  if (scope.accounts === undefined) return readRows(run, scope, () => sql`true`)
  const bundles = await run(
    'killbill.fold.bundles',
    sql`select bundle.record_id from bundles as bundle where ${within(sql`bundle`, scope)}`,
  )
  const numbers = bundles.map((row) => parseInteger(row['record_id']))
  const rows: Row[] = []
  for (const chunk of chunksOf(numbers, CHUNK)) {
    // The statement lists the numbers. With a join alone, a hash join would read whole tables for the sake of one account.
    rows.push(...(await readRows(run, scope, (column) => sql`${column} in (${value(chunk, 'integers')})`)))
  }
  return rows
}

/** `named` makes the condition that restricts a column of bundle numbers. */
async function readRows(run: QueryRunner, scope: LinkScope, named: (column: Fragment) => Fragment): Promise<readonly Row[]> {
  const tenants = value(scope.tenants, 'integers')
  const bundles = sql`bundle.tenant_record_id in (${tenants}) and ${named(sql`bundle.record_id`)}`
  const given = await run(
    'killbill.fold.given',
    sql`select ${BUNDLE} from bundles as bundle where ${bundles} and bundle.external_key like 'kbtsf-%'`,
  )
  const renamed = await run(
    'killbill.fold.renamed',
    sql`select ${BUNDLE}, renamed.external_key as renamed_key, renamed.created_date as renamed_at
from bundle_history as renamed
join bundles as bundle on bundle.record_id = renamed.target_record_id
where renamed.tenant_record_id in (${tenants}) and ${named(sql`renamed.target_record_id`)} and renamed.change_type = 'UPDATE'
  and renamed.external_key like 'kbtsf-%' and ${bundles}`,
  )
  const received = await run(
    'killbill.fold.received',
    sql`select ${BUNDLE}, inserted.external_key as inserted_key, inserted.created_date as inserted_at,
  min(event.effective_date) as moved_at
from subscription_events as event
join subscriptions as subscription on subscription.id = event.subscription_id
join bundles as bundle on bundle.id = subscription.bundle_id
left join bundle_history as inserted on inserted.target_record_id = bundle.record_id and inserted.change_type = 'INSERT'
  and ${named(sql`inserted.target_record_id`)}
where ${within(sql`event`, scope)} and event.is_active = true and event.user_type = 'TRANSFER' and ${bundles}
group by ${BUNDLE}, inserted.external_key, inserted.created_date`,
  )
  return [...given, ...renamed, ...received]
}

/** One bundle for all rows that have its id. */
export function transferBundles(rows: readonly Row[]): readonly TransferBundle[] {
  return [...groupBy(rows, (row) => String(row['id'])).values()].map((own) => {
    const [first] = own
    const moved = own.map((row) => row['moved_at'] ?? null).find((at) => at !== null)
    return {
      record_id: parseInteger(first?.['record_id']),
      tenant_record_id: parseInteger(first?.['tenant_record_id']),
      id: String(first?.['id']),
      external_key: String(first?.['external_key']),
      moved_at: moved === undefined ? null : String(moved),
      inserted: recordsOf(own, 'inserted')[0] ?? null,
      renamed: recordsOf(own, 'renamed'),
    }
  })
}

function recordsOf(rows: readonly Row[], word: 'inserted' | 'renamed'): BundleRecord[] {
  return rows.flatMap((row) => {
    const [key, at] = [row[`${word}_key`] ?? null, row[`${word}_at`] ?? null]
    return key === null || at === null ? [] : [{ external_key: String(key), at: String(at) }]
  })
}

/** All accounts of the tenants, or some. */
export interface LinkScope {
  readonly tenants: readonly number[]
  readonly accounts?: readonly number[]
}

/** Condition: the rows of `table` belong to these accounts. */
export function within(table: Fragment, { tenants, accounts }: LinkScope): Fragment {
  const ofTenants = sql`${table}.tenant_record_id in (${value(tenants, 'integers')})`
  return accounts === undefined ? ofTenants : sql`${ofTenants} and ${table}.account_record_id in (${value(accounts, 'integers')})`
}
