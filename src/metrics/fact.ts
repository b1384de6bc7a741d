import type { FactContext } from '../query/field.ts'
import type { MetricContext } from './define-metric.ts'

/** The facts of a request, looked at from an instant. */
export function factOf(
  { request, connector, definitions }: MetricContext,
  seen: Pick<FactContext, 'fact' | 'instant' | 'isBefore'>,
): FactContext {
  return { ...seen, connector, allowUnpriced: definitions.allow_unpriced, isNarrowed: request.audience !== undefined }
}
