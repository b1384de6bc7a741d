import type { Row } from '../ports/rows.ts'
import type { MetricQuery } from './define-metric.ts'
import type { CountRows } from './readings/counted.ts'

/** Columns of an answer that name a cell, as parameters of the rows behind it. */
const NAMING = ['period', 'movement_type', 'cohort_month', 'active_month', 'recognized_month'] as const

/** A number with rows behind it. */
export interface NumberCell {
  readonly measure: string
  /** Undefined if the answer does not show the measure. */
  readonly value: number | undefined
  /** The parameters that name it in a request for its rows (http-api.md 15). */
  readonly params: Readonly<Record<string, unknown>>
}

/** The measures of a query that have rows behind them. On a day, an answer lacks the measures that only periods have. */
export function countedMeasures({ rows, row, series_row }: MetricQuery, isOnDay: boolean): [string, CountRows][] {
  const isOfPeriods = (measure: string) => !Object.hasOwn(row.shape, measure) && Object.hasOwn(series_row?.shape ?? {}, measure)
  return Object.entries(rows ?? {}).filter(([measure]) => !isOnDay || !isOfPeriods(measure))
}

/**
 * The largest number of each measure that has rows behind it. A measure that the answer does not show is that of the first row. `dimensions` group
 * the answer.
 */
export function largestNumbers(rows: readonly Row[], query: MetricQuery, dimensions: readonly string[]): readonly NumberCell[] {
  const isOnDay = rows.every((row) => row['period'] === undefined)
  return countedMeasures(query, isOnDay).flatMap(([measure]) => {
    const size = (row: Row) => Math.abs(Number(row[measure] ?? 0))
    const [largest] = rows.toSorted((a, b) => size(b) - size(a))
    if (largest === undefined) return []
    const value = largest[measure]
    const params = { ...cellOf(largest, query, dimensions), measure }
    return [{ measure, value: typeof value === 'number' ? value : undefined, params }]
  })
}

/** The parameters that name the cells of a row. */
function cellOf(row: Row, { keys = [] }: MetricQuery, dimensions: readonly string[]): Readonly<Record<string, unknown>> {
  const names = NAMING.filter((name) => typeof row[name] === 'string').map((name) => [name, row[name]])
  const group = [...dimensions, ...keys.filter((key) => key === 'customer_id')]
    .filter((key) => key in row)
    .map((key) => (row[key] === null ? key : `${key}=${row[key]}`))
  return {
    ...Object.fromEntries(names),
    ...(group.length === 0 ? {} : { group }),
  }
}
