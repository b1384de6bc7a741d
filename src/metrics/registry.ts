import { errorFromIssues, InternalError, suggest } from '../core/errors.ts'
import { type OwnDimension, problemsOf, withOwnDimensions } from '../query/own-dimension.ts'
import type { MetricDefinition } from './define-metric.ts'
import type { MetricQuery } from './define-query.ts'

/** The metrics that an engine knows. */
export interface Registry {
  /** Those that can be asked; what others depend on comes first. */
  readonly metrics: ReadonlyMap<string, MetricDefinition>
  /** Names of all metrics that discovery lists, ascending; overviews are not. */
  readonly names: readonly string[]
  /** Relations without which no query of the metric can be answered; none for an unknown name. */
  reads(metric: string): readonly string[]
}

/** Path tails below /api/metrics, and so names, as they are matched: `-` is read as `_` there. */
const NAME = /^[a-z][a-z0-9_]*$/

/** Paths below /api/metrics that are no metric's: the overview, and what a metric can be grouped and filtered by. */
const TAKEN = /^(summary|[^/]+\/fields)$/

/**
 * Metrics in dependency order. InternalError for what an author has to set right: a cycle is reported as a path, a missing dependency
 * and whatever two metrics share by name.
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
  const strange = names.find((name) => !NAME.test(name))
  if (strange !== undefined) throw new InternalError(`the name of metric "${strange}" is not in snake_case`)
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

/** AppError `unknown_metric` that lists the metrics there are. */
export function unknownMetric(name: string, available: readonly string[]): Error {
  const message = `Unknown metric "${name}".`
  const issue = {
    code: 'unknown_metric',
    where: 'path.metric',
    value: name,
    message,
    did_you_mean: suggest(name, available),
  } as const
  return errorFromIssues([issue], { available })
}

/** Columns of answers that are no dimension's and no query's own. */
const COMMON = ['period', 'segment_id', 'segment_name']

/**
 * The metrics with dimensions of an embedder in every query that knows what they are of. InternalError, with everything that their author
 * has to set right: a key that is taken, and what is wrong in a dimension itself.
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
