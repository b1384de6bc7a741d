import type { AccountType, BillStatus, PaymentType } from '../../src/connector-kit/index.ts'

const ACCOUNT_TYPES: Readonly<Record<string, AccountType>> = {
  Expense: 'expense',
  'Other Expense': 'expense',
  'Cost of Goods Sold': 'cogs',
  Income: 'income',
  'Other Income': 'income',
  Bank: 'asset',
  'Accounts Receivable': 'asset',
  'Other Current Asset': 'asset',
  'Fixed Asset': 'asset',
  'Other Asset': 'asset',
  'Accounts Payable': 'liability',
  'Credit Card': 'liability',
  'Other Current Liability': 'liability',
  'Long Term Liability': 'liability',
  Equity: 'equity',
}

/** The canonical type of an `AccountType` of QuickBooks. An unknown type is `other`. */
export function normalizeAccountType(native: string): AccountType {
  return Object.hasOwn(ACCOUNT_TYPES, native) ? (ACCOUNT_TYPES[native] ?? 'other') : 'other'
}

/** The canonical type of a purchase's `PaymentType` or a bill payment's `PayType`. */
export function normalizePaymentType(native: string): PaymentType {
  switch (native) {
    case 'Cash':
      return 'cash'
    case 'Check':
      return 'check'
    case 'CreditCard':
      return 'credit_card'
    default:
      return 'other'
  }
}

/** Cents of a bill, with the sign of its kind. */
interface Owed {
  readonly total_cents: number
  readonly balance_cents: number
}

/** A bill is paid if nothing is left to pay, open if the full amount is left, and partial otherwise. */
export function statusOf({ total_cents, balance_cents }: Owed): BillStatus {
  if (balance_cents === 0) return 'paid'
  return balance_cents === total_cents ? 'open' : 'partial'
}
