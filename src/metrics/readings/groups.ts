import type { DimensionValue } from '../../query/dimension-value.ts'
import type { MetricContext } from './context.ts'

/** Something an answer says of one combination of dimensions. */
export interface Group {
  readonly values: readonly DimensionValue[]
}

/**
 * The groups of an answer (http-api.md 1.6). Without dimensions there is exactly one, or one for each segment compared; with dimensions
 * those that `isShown`, under compare each of them in every segment. `nothing` makes a group that no row was found for.
 */
export function completeGroups<G extends Group>(
  { request }: Pick<MetricContext, 'request'>,
  groups: readonly G[],
  isShown: (group: G) => boolean,
  nothing: (values: readonly DimensionValue[]) => G,
): readonly G[] {
  const { compared, dimensions } = request
  const hasOwn = dimensions.length > Math.min(compared.length, 1)
  const shown = groups.filter(isShown)
  if (hasOwn && compared.length === 0) return shown
  const byKey = new Map(groups.map((group) => [JSON.stringify(group.values), group]))
  const combinations = hasOwn ? distinct(shown.map(({ values }) => values.slice(1))) : [[]]
  const wanted = compared.length === 0 ? combinations : compared.flatMap((id) => combinations.map((values) => [id, ...values]))
  return wanted.map((values) => byKey.get(JSON.stringify(values)) ?? nothing(values))
}

function distinct(lists: readonly (readonly DimensionValue[])[]): readonly (readonly DimensionValue[])[] {
  return [...new Map(lists.map((list) => [JSON.stringify(list), list])).values()]
}
