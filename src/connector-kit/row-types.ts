import type { MOVEMENT_SOURCES, MovementType } from '../core/enums.ts'

/** Statuses of a live subscription (D22). */
export const LIVE_STATUSES = ['active', 'paused'] as const

/** Statuses of an invoice. The first status in this order that is true of the invoice applies. */
export const INVOICE_STATUSES = ['draft', 'void', 'paid', 'uncollectible', 'open'] as const

/** A live subscription (D22). */
export interface ActiveSubscriptionRow {
  readonly source_id: string
  readonly subscription_id: string
  readonly customer_id: string
  readonly bundle_id: string | null
  readonly status: (typeof LIVE_STATUSES)[number]
  readonly plan_id: string
  readonly price_list: string | null
  readonly quantity: number
  readonly currency: string | null
  /** MRR in cents of the currency, usage included. Null if the price is not known (D26). */
  readonly mrr_cents: number | null
}

/** MRR of one source and currency, in cents of the currency. */
export interface MrrRow {
  readonly source_id: string
  readonly currency: string | null
  readonly mrr_cents: number
}

/** MRR of one source. The contract says USD and means the base currency (D14), which is USD unless configured otherwise. */
export interface MrrUsdRow {
  readonly source_id: string
  readonly base_currency: string
  readonly mrr_usd_cents: number
}

/** One movement of one component of a subscription (D31). Losses are negative. */
export interface SubscriptionChangeRow {
  readonly source_id: string
  readonly type: MovementType
  readonly movement_source: (typeof MOVEMENT_SOURCES)[number]
  readonly amount_cents: number
  /** Base cents (D14). */
  readonly amount_usd_cents: number
  readonly currency: string | null
  readonly customer_id: string
  readonly subscription_id: string
  /** `YYYY-MM-DDTHH:MM:SS.sssZ` */
  readonly occurred_at: string
  readonly reason: string
}

/** The current state of a customer. */
export interface CustomerRow {
  readonly source_id: string
  readonly customer_id: string
  readonly external_key: string | null
  readonly name: string | null
  readonly email: string | null
  readonly country: string | null
  readonly currency: string | null
  readonly created_at: string
}

/** The current state of an invoice. Amounts are in cents of its currency. */
export interface InvoiceRow {
  readonly source_id: string
  readonly invoice_id: string
  readonly invoice_number: string | null
  readonly customer_id: string
  readonly status: (typeof INVOICE_STATUSES)[number]
  readonly currency: string
  /** `YYYY-MM-DD`, local to the account. */
  readonly invoice_date: string
  readonly created_at: string
  readonly paid_at: string | null
  readonly voided_at: string | null
  readonly total_cents: number
  readonly tax_cents: number
  readonly amount_paid_cents: number
  readonly balance_cents: number
}
