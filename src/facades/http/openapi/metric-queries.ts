import type { MetricDefinition, MetricRoute } from '../../../engine/engine.ts'

/** Parameters that name a query. */
const CHOICES = ['query_type', 'type']

/** True where the request names the query that a path answers. */
export function choosesQuery({ params }: MetricRoute): boolean {
  return params.some(({ name }) => CHOICES.includes(name))
}

/** The queries by name that a path may answer: the one it stands for, those that the request names, or those that its dates decide. */
export function queriesOf({ queries, choose }: MetricDefinition, route: MetricRoute): readonly string[] {
  if (route.query_type !== undefined) return [route.query_type]
  if (choosesQuery(route)) return Object.keys(queries)
  return [...new Set([choose(undefined, {}, {}), choose(undefined, { start: '2000-01-01', end: '2000-01-31' }, {})])]
}
