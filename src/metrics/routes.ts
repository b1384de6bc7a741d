import { groupableFields, type QueryOffer, usedParameters } from '../query/offer.ts'
import { PARAMETERS, type ParameterName } from '../query/parameters.ts'
import type { MetricRoute } from './define-metric.ts'

const UNION = 'Ids of up to 10 segments; repeatable. The answer is one for the customers of any of them, each counted once.'

/** A route whose parameters follow from what the query offers. */
export function defineRoute(path: string, query_type: string | undefined, summary: string, offer: QueryOffer): MetricRoute {
  const grouping: readonly ParameterName[] = groupableFields(offer, true).length > 0 ? ['dimensions'] : []
  const names = usedParameters(offer).filter((name) => name !== 'query_type' || offer.own_parameters.includes('query_type'))
  const ordered: readonly ParameterName[] = [...names.filter((name) => name !== 'format'), ...grouping, 'filter', 'format']
  const needsRange = offer.dates === 'range' || offer.dates === 'series' || offer.dates === 'range_and_at'
  return Object.freeze({
    path,
    query_type,
    summary,
    params: ordered.map((name) => ({
      ...PARAMETERS[name],
      ...(name === 'compare_segments' && offer.compare === 'union' ? { description: UNION } : {}),
      isRequired: needsRange && (name === 'start' || name === 'end'),
    })),
  })
}
