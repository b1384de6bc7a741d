import type { Instant } from './instant.ts'
import { type InvoiceTables, ledgerOf } from './paid-invoices.ts'

/** Link of a child's invoice to the invoice of the account that pays it. */
export interface ParentLink {
  readonly parent_invoice_id: string
  readonly child_invoice_id: string
}

/** Child invoices → paid_at of their parent invoice, null while that is open, void or a draft (D53, KB 8.5). */
export function parentSettlements(
  links: readonly ParentLink[],
  parents: InvoiceTables,
  now: Instant,
): Map<string, Instant | null> {
  const ledger = ledgerOf(parents, now)
  const paid = new Map(ledger.invoices.map((invoice) => [invoice.id, ledger.settledAt(invoice)]))
  return new Map(links.map((link) => [link.child_invoice_id, paid.get(link.parent_invoice_id) ?? null]))
}
