import type { Row, Snapshot } from '../../../../../src/connector-kit/connector.ts'
import type { Layout } from './account-statements.ts'
import type { FoldContext } from './context.ts'
import type { Instant } from './instant.ts'
import { type LinkRows, readLinkRows } from './link-rows.ts'
import { type InvoiceTables, ledgerOf } from './paid-invoices.ts'
import { type ParentLink, parentLinks } from './parent-links.ts'
import { readInvoiceTables } from './read-row.ts'
import { transferBundles } from './transfer-rows.ts'
import { transferInstants } from './transfers.ts'

/** Facts about other accounts that an account's fold needs: successors of transferred bundles, settlement of parent invoices. */
export type Links = Pick<FoldContext, 'transfers' | 'parents'>

/** Reads the links between all accounts of the tenants. */
export async function readLinks(
  snapshot: Snapshot,
  tenants: readonly number[],
  { now, layout }: { readonly now: Instant; readonly layout: Layout },
): Promise<Links> {
  return linksOf(await readLinkRows(snapshot, { tenants }, layout), now)
}

/** The links of the rows as of now (D19, D53). */
export function linksOf(rows: LinkRows, now: Instant): Links {
  const { bundles, links, accounts, children, ...tables } = rows
  const pairs = parentLinks({ ...tables, links, accounts, invoices: [...tables.invoices, ...children] }, now)
  return {
    transfers: transferInstants(transferBundles(bundles)),
    parents: pairs.length === 0 ? new Map() : parentSettlements(pairs, readInvoiceTables(ofParents(tables)), now),
  }
}

/** The rows of the parents' invoices. */
function ofParents(tables: Omit<LinkRows, 'bundles' | 'links' | 'accounts' | 'children'>) {
  const ids = new Set(tables.invoices.map((row) => row['id']))
  const numbers = new Set(tables.invoices.map((row) => String(row['record_id'])))
  const isTheirs = (row: Row) => ids.has(row['invoice_id'])
  return {
    ...tables,
    invoice_items: tables.invoice_items.filter(isTheirs),
    invoice_payments: tables.invoice_payments.filter(isTheirs),
    invoice_history: tables.invoice_history.filter((row) => numbers.has(String(row['target_record_id']))),
  }
}

/** Child invoices → paid_at of the parent's invoice. Null while the parent's invoice is open, void or a draft (D53, KB 8.5). */
export function parentSettlements(
  links: readonly ParentLink[],
  parents: InvoiceTables,
  now: Instant,
): Map<string, Instant | null> {
  const ledger = ledgerOf(parents, now)
  const paid = new Map(ledger.invoices.map((invoice) => [invoice.id, ledger.settledAt(invoice)]))
  return new Map(links.map((link) => [link.child_invoice_id, paid.get(link.parent_invoice_id) ?? null]))
}
