import { offeredParameters, type QueryOffer } from '../query/offer.ts'
import { PARAMETERS } from '../query/parameters.ts'
import type { MetricRoute } from './define-metric.ts'

const UNION = 'Ids of up to 10 segments; repeatable. The answer is one for the customers of any of them, each counted once.'

/** A route whose parameters follow from what the query offers. */
export function defineRoute(path: string, query_type: string | undefined, summary: string, offer: QueryOffer): MetricRoute {
  const needsRange = offer.dates === 'range' || offer.dates === 'series' || offer.dates === 'range_and_at'
  return Object.freeze({
    path,
    query_type,
    summary,
    params: offeredParameters(offer).map((name) => ({
      ...PARAMETERS[name],
      ...(name === 'compare_segments' && offer.compare === 'union' ? { description: UNION } : {}),
      isRequired: needsRange && (name === 'start' || name === 'end'),
    })),
  })
}
