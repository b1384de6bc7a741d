import type { Snapshot } from '../../../src/connector-kit/connector.ts'
import type { Layout } from './account-statements.ts'
import type { FoldContext } from './context.ts'
import type { Instant } from './instant.ts'
import { type LinkRows, readLinkRows } from './link-rows.ts'
import { parentSettlements } from './parents.ts'
import { readInvoiceTables } from './read-row.ts'
import { transferBundles } from './transfer-rows.ts'
import { transferInstants } from './transfers.ts'

/** What an account's fold needs of other accounts: successors of transferred bundles, settlement of parent invoices. */
export type Links = Pick<FoldContext, 'transfers' | 'parents'>

/** Reads what all accounts of the tenants know of each other. */
export async function readLinks(
  snapshot: Snapshot,
  tenants: readonly number[],
  { now, layout }: { readonly now: Instant; readonly layout: Layout },
): Promise<Links> {
  return linksOf(await readLinkRows(snapshot, { tenants }, layout), now)
}

/** What the rows say as of now (D19, D53). */
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
