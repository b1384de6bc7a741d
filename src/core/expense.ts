/** Canonical sets of the expense tables (definitions.md D60). Null means unknown. Any other value is an error. */
export const ACCOUNT_TYPES = ['expense', 'cogs', 'income', 'asset', 'liability', 'equity', 'other'] as const
export type AccountType = (typeof ACCOUNT_TYPES)[number]

export const BILL_STATUSES = ['open', 'partial', 'paid', 'voided'] as const
export type BillStatus = (typeof BILL_STATUSES)[number]

export const PAYMENT_TYPES = ['cash', 'credit_card', 'check', 'bank_transfer', 'other'] as const
export type PaymentType = (typeof PAYMENT_TYPES)[number]

/** A vendor credit is stored as a bill with negative lines. */
export const BILL_KINDS = ['bill', 'vendor_credit'] as const
export type BillKind = (typeof BILL_KINDS)[number]

/** Tags of a line, with their names on the accounting platform. */
export const LINE_DIMENSIONS = ['class', 'department', 'project'] as const
export type LineDimensions = Readonly<Partial<Record<(typeof LINE_DIMENSIONS)[number], string>>>

/** Native strings and ids of the platform, stored unchanged (`native_account_type`, …). */
export type Metadata = Readonly<Record<string, unknown>>

/** Name of the group of lines without a vendor. */
export const UNASSIGNED_VENDOR = '(unassigned)'

/** Type of the books of imported files, which have no connection (sql/store/expense_source.sql). */
export const FILE_BOOKS = 'csv'

/** Fields of every record of an accounting platform. Instants are `YYYY-MM-DDTHH:MM:SS.sssZ`, days `YYYY-MM-DD`. */
interface PlatformRecord {
  /** Id on the platform. With the source it is the key. */
  readonly external_id: string
  /** Last change on the platform. The newer of two versions wins, in any order of arrival. */
  readonly updated_at: string
  /** Deleted on the platform. The record stays stored but does not count. */
  readonly is_deleted: boolean
  readonly metadata: Metadata
}

/** Records with a date and amounts. Platforms delete them, but only deactivate vendors, accounts and items. */
export const DOCUMENT_KINDS = ['bill', 'expense', 'bill_payment'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** A deleted record without its content: the platform reports only the deletion. */
export interface DeletedRecord {
  readonly kind: ExpenseRecord['kind']
  readonly external_id: string
  readonly updated_at: string
}

export interface VendorRecord extends PlatformRecord {
  readonly kind: 'vendor'
  readonly name: string
  readonly is_active: boolean
}

export interface AccountRecord extends PlatformRecord {
  readonly kind: 'account'
  readonly name: string
  readonly account_type: AccountType | null
  readonly parent_external_id: string | null
  readonly is_active: boolean
}

/** A product or service that a line can name instead of an account. */
export interface ItemRecord extends PlatformRecord {
  readonly kind: 'item'
  readonly name: string
  /** Account that purchases of the item are booked on. */
  readonly account_external_id: string | null
}

/** A line of a bill or an expense. */
export interface ExpenseLine {
  readonly line_id: string
  readonly account_external_id: string | null
  /** Set if the line names an item. The account of the line is then the current account of the item. */
  readonly item_external_id: string | null
  readonly description: string | null
  /** Cents of the document's currency, net of tax as recorded. Negative on credits and refunds. */
  readonly amount_cents: number
  readonly dimensions: LineDimensions
  readonly metadata: Metadata
}

interface Document extends PlatformRecord {
  /** The document number. */
  readonly number: string | null
  readonly vendor_external_id: string | null
  readonly document_date: string
  readonly currency: string
  /** Currency of the company's books, if the platform reports it. */
  readonly home_currency: string | null
  /** Decimal text: units of the home currency for one unit of the document's. Used if the home currency is the base currency. */
  readonly exchange_rate: string | null
  /** Cents with tax. Negative on credits and refunds. */
  readonly total_cents: number
  readonly lines: readonly ExpenseLine[]
}

export interface BillRecord extends Document {
  readonly kind: 'bill'
  readonly bill_kind: BillKind
  readonly status: BillStatus | null
  readonly due_date: string | null
  /** Open balance in cents. Negative on an open credit. */
  readonly balance_cents: number
}

/** A direct purchase without a bill. */
export interface PurchaseRecord extends Document {
  readonly kind: 'expense'
  readonly payment_type: PaymentType | null
  readonly is_voided: boolean
}

export interface BillPaymentRecord extends PlatformRecord {
  readonly kind: 'bill_payment'
  readonly vendor_external_id: string | null
  readonly payment_date: string
  readonly currency: string
  readonly home_currency: string | null
  readonly exchange_rate: string | null
  readonly amount_cents: number
  readonly payment_type: PaymentType | null
  readonly is_voided: boolean
  /** The paid amounts by bill. */
  readonly applied: readonly { readonly bill_external_id: string; readonly amount_cents: number }[]
}

/** A record of an accounting platform in canonical values. */
export type ExpenseRecord = VendorRecord | AccountRecord | ItemRecord | BillRecord | PurchaseRecord | BillPaymentRecord
