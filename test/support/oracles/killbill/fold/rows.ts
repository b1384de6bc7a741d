import type { Amount } from './amount.ts'
import type { Instant } from './instant.ts'

/** Plain rows of one account, columns named as in the engine's tables. */
export interface AccountRows {
  readonly account: AccountRow
  readonly bundles: readonly BundleRow[]
  readonly subscriptions: readonly SubscriptionRow[]
  /** Active and inactive rows, because an inactive EXPIRED row matters (D18). */
  readonly events: readonly EventRow[]
  readonly blocking_states: readonly BlockingRow[]
  readonly invoices: readonly InvoiceRow[]
  readonly invoice_history: readonly InvoiceHistoryRow[]
  readonly invoice_items: readonly InvoiceItemRow[]
  readonly invoice_payments: readonly InvoicePaymentRow[]
  readonly tags: readonly TagRow[]
}

export interface AccountRow {
  readonly record_id: number
  readonly tenant_record_id: number
  readonly id: string
  readonly external_key: string | null
  readonly currency: string | null
}

export interface BundleRow {
  readonly id: string
  readonly external_key: string
}

export interface SubscriptionRow {
  readonly id: string
  readonly bundle_id: string
  readonly category: string
  readonly start_date: Instant
}

export interface EventRow {
  readonly record_id: number
  readonly subscription_id: string
  readonly event_type: string
  readonly user_type: string | null
  readonly effective_date: Instant
  readonly plan_name: string | null
  readonly phase_name: string | null
  readonly price_list_name: string | null
  readonly quantity: number | null
  readonly is_active: boolean
  readonly created_date: Instant
}

export interface BlockingRow {
  readonly record_id: number
  readonly blockable_id: string
  readonly type: string
  readonly service: string
  readonly block_billing: boolean
  readonly effective_date: Instant
  readonly created_date: Instant
  readonly is_active: boolean
}

export interface InvoiceRow {
  readonly record_id: number
  readonly id: string
  readonly currency: string
  readonly status: string
  readonly migrated: boolean
  readonly parent_invoice: boolean
  readonly created_date: Instant
}

export interface InvoiceHistoryRow {
  readonly target_record_id: number
  readonly status: string
  readonly created_date: Instant
}

export interface InvoiceItemRow {
  readonly record_id: number
  readonly id: string
  readonly invoice_id: string
  readonly type: string
  readonly subscription_id: string | null
  readonly phase_name: string | null
  readonly start_date: string | null
  readonly end_date: string | null
  readonly amount: Amount
  readonly linked_item_id: string | null
  readonly created_date: Instant
}

export interface InvoicePaymentRow {
  readonly invoice_id: string
  readonly payment_date: Instant
  /** Refunds and chargebacks are negative. */
  readonly amount: Amount
  readonly status: string
}

export interface TagRow {
  readonly object_id: string
  readonly object_type: string
  readonly tag_definition_id: string
  readonly created_date: Instant
  readonly is_active: boolean
}
