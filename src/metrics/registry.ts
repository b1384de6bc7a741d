import { InternalError } from '../core/errors.ts'
import { type OwnDimension, problemsOf, withOwnDimensions } from '../query/own-dimension.ts'
import type { MetricDefinition } from './define-metric.ts'
import type { MetricQuery } from './define-query.ts'

/** The metrics that an engine knows. */
export interface Registry {
  /** All metrics, dependencies first. */
  readonly metrics: ReadonlyMap<string, MetricDefinition>
  /** Names of all metrics except overviews, ascending. Discovery lists them. */
  readonly names: readonly string[]
  /** Relations that every query of the metric needs; none for an unknown name. */
  reads(metric: string): readonly string[]
}

/** Pattern of metric names. Paths below /api/metrics match them with `-` in place of `_`. */
const NAME = /^[a-z][a-z0-9_]*$/

/** Reserved paths below /api/metrics: the overview, and the fields, bridge and rows of a metric. */
const TAKEN = /^(summary|[^/]+\/(fields|bridge|rows))$/

/**
 * A registry of metrics in dependency order. InternalError for mistakes of an author: a cycle (shown as a path), a missing dependency, or
 * two metrics with the same name or path.
 */
export function createRegistry(definitions: readonly MetricDefinition[]): Registry {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]))
  checkNames(definitions)
  const ordered = new Map<string, MetricDefinition>()
  for (const name of [...byName.keys()].sort()) visit(name, [])
  const listed = [...ordered.values()].filter(({ is_overview }) => is_overview !== true)
  const names = listed.map(({ name }) => name).sort()
  const reads = (metric: string) => byName.get(metric)?.reads ?? []
  return Object.freeze({
    metrics: ordered,
    names: Object.freeze(names),
    reads,
  })

  function visit(name: string, path: readonly string[]): void {
    if (ordered.has(name)) return
    if (path.includes(name))
      throw new InternalError(`metrics depend on each other: ${[...path.slice(path.indexOf(name)), name].join(' -> ')}`)
    const definition = byName.get(name)
    if (definition === undefined) throw new InternalError(`metric "${path.at(-1)}" depends on "${name}", which does not exist`)
    for (const dependency of definition.depends_on) visit(dependency, [...path, name])
    ordered.set(name, definition)
  }
}

function checkNames(definitions: readonly MetricDefinition[]): void {
  const names = definitions.map(({ name }) => name)
  const invalidName = names.find((name) => !NAME.test(name))
  if (invalidName !== undefined) throw new InternalError(`the name of metric "${invalidName}" is not in snake_case`)
  const twice = repeated(names)
  if (twice !== undefined) throw new InternalError(`two metrics have the same name: ${twice}`)
  const path = repeated(definitions.flatMap(({ routes }) => routes.map((route) => route.path.replaceAll('-', '_'))))
  if (path !== undefined) throw new InternalError(`two routes have the same path: ${path}`)
  const taken = definitions.flatMap(({ routes }) => routes.filter((route) => TAKEN.test(route.path)))[0]
  if (taken !== undefined) throw new InternalError(`the path of the route "${taken.path}" is the product's own`)
}

function repeated(texts: readonly string[]): string | undefined {
  return texts.find((text, index) => texts.indexOf(text) !== index)
}

/** Columns of answers that belong to no dimension and no query. */
const COMMON = ['period', 'segment_id', 'segment_name', 'is_partial', 'is_forecast']

/**
 * Adds an embedder's dimensions to every query with the relation they belong to. InternalError with all problems: a key that is taken, and
 * mistakes in a dimension.
 */
export function widenMetrics(
  definitions: readonly MetricDefinition[],
  dimensions: readonly OwnDimension[],
): readonly MetricDefinition[] {
  if (dimensions.length === 0) return definitions
  const taken = new Set([...COMMON, ...definitions.flatMap(({ queries }) => Object.values(queries).flatMap(namesIn))])
  const problems = dimensions.flatMap((dimension, index) =>
    [
      ...(taken.has(dimension.key) ? ['its key is taken'] : []),
      ...(dimensions.findIndex(({ key }) => key === dimension.key) < index ? ['another one has its key'] : []),
      ...problemsOf(dimension),
    ].map((problem) => `dimension "${dimension.key}": ${problem}`),
  )
  if (problems.length > 0) throw new InternalError(problems.join('; '))
  return definitions.map((definition) => ({
    ...definition,
    queries: Object.fromEntries(
      Object.entries(definition.queries).map(([name, query]) => [
        name,
        { ...query, inputs: withOwnDimensions(query.inputs, dimensions) },
      ]),
    ),
  }))
}

function namesIn({ inputs, row, series_row }: MetricQuery): readonly string[] {
  const fields = [inputs.dimensions, inputs.series_dimensions, inputs.time_fields, inputs.filter_fields].flat()
  return [...fields.map(({ key }) => key), ...Object.keys({ ...row.shape, ...series_row?.shape })]
}
