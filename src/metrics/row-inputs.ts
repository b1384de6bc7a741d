import * as z from 'zod'
import type { RowInputs } from '../query/rows-request.ts'
import { type Measure, measuresIn, PERIOD_COLUMNS } from './columns.ts'
import type { MetricDefinition } from './define-metric.ts'
import type { MetricQuery } from './define-query.ts'

/** Measures by name that the rows of a query may have, and how those of several rows become one. */
export function measuresOf({ row, series_row, keys = [] }: MetricQuery): ReadonlyMap<string, Measure> {
  const all = measuresIn({ ...row.shape, ...series_row?.shape } as Readonly<Record<string, z.ZodType>>)
  return new Map([...all].filter(([name]) => !keys.includes(name)))
}

/** What is known of the rows of a query of the metric before they are. */
export function rowInputsOf({ queries }: Pick<MetricDefinition, 'queries'>, query: MetricQuery): RowInputs {
  const columns = query.row.shape as Readonly<Record<string, z.ZodType>>
  const measures = [...measuresOf({ ...query, series_row: query.row })]
  const names = measures.map(([name]) => name)
  return {
    isList: query.plain instanceof z.ZodArray,
    // Columns of a list that are no measures, such as a reason, can be sorted by as well.
    keys: Object.keys(columns).filter((name) => !names.includes(name) && !PERIOD_COLUMNS.includes(name)),
    measures: names,
    original: names.filter((name) => columns[name] instanceof z.ZodOptional),
    canAdd: measures.some(([, measure]) => measure.kind === 'sum'),
    isComparable: query.is_comparable !== false,
    comparable: Object.entries(queries).flatMap(([name, { is_comparable }]) => (is_comparable === false ? [] : [name])),
  }
}
