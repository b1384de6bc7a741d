import * as z from 'zod'
import { inUnits, unitsWriter } from '../../core/amount.ts'
import { columnOf, inside, isWrapper, traitsOf } from '../../core/column.ts'
import { labelFromName, withinSentence } from '../../core/label.ts'
import { mapInSlices } from '../../core/slices.ts'
import { COMPARED_FIGURE } from '../../metrics/answer-schema.ts'
import { FORECAST, FORECAST_COLUMN, PARTIAL, PARTIAL_COLUMN } from '../../metrics/columns.ts'
import type { MetricResult } from '../../metrics/define-metric.ts'
import type { MetricQuery } from '../../metrics/define-query.ts'
import type { Field } from '../../query/field.ts'
import type { QueryRequest } from '../../query/request.ts'
import type { Timeframe } from '../../query/timeframe.ts'
import type { Amounts, AnswerField, Days, Shaped } from './answer.ts'

/**
 * Turns the result of a metric's query into its answer, with amounts in the requested unit. `base` is the base currency. If a
 * comparison has turned a scalar into an object, `compared` is the scalar's column.
 */
export async function describeResult(
  result: MetricResult,
  { query, request }: { readonly query: MetricQuery; readonly request: QueryRequest },
  base: string,
  compared?: string,
): Promise<Shaped> {
  const record = compared === undefined ? recordOf(query) : comparedRecord(recordOf(query), compared)
  const columns = result.kind === 'scalar' ? [result.field] : result.columns
  const write = (data: unknown, schema: z.ZodType) => written(data, schema, request.money, base)
  const writeRows = async (rows: readonly unknown[]) =>
    request.money === 'units' ? mapInSlices(rows, unitsWriter(record, base)) : rows
  const about = {
    columns,
    fields: columns.map((name) => fieldOf(name, record, request.dimensions)),
    amounts: { unit: request.money, currency: request.unit === 'original' ? 'original' : base },
    days: daysOf(request.time),
  }
  switch (result.kind) {
    case 'scalar':
      return { data: write(result.value, columnOf(record, result.field) ?? z.unknown()), kind: 'scalar', ...about }
    case 'object':
      return { data: write(result.value, record), kind: 'object', ...about }
    case 'rows':
      return { data: await writeRows(result.rows), kind: 'rows', ...about }
  }
}

/** The part of a request that decides how records are written. */
type RecordRequest = { readonly money: Amounts['unit'] } & Readonly<Partial<Record<keyof Days, string | undefined>>>

/**
 * Turns one record, rows or a page of records into an answer, with amounts in the requested unit. Records have their own currencies;
 * rows are in the base currency `base`.
 */
export function shapeRecords(
  { data, kind }: Pick<Shaped, 'data' | 'kind'>,
  record: z.ZodObject,
  { money, start, end }: RecordRequest,
  base: string,
): Shaped {
  const columns = Object.keys(record.shape)
  return {
    data: written(data, schemaOf(kind, record), money, base),
    kind,
    columns,
    fields: columns.map((name) => fieldOf(name, record, [])),
    amounts: { unit: money, currency: kind === 'rows' ? base : 'original' },
    days: start === undefined || end === undefined ? undefined : { start, end },
  }
}

function schemaOf(kind: Shaped['kind'], record: z.ZodObject): z.ZodType {
  if (kind === 'rows') return z.array(record)
  return kind === 'page' ? z.object({ rows: z.array(record) }) : record
}

function written(data: unknown, schema: z.ZodType, money: Amounts['unit'], base: string): unknown {
  return money === 'units' ? inUnits(data, schema, base) : data
}

// The columns of all forms of the answer.
function recordOf({ plain, row, series_row }: MetricQuery): z.ZodObject {
  return z.object({
    ...(plain instanceof z.ZodObject ? plain.shape : {}),
    ...row.shape,
    ...series_row?.shape,
    [PARTIAL_COLUMN]: PARTIAL,
    [FORECAST_COLUMN]: FORECAST,
  })
}

function comparedRecord(record: z.ZodObject, measure: string): z.ZodObject {
  const column = columnOf(record, measure) ?? z.unknown()
  return z.object({ ...COMPARED_FIGURE.shape, value: column, previous: column, change: column })
}

function fieldOf(name: string, record: z.ZodObject, dimensions: readonly Field[]): AnswerField {
  const column = columnOf(record, name)
  if (column !== undefined) {
    const traits = traitsOf(column)
    return {
      name,
      ...traits,
      label: labelOf(name, traits.label),
      holds: traits.unit === 'money' ? 'amount' : timeIn(column),
      description: describedAt(column, ({ description }) => description) ?? '',
    }
  }
  const dimension = dimensions.find(({ key }) => key === name)
  const holds = dimension?.type === 'date' ? 'day' : dimension?.type === 'timestamp' ? 'instant' : 'other'
  return { name, label: dimension?.label ?? labelFromName(name), holds, description: dimension?.description ?? '' }
}

// A comparison has the label of its measure: “Previous amount”.
function labelOf(name: string, declaredLabel: string | undefined): string {
  const which = /^(previous|change)_(?!rate$)/.exec(name)?.[1]
  return declaredLabel === undefined || which === undefined
    ? (declaredLabel ?? labelFromName(name))
    : `${labelFromName(which)} ${withinSentence(declaredLabel)}`
}

function timeIn(column: z.ZodType): 'day' | 'instant' | 'other' {
  const format = describedAt(column, (schema) => schema.meta()?.['format'])
  return format === 'date' ? 'day' : format === 'date-time' ? 'instant' : 'other'
}

// A column's description is on its schema or on the schema that it wraps.
function describedAt<T>(column: z.ZodType, read: (schema: z.ZodType) => T | undefined): T | undefined {
  return read(column) ?? (isWrapper(column) ? describedAt(inside(column), read) : undefined)
}

/** The days of a request. */
export function daysOf(time: Timeframe): Days {
  return time.kind === 'point' ? { start: time.day, end: time.day } : { start: time.start, end: time.end }
}
