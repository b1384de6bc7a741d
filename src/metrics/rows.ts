import { AppError } from '../core/errors.ts'
import type { DimensionValue } from '../query/cells.ts'
import type { Field } from '../query/field.ts'
import { compareLists } from '../query/order.ts'
import type { AnswerRow, MetricContext, MetricResult } from './define-metric.ts'

/** A row before it is written: the values it is sorted by, and its measures. */
export interface KeyedRow {
  /** Values of the key columns; a number where a column has an order of its own. */
  readonly order: readonly DimensionValue[]
  readonly keys: AnswerRow
  readonly values: readonly DimensionValue[]
  readonly measures: AnswerRow
}

/** Rows in the order of http-api.md 1.6: the segment compared, key columns, then dimensions, ascending, null last. */
export function rowsResult(
  context: MetricContext,
  columns: { readonly keys: readonly string[]; readonly measures: readonly string[] },
  rows: readonly KeyedRow[],
): MetricResult {
  checkSize(context, rows.length)
  const { dimensions, compared } = context.request
  // The segment is the first dimension, and stands before the key columns.
  const first = compared.length === 0 ? 0 : 1
  const segment = dimensions.slice(0, first)
  const others = dimensions.slice(first)
  const ranked = rows.map((row) => {
    const ranks = row.values.map((value, index) => rank(dimensions[index], value))
    return { row, order: [...ranks.slice(0, first), ...row.order, ...ranks.slice(first)] }
  })
  const sorted = ranked.sort((a, b) => compareLists(a.order, b.order)).map(({ row }) => row)
  return {
    kind: 'rows',
    columns: [...keysOf(segment), ...columns.keys, ...keysOf(others), ...columns.measures],
    rows: sorted.map(({ keys, values, measures }) => ({
      ...named(segment, values.slice(0, first)),
      ...keys,
      ...named(others, values.slice(first)),
      ...measures,
    })),
  }
}

function keysOf(fields: readonly Field[]): readonly string[] {
  return fields.map((field) => field.key)
}

/** AppError `result_too_large` before rows are made that would be too many. */
export function checkSize(context: MetricContext, rows: number): void {
  const limit = context.limits.max_rows
  if (rows <= limit) return
  throw new AppError('result_too_large', `The answer has ${rows} rows; the limit is ${limit}.`, { context: { limit } })
}

/** True when a measure is neither 0 nor null: only then does a group belong to an answer. */
export function hasValue(measures: AnswerRow): boolean {
  return Object.values(measures).some((measure) => measure !== 0 && measure !== null)
}

function rank(field: Field | undefined, value: DimensionValue): DimensionValue {
  return field === undefined || field.order.length === 0 || value === null ? value : field.order.indexOf(String(value))
}

function named(fields: readonly Field[], values: readonly DimensionValue[]): AnswerRow {
  return Object.fromEntries(fields.map((field, index) => [field.key, values[index] ?? null]))
}
