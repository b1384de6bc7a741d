import type { BillRecord, ExpenseLine, ExpenseRecord, PurchaseRecord } from '../../../src/core/expense.ts'
import type { ExpenseListQuery } from '../../../src/ports/expense-store.ts'

export const AT = '2026-01-02T03:04:05.678Z'

/** The first page of everything. */
export const ALL: ExpenseListQuery = {
  limit: 1_000,
  offset: 0,
  source_id: undefined,
  search: undefined,
  start: undefined,
  end: undefined,
  filters: new Map(),
}

const KEPT = { updated_at: AT, is_deleted: false, metadata: {} }

export function lineRecord(line_id: string, amount_cents: number, rest: Partial<ExpenseLine> = {}): ExpenseLine {
  const unsaid = { account_external_id: null, item_external_id: null, description: null, dimensions: {}, metadata: {} }
  return { line_id, amount_cents, ...unsaid, ...rest }
}

const DOCUMENT = {
  ...KEPT,
  number: null,
  vendor_external_id: null,
  document_date: '2026-01-01',
  currency: 'USD',
  home_currency: null,
  exchange_rate: null,
  total_cents: 0,
  lines: [],
}

export function billRecord(external_id: string, rest: Partial<Omit<BillRecord, 'kind'>> = {}): BillRecord {
  const own = { bill_kind: 'bill', status: 'open', due_date: null, balance_cents: 0 } as const
  return { kind: 'bill', external_id, ...DOCUMENT, ...own, ...rest }
}

export function purchaseRecord(external_id: string, rest: Partial<Omit<PurchaseRecord, 'kind'>> = {}): PurchaseRecord {
  return { kind: 'expense', external_id, ...DOCUMENT, payment_type: 'cash', is_voided: false, ...rest }
}

export function vendorRecord(external_id: string, name: string, updated_at = AT): ExpenseRecord {
  return { kind: 'vendor', external_id, ...KEPT, updated_at, name, is_active: true }
}

export function accountRecord(external_id: string, account_type: 'expense' | 'cogs' | null, updated_at = AT): ExpenseRecord {
  return {
    kind: 'account',
    external_id,
    ...KEPT,
    updated_at,
    name: external_id,
    account_type,
    parent_external_id: null,
    is_active: true,
  }
}

export function itemRecord(external_id: string, account_external_id: string | null, updated_at = AT): ExpenseRecord {
  return { kind: 'item', external_id, ...KEPT, updated_at, name: external_id, account_external_id }
}
