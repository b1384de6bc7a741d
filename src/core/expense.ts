/** Canonical sets of the expense tables (definitions.md D60); null stands for unknown, anything else is an error. */
export const ACCOUNT_TYPES = ['expense', 'cogs', 'income', 'asset', 'liability', 'equity', 'other'] as const
export type AccountType = (typeof ACCOUNT_TYPES)[number]

export const BILL_STATUSES = ['open', 'partial', 'paid', 'voided'] as const
export type BillStatus = (typeof BILL_STATUSES)[number]

export const PAYMENT_TYPES = ['cash', 'credit_card', 'check', 'bank_transfer', 'other'] as const
export type PaymentType = (typeof PAYMENT_TYPES)[number]

/** A credit of a vendor is kept as a bill whose lines count negative. */
export const BILL_KINDS = ['bill', 'vendor_credit'] as const
export type BillKind = (typeof BILL_KINDS)[number]

/** What a line may be tagged with; the names, as the accounting platform spells them. */
export const LINE_DIMENSIONS = ['class', 'department', 'project'] as const
export type LineDimensions = Readonly<Partial<Record<(typeof LINE_DIMENSIONS)[number], string>>>

/** Native strings and ids of the platform, kept as they were (`native_account_type`, …). */
export type Metadata = Readonly<Record<string, unknown>>

/** What every record of an accounting platform has. Instants are `YYYY-MM-DDTHH:MM:SS.sssZ`, days `YYYY-MM-DD`. */
interface Kept {
  /** Its id on the platform; with the source it is the key. */
  readonly external_id: string
  /** When the platform last changed it: of two versions the newer one holds, in whatever order they arrive. */
  readonly updated_at: string
  /** Deleted on the platform: it stays, is marked, and counts no more. */
  readonly is_deleted: boolean
  readonly metadata: Metadata
}

/** Records with a date and amounts, which platforms delete; lists only switch theirs off. */
export const DOCUMENT_KINDS = ['bill', 'expense', 'bill_payment'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** A record of which only the deletion is known: what the platform answers once it is gone. */
export interface DeletedRecord {
  readonly kind: ExpenseRecord['kind']
  readonly external_id: string
  readonly updated_at: string
}

export interface VendorRecord extends Kept {
  readonly kind: 'vendor'
  readonly name: string
  readonly is_active: boolean
}

export interface AccountRecord extends Kept {
  readonly kind: 'account'
  readonly name: string
  readonly account_type: AccountType | null
  readonly parent_external_id: string | null
  readonly is_active: boolean
}

/** A product or service that a line may name in the place of an account. */
export interface ItemRecord extends Kept {
  readonly kind: 'item'
  readonly name: string
  /** The account that its purchases are booked on. */
  readonly account_external_id: string | null
}

/** A line of a bill or an expense. */
export interface ExpenseLine {
  readonly line_id: string
  readonly account_external_id: string | null
  /** Set where the line names an item: its account is then the item's, whatever that becomes. */
  readonly item_external_id: string | null
  readonly description: string | null
  /** Cents of the document's currency, net of tax as recorded; negative on credits and refunds. */
  readonly amount_cents: number
  readonly dimensions: LineDimensions
  readonly metadata: Metadata
}

interface Document extends Kept {
  /** The number that people know it by. */
  readonly number: string | null
  readonly vendor_external_id: string | null
  readonly document_date: string
  readonly currency: string
  /** Currency of the company's books, where the platform says it. */
  readonly home_currency: string | null
  /** Decimal text, units of the home currency for one of the document's; used where the home currency is the base. */
  readonly exchange_rate: string | null
  /** Cents with tax; negative on credits and refunds. */
  readonly total_cents: number
  readonly lines: readonly ExpenseLine[]
}

export interface BillRecord extends Document {
  readonly kind: 'bill'
  readonly bill_kind: BillKind
  readonly status: BillStatus | null
  readonly due_date: string | null
  /** What is still owed in cents; negative on an open credit. */
  readonly balance_cents: number
}

/** A direct purchase without a bill. */
export interface PurchaseRecord extends Document {
  readonly kind: 'expense'
  readonly payment_type: PaymentType | null
  readonly is_voided: boolean
}

export interface BillPaymentRecord extends Kept {
  readonly kind: 'bill_payment'
  readonly vendor_external_id: string | null
  readonly payment_date: string
  readonly currency: string
  readonly home_currency: string | null
  readonly exchange_rate: string | null
  readonly amount_cents: number
  readonly payment_type: PaymentType | null
  readonly is_voided: boolean
  /** What it pays, by bill. */
  readonly applied: readonly { readonly bill_external_id: string; readonly amount_cents: number }[]
}

/** A record of an accounting platform in canonical values. */
export type ExpenseRecord = VendorRecord | AccountRecord | ItemRecord | BillRecord | PurchaseRecord | BillPaymentRecord
