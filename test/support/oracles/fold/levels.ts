import type { Instant } from '../killbill/fold/instant.ts'
import type { Movement, MovementType } from '../killbill/fold/movements.ts'
import type { Span } from '../killbill/fold/span.ts'

/** Spans in force at an instant, what happens at it included (D4). */
export function spansAt(spans: readonly Span[], at: Instant): readonly Span[] {
  return spans.filter((span) => span.valid_from <= at && (span.valid_to === null || at < span.valid_to))
}

/** Spans in force just before an instant (D4). */
export function spansBefore(spans: readonly Span[], at: Instant): readonly Span[] {
  return spans.filter((span) => span.valid_from < at && (span.valid_to === null || at <= span.valid_to))
}

/** MRR of spans in base cents (D30); null where a needed rate is missing. */
export function levelOf(spans: readonly Span[]): number | null {
  return spans.reduce<number | null>(
    (sum, span) => (sum === null || span.mrr_base_cents === null ? null : sum + span.mrr_base_cents),
    0,
  )
}

export type Breakdown = Readonly<Record<MovementType, number>>

/** Base cents by type of the movements in [from, to) (D36). */
export function breakdownOf(movements: readonly Movement[], from: Instant, to: Instant): Breakdown {
  const sums = { new: 0, expansion: 0, contraction: 0, churn: 0, reactivation: 0 }
  for (const movement of movements) {
    if (movement.occurred_at >= from && movement.occurred_at < to) sums[movement.movement_type] += movement.amount_base_cents ?? 0
  }
  return sums
}
