import type { Row, Snapshot } from '../../../../../src/connector-kit/connector.ts'
import { countedRunner } from '../../../../../src/connector-kit/counted-runner.ts'
import {
  createQueryRunner,
  type Fragment,
  type QueryRunner,
  sql,
  textList,
  value,
} from '../../../../../src/connector-kit/query-runner.ts'
import { chunksOf } from '../../../../../src/core/batches.ts'
import { parseInteger } from '../../../../../src/core/money.ts'
import { type Layout, paymentStatus } from './account-statements.ts'
import { type LinkScope, readTransferRows, within } from './transfer-rows.ts'

/** Tables whose rows of one account affect others. Every row has its `account_record_id`. */
const LINK_TABLES = [
  'bundles',
  'links',
  'accounts',
  'invoices',
  'children',
  'invoice_history',
  'invoice_items',
  'invoice_payments',
  'tags',
] as const

/**
 * Transferred bundles, links from children's invoices to their parents', and the rows that show when a parent's invoice was paid. `invoices`
 * are those of parents, `children` those of the accounts that have a linked one, which `accounts` has.
 */
export type LinkRows = { readonly [table in (typeof LINK_TABLES)[number]]: readonly Row[] }

/** Names or numbers in one statement. */
const CHUNK = 500

/** Reads the rows, and compares their number with the database's own count. */
export async function readLinkRows(snapshot: Snapshot, scope: LinkScope, layout: Layout): Promise<LinkRows> {
  const { run, verify } = countedRunner(createQueryRunner(snapshot))
  const bundles = await readTransferRows(run, scope)
  const links = await run(
    'killbill.fold.links',
    sql`select link.account_record_id, link.parent_invoice_id, link.child_invoice_id from invoice_parent_children as link
where ${within(sql`link`, scope)}`,
  )
  const invoices = await run(
    'killbill.fold.parent.invoices',
    sql`select t.account_record_id, t.record_id, t.id, t.currency, t.status, t.migrated, t.parent_invoice, t.created_date
from invoices as t where ${within(sql`t`, scope)} and t.parent_invoice = true`,
  )
  const ofChildren = sql`in (select paid.account_record_id from invoice_parent_children as link
join invoices as paid on paid.id = link.child_invoice_id where ${within(sql`link`, scope)})`
  const accounts = await run(
    'killbill.fold.children',
    sql`select t.record_id as account_record_id, t.record_id, t.id from accounts as t where t.record_id ${ofChildren}`,
  )
  const children = await run(
    'killbill.fold.children.invoices',
    sql`select t.account_record_id, t.record_id, t.id, t.currency, t.status, t.migrated, t.parent_invoice, t.created_date
from invoices as t where t.account_record_id ${ofChildren} and t.parent_invoice = false`,
  )
  const read = await readInvoiceRows(run, [...invoices, ...children], layout)
  const rows = { bundles, links, accounts, invoices, children, ...read }
  await verify()
  return rows
}

/** The rows of these invoices. Invoices of parents and of their children are few, so the indexes on the invoice find the rows quickly. */
async function readInvoiceRows(run: QueryRunner, invoices: readonly Row[], layout: Layout) {
  const ids = invoices.map((row) => String(row['id']))
  const numbers = invoices.map((row) => parseInteger(row['record_id']))
  const status = paymentStatus(layout)
  const read = async <T>(
    label: string,
    keys: readonly T[],
    statement: (list: readonly T[]) => Fragment,
  ): Promise<readonly Row[]> => {
    const rows: Row[] = []
    for (const chunk of chunksOf(keys, CHUNK)) rows.push(...(await run(`killbill.fold.parent.${label}`, statement(chunk))))
    return rows
  }
  return {
    invoice_history: await read(
      'history',
      numbers,
      (list) => sql`select t.account_record_id, t.target_record_id, t.status, t.created_date from invoice_history as t
where t.target_record_id in (${value(list, 'integers')})`,
    ),
    invoice_items: await read(
      'items',
      ids,
      (
        list,
      ) => sql`select t.account_record_id, t.record_id, t.id, t.invoice_id, t.child_account_id, t.type, t.subscription_id, t.start_date, t.end_date, t.amount,
  t.linked_item_id, t.created_date from invoice_items as t where t.invoice_id in (${textList(list)})`,
    ),
    invoice_payments: await read(
      'payments',
      ids,
      (list) => sql`select t.account_record_id, t.invoice_id, t.payment_date, t.amount, ${status} from invoice_payments as t
where t.invoice_id in (${textList(list)})`,
    ),
    tags: await read(
      'tags',
      ids,
      (
        list,
      ) => sql`select t.account_record_id, t.object_id, t.object_type, t.tag_definition_id, t.created_date, t.is_active from tags as t
where t.is_active = true and t.object_id in (${textList(list)})`,
    ),
  }
}
