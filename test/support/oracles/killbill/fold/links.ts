import type { Snapshot } from '../../../../../src/connector-kit/connector.ts'
import type { Layout } from './account-statements.ts'
import type { FoldContext } from './context.ts'
import type { Instant } from './instant.ts'
import { type LinkRows, readLinkRows } from './link-rows.ts'
import { type InvoiceTables, ledgerOf } from './paid-invoices.ts'
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
  const { bundles, links, ...tables } = rows
  const pairs = links.map((row) => ({
    parent_invoice_id: String(row['parent_invoice_id']),
    child_invoice_id: String(row['child_invoice_id']),
  }))
  return {
    transfers: transferInstants(transferBundles(bundles)),
    parents: pairs.length === 0 ? new Map() : parentSettlements(pairs, readInvoiceTables(tables), now),
  }
}

/** Link of a child's invoice to the invoice of the account that pays it. */
interface ParentLink {
  readonly parent_invoice_id: string
  readonly child_invoice_id: string
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
