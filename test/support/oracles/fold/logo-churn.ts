import type { Instant } from '../killbill/fold/instant.ts'
import type { Span } from '../killbill/fold/span.ts'

/**
 * Logo churn events of one customer (D39): its live subscriptions go from some to none, counted after everything of the
 * instant; not where all that ended then were transferred (D40).
 */
export function logoChurnOf(spans: readonly Span[]): Instant[] {
  const ends = spans.filter((span) => span.is_live && span.end_reason !== null)
  const instants = [...new Set(ends.flatMap((span) => span.valid_to ?? []))].sort()
  return instants.filter((at) => {
    const liveAfter = spans.some(
      (span) => span.is_live && span.valid_from <= at && (span.valid_to === null || at < span.valid_to),
    )
    const ended = spans.filter((span) => span.end_reason !== null && span.valid_to === at)
    return !liveAfter && !ended.every((span) => span.end_reason === 'bundle_transfer')
  })
}
