import type { PhaseType } from '../../../../../src/core/enums.ts'
import type { EndReason } from './ends.ts'
import type { Instant } from './instant.ts'

export type SpanStatus = 'trialing' | 'active' | 'paused'
export type StartReason =
  | 'bundle_transfer'
  | 'start'
  | 'overdue'
  | 'pause'
  | 'resume'
  | 'plan'
  | 'phase'
  | 'quantity'
  | 'price'
  | 'usage'

/** One row of `mrr_span` (D28), named like its columns. */
export interface Span {
  readonly customer_key: number
  readonly subscription_id: string
  readonly valid_from: Instant
  readonly valid_to: Instant | null
  readonly status: SpanStatus
  readonly plan: string
  readonly plan_key: number | null
  readonly phase_type: PhaseType | null
  readonly price_list: string | null
  readonly quantity: number
  readonly currency: string | null
  readonly subscription_mrr_cents: number
  readonly usage_mrr_cents: number
  readonly mrr_cents: number
  readonly subscription_mrr_base_cents: number | null
  readonly usage_mrr_base_cents: number | null
  readonly mrr_base_cents: number | null
  readonly is_trial: boolean
  readonly is_live: boolean
  readonly is_paused: boolean
  readonly is_unpriced: boolean
  readonly start_reason: StartReason
  readonly end_reason: EndReason | null
  /** Day of the rate that converts each component to its base amount (D12). Null while the component has never changed. */
  readonly subscription_fixed_on: string | null
  readonly usage_fixed_on: string | null
}
