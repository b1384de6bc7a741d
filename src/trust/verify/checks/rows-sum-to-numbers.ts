import type { MetricDefinition, MetricQuery } from '../../../metrics/define-metric.ts'
import { largestNumbers } from '../../../metrics/number-cells.ts'
import { paramsForDays } from '../../../query/inputs.ts'
import { type Ask, type Check, compare, type Found, type VerifyContext } from '../check.ts'
import { ifSupplied, inSnapshots } from '../parts.ts'

/** The dimension by which the sampled answers are grouped where that is possible. */
const GROUPED_BY = 'plan_id'

/** A query whose numbers have rows. */
interface Counted {
  readonly name: string
  readonly metric: MetricDefinition
  readonly query: MetricQuery
}

/** The rows behind a number add up to it, on a sample. */
export const rowsSumToNumbers: Check = {
  name: 'rows_sum_to_numbers',
  description:
    'The rows behind a number add up to it. Of each query, the largest number of each measure is tried, by plan where possible.',
  identities: [],
  unit: 'numbers',
  // The rows are read one cell after the other.
  share: 5,
  run: (context) =>
    inSnapshots(countedIn(context), context, (ask) => (counted) => ifSupplied(compareCell(counted, context, ask))),
}

function countedIn(context: VerifyContext): readonly Counted[] {
  return context.metrics
    .filter(({ is_overview }) => is_overview !== true)
    .flatMap((metric) =>
      Object.entries(metric.queries).map(([type, query]) => ({ name: `${metric.name}.${type}`, metric, query })),
    )
    .filter(({ name, query }) => Object.keys(query.rows ?? {}).length > 0 && context.isSupplied(name))
}

async function compareCell({ name, query }: Counted, context: VerifyContext, ask: Ask): Promise<Found> {
  const params = paramsForDays(query.inputs, context.range)
  const known = context.dimensionsOf([name])
  const dimensions = [GROUPED_BY, 'source'].filter((key) => known.includes(key)).slice(0, 1)
  const rows = await ask.rows(name, params, { dimensions })
  const pairs = []
  for (const { measure, value, params: cell } of largestNumbers(rows, query, dimensions)) {
    if (value === undefined) continue
    const actual = await ask.sumOfRows(name, { ...params, ...cell }, { dimensions })
    pairs.push({ id: `${name} ${measure}`, what: `rows behind ${measure} of ${name}`, expected: value, actual })
  }
  return compare(pairs)
}
