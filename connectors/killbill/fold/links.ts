import type { Row, Snapshot } from '../../../src/connector-kit/connector.ts'
import { createQueryRunner, type Fragment, type QueryRunner, sql, value } from '../../../src/connector-kit/query-runner.ts'
import { parseInteger } from '../../../src/core/money.ts'
import type { Layout } from './account-statements.ts'
import type { FoldContext } from './context.ts'
import type { Instant } from './instant.ts'
import { parentSettlements } from './parents.ts'
import { readInvoiceTables } from './read-row.ts'
import { type TransferBundle, transferInstants } from './transfers.ts'

/** What an account's fold needs of other accounts: successors of transferred bundles, settlement of parent invoices. */
export async function readLinks(
  snapshot: Snapshot,
  tenants: readonly number[],
  options: { readonly now: Instant; readonly layout: Layout },
): Promise<Pick<FoldContext, 'transfers' | 'parents'>> {
  const run = createQueryRunner(snapshot)
  const ids = value(tenants, 'integers')
  return { transfers: transferInstants(await readTransferBundles(run, ids)), parents: await readParents(run, ids, options) }
}

async function readTransferBundles(run: QueryRunner, ids: Fragment): Promise<TransferBundle[]> {
  const given = await run(
    'killbill.fold.given',
    sql`select bundle.record_id, bundle.tenant_record_id, bundle.id, bundle.external_key, null as moved_at
from bundles as bundle where bundle.tenant_record_id in (${ids}) and bundle.external_key like 'kbtsf-%'`,
  )
  if (given.length === 0) return []
  const received = await run(
    'killbill.fold.received',
    sql`select bundle.record_id, bundle.tenant_record_id, bundle.id, bundle.external_key, min(event.effective_date) as moved_at
from subscription_events as event
join subscriptions as subscription on subscription.id = event.subscription_id
join bundles as bundle on bundle.id = subscription.bundle_id
where event.tenant_record_id in (${ids}) and event.is_active = true and event.user_type = 'TRANSFER'
group by bundle.record_id, bundle.tenant_record_id, bundle.id, bundle.external_key`,
  )
  return [...given, ...received].map(readTransferBundle)
}

function readTransferBundle(row: Row): TransferBundle {
  return {
    record_id: parseInteger(row['record_id']),
    tenant_record_id: parseInteger(row['tenant_record_id']),
    id: String(row['id']),
    external_key: String(row['external_key']),
    moved_at: row['moved_at'] === null ? null : String(row['moved_at']),
  }
}

/** The tables of parent invoices alone: they are few, and only their settlement matters. */
async function readParents(
  run: QueryRunner,
  ids: Fragment,
  { now, layout }: { readonly now: Instant; readonly layout: Layout },
): Promise<Map<string, Instant | null>> {
  const rows = await run(
    'killbill.fold.links',
    sql`select link.parent_invoice_id, link.child_invoice_id from invoice_parent_children as link where link.tenant_record_id in (${ids})`,
  )
  if (rows.length === 0) return new Map()
  const links = rows.map((row) => ({
    parent_invoice_id: String(row['parent_invoice_id']),
    child_invoice_id: String(row['child_invoice_id']),
  }))
  const status = layout.has_payment_status
    ? sql`t.status`
    : sql`case when t.success = true then 'SUCCESS' else 'INIT' end as status`
  const ofParents = (column: Fragment, key: Fragment): Fragment =>
    sql`${column} in (select ${key} from invoices as parent where parent.tenant_record_id in (${ids}) and parent.parent_invoice = true)`
  const select = (label: string, columns: Fragment, table: Fragment, more: Fragment): Promise<readonly Row[]> =>
    run(
      `killbill.fold.parent.${label}`,
      sql`select ${columns} from ${table} as t where t.tenant_record_id in (${ids}) and ${more}`,
    )
  const tables = {
    invoices: await select(
      'invoices',
      sql`t.record_id, t.id, t.currency, t.status, t.migrated, t.parent_invoice, t.created_date`,
      sql`invoices`,
      sql`t.parent_invoice = true`,
    ),
    invoice_history: await select(
      'history',
      sql`t.target_record_id, t.status, t.created_date`,
      sql`invoice_history`,
      ofParents(sql`t.target_record_id`, sql`parent.record_id`),
    ),
    invoice_items: await select(
      'items',
      sql`t.record_id, t.id, t.invoice_id, t.type, t.subscription_id, t.start_date, t.end_date, t.amount, t.linked_item_id, t.created_date`,
      sql`invoice_items`,
      ofParents(sql`t.invoice_id`, sql`parent.id`),
    ),
    invoice_payments: await select(
      'payments',
      sql`t.invoice_id, t.payment_date, t.amount, ${status}`,
      sql`invoice_payments`,
      ofParents(sql`t.invoice_id`, sql`parent.id`),
    ),
    tags: await select(
      'tags',
      sql`t.object_id, t.object_type, t.tag_definition_id, t.created_date, t.is_active`,
      sql`tags`,
      sql`t.is_active = true and ${ofParents(sql`t.object_id`, sql`parent.id`)}`,
    ),
  }
  return parentSettlements(links, readInvoiceTables(tables), now)
}
