/** States of a mark: a person has seen the finding, or it is no error. */
export const MARK_STATES = ['seen', 'no_error'] as const
export type MarkState = (typeof MARK_STATES)[number]

/** The finding or notice of a mark. `kind` is the class of a finding or the kind of a notice. */
export interface MarkedThing {
  readonly source_id: string
  readonly kind: string
  readonly customer_id: string
  readonly subscription_id: string | null
  readonly invoice_id: string | null
}

/** The amounts of a finding or notice on the day of its mark, in cents. Null: unknown. */
export interface MarkedAmounts {
  readonly base_currency: string
  readonly monthly_base_cents: number | null
  /** The open amount of a notice; 0 for a finding. */
  readonly amount_base_cents: number | null
}

/** A mark of a finding or notice (http-api.md 12). */
export interface FindingMark extends MarkedThing, MarkedAmounts {
  readonly id: string
  readonly state: MarkState
  readonly note: string | null
  readonly author: string | null
  readonly created_at: string
}

/** Most marks of a workspace. */
export const MOST_MARKS = 10_000

/** The finding or notice as a map key. */
export function markedKey({ source_id, kind, customer_id, subscription_id, invoice_id }: MarkedThing): string {
  return JSON.stringify([source_id, kind, customer_id, subscription_id, invoice_id])
}
