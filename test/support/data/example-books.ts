import type { AccountType, BillRecord, ExpenseLine, ExpenseRecord, PurchaseRecord } from '../../../src/core/expense.ts'

const AT = '2025-06-01T00:00:00.000Z'
const kept = (external_id: string) => ({ external_id, updated_at: AT, is_deleted: false, metadata: {} })

const account = (external_id: string, account_type: AccountType): ExpenseRecord => ({
  kind: 'account',
  ...kept(external_id),
  name: external_id,
  account_type,
  parent_external_id: null,
  is_active: true,
})
const vendor = (external_id: string, name: string): ExpenseRecord => ({
  kind: 'vendor',
  ...kept(external_id),
  name,
  is_active: true,
})

const line = (account_external_id: string | null, amount_cents: number): ExpenseLine => ({
  line_id: '1',
  account_external_id,
  item_external_id: null,
  description: null,
  amount_cents,
  dimensions: {},
  metadata: {},
})

type Changed<T> = Partial<Omit<T, 'kind'>>

/** A bill of one line. */
export function bill(id: string, day: string, only: ExpenseLine, changed: Changed<BillRecord> = {}): BillRecord {
  return {
    kind: 'bill',
    ...kept(id),
    ...document(day, only),
    bill_kind: 'bill',
    status: 'open',
    due_date: null,
    balance_cents: only.amount_cents,
    ...changed,
  }
}

/** An expense of one line. */
export function purchase(id: string, day: string, only: ExpenseLine, changed: Changed<PurchaseRecord> = {}): PurchaseRecord {
  return { kind: 'expense', ...kept(id), ...document(day, only), payment_type: 'credit_card', is_voided: false, ...changed }
}

function document(document_date: string, only: ExpenseLine) {
  return {
    number: null,
    vendor_external_id: null,
    document_date,
    currency: 'USD',
    home_currency: 'USD',
    exchange_rate: null,
    total_cents: only.amount_cents,
    lines: [only],
  }
}

/** The books of the worked example (definitions.md 17). */
export const EXAMPLE_BOOKS: readonly ExpenseRecord[] = [
  account('hosting', 'cogs'),
  account('marketing', 'expense'),
  account('equipment', 'asset'),
  vendor('v1', 'Hoster'),
  vendor('v2', 'Werbung GmbH'),
  bill('b1', '2025-03-03', line('hosting', 40_000), { vendor_external_id: 'v1' }),
  bill('b2', '2025-03-15', line('marketing', 9_000), { vendor_external_id: 'v2', currency: 'EUR' }),
  bill('b3', '2025-03-20', line('hosting', -5_000), { vendor_external_id: 'v1', bill_kind: 'vendor_credit' }),
  purchase('e1', '2025-03-28', line('equipment', 120_000)),
  purchase('e2', '2025-04-11', line(null, 1_002), { currency: 'GBP', exchange_rate: '1.25' }),
  bill('b4', '2025-05-10', line('hosting', 12_050), { vendor_external_id: 'v1', status: 'voided' }),
  bill('b5', '2025-05-20', line('marketing', 30_000), { vendor_external_id: 'v2' }),
  bill('b6', '2025-06-30', line('hosting', 40_000), { vendor_external_id: 'v1' }),
]
