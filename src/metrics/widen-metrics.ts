import { InternalError } from '../core/errors.ts'
import { type OwnDimension, withOwnDimensions } from '../query/own-dimension.ts'
import { problemsOf } from '../query/own-dimension-problems.ts'
import type { MetricDefinition } from './define-metric.ts'
import type { MetricQuery } from './define-query.ts'

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
