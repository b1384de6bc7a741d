import type { BillRecord } from '../../../src/connector-kit/index.ts'
import { statusOf } from '../canonical.ts'
import { type Company, documentMetadata, isVoided, spendingOf } from './document.ts'
import { linesOf } from './lines.ts'
import { BILL, VENDOR_CREDIT } from './shapes.ts'
import { centsOf } from './values.ts'

export function billOf(native: unknown, company: Company): BillRecord {
  const bill = BILL.parse(native)
  const spending = spendingOf(bill, company, 1)
  const balance_cents = centsOf(bill.Balance)
  return {
    kind: 'bill',
    bill_kind: 'bill',
    ...spending,
    vendor_external_id: bill.VendorRef?.value ?? null,
    due_date: bill.DueDate?.slice(0, 10) ?? null,
    balance_cents,
    status: isVoided(bill) ? 'voided' : statusOf({ total_cents: spending.total_cents, balance_cents }),
    lines: linesOf(bill, 1),
    metadata: documentMetadata(bill, { native_type: 'Bill' }),
  }
}

/** A credit is a bill with negative amounts. Documents share their numbers in QuickBooks, so it never has the id of a bill. */
export function vendorCreditOf(native: unknown, company: Company): BillRecord {
  const credit = VENDOR_CREDIT.parse(native)
  const spending = spendingOf(credit, company, -1)
  const { total_cents } = spending
  // Without a balance, only a credit without links is certainly unused.
  const isUnused = (credit.LinkedTxn ?? []).length === 0
  const balance = credit.Balance ?? (isUnused ? credit.TotalAmt : null)
  const balance_cents = balance === null ? 0 : -centsOf(balance) || 0
  const status = balance === null ? null : statusOf({ total_cents, balance_cents })
  return {
    kind: 'bill',
    bill_kind: 'vendor_credit',
    ...spending,
    vendor_external_id: credit.VendorRef?.value ?? null,
    due_date: null,
    balance_cents,
    status: isVoided(credit) ? 'voided' : status,
    lines: linesOf(credit, -1),
    metadata: documentMetadata(credit, { native_type: 'VendorCredit' }),
  }
}
