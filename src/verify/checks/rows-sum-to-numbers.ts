import type { MetricQuery } from '../../metrics/define-metric.ts'
import type { Row } from '../../ports/rows.ts'
import { type Ask, type Check, compare, type Found, type VerifyContext, withinBudget } from '../check.ts'

/** The dimension by which the sampled answers are grouped where that is possible. */
const GROUPED_BY = 'plan_id'

/** Columns of an answer that name a cell, as parameters of the rows behind it. */
const NAMING = ['period', 'movement_type', 'cohort_month', 'active_month'] as const

/** A query whose numbers have rows. */
interface Counted {
  readonly name: string
  readonly query: MetricQuery
}

/** The rows behind a number add up to it, on a sample. */
export const rowsSumToNumbers: Check = {
  name: 'rows_sum_to_numbers',
  description:
    'The rows behind a number add up to it. Of each query, all measures of the row with the largest number are tried, by plan where possible.',
  identities: [],
  unit: 'numbers',
  // The rows are read one cell after the other.
  share: 5,
  run: (context) =>
    context.inSnapshot((ask) => withinBudget(countedIn(context), context, (counted) => compareCell(counted, context, ask))),
}

function countedIn(context: VerifyContext): readonly Counted[] {
  return context.metrics
    .filter(({ is_overview }) => is_overview !== true)
    .flatMap(({ name, queries }) => Object.entries(queries).map(([type, query]) => ({ name: `${name}.${type}`, query })))
    .filter(({ name, query }) => Object.keys(query.rows ?? {}).length > 0 && context.isSupplied(name))
}

async function compareCell({ name, query }: Counted, context: VerifyContext, ask: Ask): Promise<Found> {
  const { range } = context
  const params = query.inputs.dates === 'point_or_range' ? { at: range.end } : { ...range }
  const known = context.dimensionsOf([name])
  const dimensions = [GROUPED_BY, 'source'].filter((key) => known.includes(key)).slice(0, 1)
  const measures = Object.keys(query.rows ?? {})
  const rows = await ask.rows(name, params, { dimensions })
  const size = (row: Row) => Math.max(...measures.map((measure) => Math.abs(Number(row[measure] ?? 0))))
  const [largest] = rows.toSorted((a, b) => size(b) - size(a))
  if (largest === undefined) return { count: 0, faults: [] }
  const cell = cellOf(largest, query, dimensions)
  const numbers = measures.flatMap((measure) => {
    const value = largest[measure]
    return typeof value === 'number' ? [{ measure, value }] : []
  })
  const pairs = []
  for (const { measure, value } of numbers) {
    const actual = await ask.sumOfRows(name, { ...params, ...cell, measure }, { dimensions })
    pairs.push({ id: `${name} ${measure}`, what: `rows behind ${measure} of ${name}`, expected: value, actual })
  }
  return compare(pairs)
}

/** The parameters that name the cells of a row. */
function cellOf(row: Row, { keys = [] }: MetricQuery, dimensions: readonly string[]): Readonly<Record<string, unknown>> {
  const names = NAMING.filter((name) => typeof row[name] === 'string').map((name) => [name, row[name]])
  const group = [...dimensions, ...keys.filter((key) => key === 'customer_id')]
    .filter((key) => key in row)
    .map((key) => (row[key] === null ? key : `${key}=${row[key]}`))
  return { ...Object.fromEntries(names), ...(group.length === 0 ? {} : { group }) }
}
