import type { AccountType, BillKind, BillStatus } from '../core/expense.ts'

/** What narrows a list of books, and the page of it. Days are `YYYY-MM-DD`, both included. */
export interface BookQuery {
  readonly limit: number
  readonly offset: number
  readonly source_id: string | undefined
  /** Part of the names that people know a row by, in any case. */
  readonly search: string | undefined
  readonly start: string | undefined
  readonly end: string | undefined
  /** Columns, each with the texts of which one must be there; null is a text that is not known. */
  readonly filters: ReadonlyMap<string, readonly (string | null)[]>
}

/** A page, and how many rows there are in all. */
export interface BookPage<T> {
  readonly total: number
  readonly rows: readonly T[]
}

/** An amount in cents, and what decides its worth in the base currency (D13). */
export interface BookedAmount {
  readonly cents: number
  readonly currency: string
  readonly day: string
  /** The same in the home currency of the books, where the document says it. */
  readonly home_currency: string | null
  readonly home_cents: number | null
}

export interface ListedBill {
  readonly id: string
  readonly source_id: string
  readonly number: string | null
  readonly kind: BillKind
  readonly status: BillStatus | null
  readonly vendor_id: string | null
  readonly vendor_name: string | null
  readonly due_date: string | null
  readonly total: BookedAmount
  /** What is still owed; nothing on a voided bill, negative on an open credit. */
  readonly payable: BookedAmount
}

export interface ListedLine {
  readonly source_id: string
  readonly document_kind: 'bill' | 'expense'
  readonly document_id: string
  readonly line_id: string
  readonly vendor_id: string | null
  readonly vendor_name: string | null
  readonly account_id: string | null
  readonly account_name: string | null
  readonly account_type: AccountType | null
  readonly class: string | null
  readonly department: string | null
  readonly project: string | null
  readonly description: string | null
  readonly amount: BookedAmount
}

export interface ListedVendor {
  readonly id: string
  readonly source_id: string
  readonly name: string
  readonly is_active: boolean
  /** What is still owed on each of its open bills. */
  readonly payables: readonly BookedAmount[]
}

/** Lists of a workspace's books. What is deleted is in none of them. */
export interface ExpenseLists {
  /** Newest document first. */
  bills(query: BookQuery): Promise<BookPage<ListedBill>>
  /** The lines that count, newest document first. */
  lines(query: BookQuery): Promise<BookPage<ListedLine>>
  /** By name. */
  vendors(query: BookQuery): Promise<BookPage<ListedVendor>>
}
