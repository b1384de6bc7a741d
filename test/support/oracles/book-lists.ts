import type { BillRecord, DeletedRecord, ExpenseRecord, PurchaseRecord } from '../../../src/core/expense.ts'

export type Arriving = ExpenseRecord | DeletedRecord

/** The rows of the lists, found by plain loops over all arrivals in any order. */
export function booksOf(arrived: readonly Arriving[]) {
  const documents = [...current(arrived, 'bill'), ...current(arrived, 'expense')]
  const vendors = new Map(current(arrived, 'vendor').map((vendor) => [vendor.external_id, vendor]))
  const accounts = new Map(newest(arrived, 'account').map((account) => [account.external_id, account]))
  const items = new Map(newest(arrived, 'item').map((item) => [item.external_id, item]))
  const lines = documents.filter(counts).flatMap(({ kind, external_id, lines: own }) =>
    own.map((line) => {
      const item = line.item_external_id === null ? undefined : items.get(line.item_external_id)
      const account_id = item === undefined ? line.account_external_id : item.account_external_id
      const account_type = account_id === null ? null : (accounts.get(account_id)?.account_type ?? null)
      return { document: `${kind} ${external_id}`, line_id: line.line_id, cents: line.amount_cents, account_id, account_type }
    }),
  )
  const bills = current(arrived, 'bill').map((bill) => ({
    id: bill.external_id,
    status: bill.status,
    payable: bill.status === 'voided' ? 0 : bill.balance_cents,
  }))
  return {
    lines: sorted(lines),
    bills: sorted(bills),
    vendors: sorted([...vendors.values()].map(({ external_id, name }) => ({ id: external_id, name }))),
  }
}

/** Objects in an order that their content decides. */
export function sorted<T>(rows: readonly T[]): readonly T[] {
  return [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

type Of<Kind extends ExpenseRecord['kind']> = Extract<ExpenseRecord, { kind: Kind }>

/** The newest version of each record of a kind. */
function newest<Kind extends ExpenseRecord['kind']>(arrived: readonly Arriving[], kind: Kind): readonly Of<Kind>[] {
  const byId = new Map<string, Of<Kind>>()
  for (const record of arrived) {
    if (record.kind !== kind || !('is_deleted' in record)) continue
    const version = record as Of<Kind>
    const known = byId.get(version.external_id)
    if (known === undefined || known.updated_at < version.updated_at) byId.set(version.external_id, version)
  }
  return [...byId.values()]
}

/** Those of them that are not deleted. */
function current<Kind extends ExpenseRecord['kind']>(arrived: readonly Arriving[], kind: Kind): readonly Of<Kind>[] {
  return newest(arrived, kind).filter((record) => {
    const isGone = arrived.some(
      (other) =>
        other.kind === kind &&
        other.external_id === record.external_id &&
        !('is_deleted' in other) &&
        other.updated_at >= record.updated_at,
    )
    return !record.is_deleted && !isGone
  })
}

function counts(document: BillRecord | PurchaseRecord): boolean {
  return document.kind === 'bill' ? document.status !== 'voided' : !document.is_voided
}
