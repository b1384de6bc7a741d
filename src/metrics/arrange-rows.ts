import { InternalError } from '../core/errors.ts'
import { flatMapInSlices, mapInSlices, sortInSlices } from '../core/slices.ts'
import type { Cell } from '../ports/rows.ts'
import type { DimensionValue } from '../query/dimension-value.ts'
import type { Field } from '../query/field.ts'
import { compareLists } from '../query/order.ts'
import type { AnswerRow, MetricContext, MetricResult } from './readings/context.ts'
import { checkSize, completeGroups, type KeyedRow, type PeriodGroup } from './readings/groups.ts'
import { periodNames } from './readings/periods.ts'

/** Columns of a list without its dimensions. */
interface ListColumns {
  /** `period` is dropped if the answer has no periods. */
  readonly keys: readonly string[]
  readonly measures: readonly string[]
}

/** Measures of a figure. */
interface FigureColumns {
  readonly measures: readonly string[]
  /** The measure that is the plain answer; undefined if the plain answer is an object of all measures. */
  readonly plain: string | undefined
  /** Measures of a group without rows. */
  readonly nothing: AnswerRow
}

/**
 * G and S answers (http-api.md 1.6): the plain answer without dimensions and periods, else a row per period and group. Groups with only
 * zeros and nulls are left out.
 */
export async function arrangeFigure(
  context: MetricContext,
  { measures, plain, nothing }: FigureColumns,
  found: readonly PeriodGroup[],
): Promise<MetricResult> {
  const names = periodNames(context.request.time)
  const groups = completeGroups(
    context,
    await mapInSlices(
      found,
      (group): PeriodGroup => ({
        ...group,
        measures: group.measures.map((row) => pick(row, measures)),
      }),
    ),
    (group) => group.measures.some(hasValue),
    (values) => ({ values, measures: (names ?? ['']).map(() => nothing) }),
  )
  if (names === undefined && context.request.dimensions.length === 0) {
    const value = groups[0]?.measures[0] ?? nothing
    return plain === undefined ? { kind: 'object', columns: measures, value } : scalar(plain, value)
  }
  checkSize(context, groups.length * (names?.length ?? 1))
  const rows = await flatMapInSlices(groups, ({ values, measures: periods }) =>
    periods.map((row, index) => {
      const period = names?.[index] ?? null
      return { order: [period], keys: { period }, values, measures: row }
    }),
  )
  return arrangeList(context, { keys: ['period'], measures }, rows)
}

/** A row per group and period, in no order. No answer shows these rows, so none is left out and their number has no limit. */
export async function rowsOf(
  { request }: Pick<MetricContext, 'request'>,
  found: readonly PeriodGroup[],
): Promise<readonly AnswerRow[]> {
  const names = periodNames(request.time)
  return flatMapInSlices(found, ({ values, measures }) => {
    const own = Object.fromEntries(keysOf(request.dimensions).map((key, index) => [key, values[index] ?? null]))
    return measures.map((row, index) => ({ ...own, period: names?.[index] ?? null, ...row }))
  })
}

/** Rows in the order of http-api.md 1.6: compared segment, key columns, then dimensions; ascending, null last. */
export async function arrangeList(
  context: MetricContext,
  columns: ListColumns,
  rows: readonly KeyedRow[],
): Promise<MetricResult> {
  checkSize(context, rows.length)
  const { dimensions, compared, time } = context.request
  const keys = periodNames(time) === undefined ? columns.keys.filter((key) => key !== 'period') : columns.keys
  // The segment is the first dimension. Its column comes before the key columns.
  const first = compared.length === 0 ? 0 : 1
  const segment = dimensions.slice(0, first)
  const others = dimensions.slice(first)
  const ranked = await mapInSlices(rows, (row) => {
    const ranks = row.values.map((value, index) => rank(dimensions[index], value))
    return {
      row,
      order: [...ranks.slice(0, first), ...row.order, ...ranks.slice(first)],
    }
  })
  const sorted = await sortInSlices(ranked, (a, b) => compareLists(a.order, b.order))
  return {
    kind: 'rows',
    columns: [...keysOf(segment), ...keys, ...keysOf(others), ...columns.measures],
    rows: await mapInSlices(sorted, ({ row }) => {
      // Only one object per row, because answers may have very many rows.
      const shown: Record<string, Cell> = {}
      for (const [index, { key }] of segment.entries()) shown[key] = row.values[index] ?? null
      for (const key of keys) shown[key] = row.keys[key] ?? null
      for (const [index, { key }] of others.entries()) shown[key] = row.values[first + index] ?? null
      for (const name of columns.measures) shown[name] = row.measures[name] ?? null
      return shown
    }),
  }
}

function scalar(field: string, measures: AnswerRow): MetricResult {
  const value = measures[field] ?? null
  if (value !== null && typeof value !== 'number') throw new InternalError(`"${field}" is no number`)
  return { kind: 'scalar', field, value }
}

// A reading may return columns of other queries; drop them.
function pick(row: AnswerRow, columns: readonly string[]): AnswerRow {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
}

function keysOf(fields: readonly Field[]): readonly string[] {
  return fields.map((field) => field.key)
}

// A group belongs to an answer only if a measure is neither 0 nor null.
function hasValue(measures: AnswerRow): boolean {
  return Object.values(measures).some((measure) => measure !== 0 && measure !== null)
}

function rank(field: Field | undefined, value: DimensionValue): DimensionValue {
  return field === undefined || field.order.length === 0 || value === null ? value : field.order.indexOf(String(value))
}
