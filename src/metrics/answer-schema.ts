import * as z from 'zod'
import { declared, traitsOf } from '../core/column.ts'
import type { RowInputs } from '../query/rows-request.ts'
import {
  FORECAST,
  FORECAST_COLUMN,
  type Measure,
  measureOf,
  measuresIn,
  PARTIAL,
  PARTIAL_COLUMN,
  PERIOD_COLUMNS,
} from './columns.ts'
import type { MetricDefinition } from './define-metric.ts'
import type { MetricQuery } from './define-query.ts'

/** Measures of a query by name, with the rule that combines several rows. */
export function measuresOf({ row, series_row, keys = [] }: MetricQuery): ReadonlyMap<string, Measure> {
  const all = measuresIn({ ...row.shape, ...series_row?.shape } as Readonly<Record<string, z.ZodType>>)
  return new Map([...all].filter(([name]) => !keys.includes(name)))
}

/** The columns that a request may sort, page and compare in this query, known before it runs. */
export function rowInputsOf({ queries }: Pick<MetricDefinition, 'queries'>, query: MetricQuery): RowInputs {
  const columns = query.row.shape as Readonly<Record<string, z.ZodType>>
  const measures = [...measuresOf({ ...query, series_row: query.row })]
  const names = measures.map(([name]) => name)
  return {
    isList: query.plain instanceof z.ZodArray,
    // A list can also be sorted by columns that are not measures, such as a reason.
    keys: Object.keys(columns).filter((name) => !names.includes(name) && !PERIOD_COLUMNS.includes(name)),
    measures: names,
    original: names.filter((name) => columns[name] instanceof z.ZodOptional),
    canAdd: measures.some(([, measure]) => measure.kind === 'sum'),
    isComparable: query.is_comparable !== false,
    comparable: Object.entries(queries).flatMap(([name, { is_comparable }]) => (is_comparable === false ? [] : [name])),
  }
}

/** A scalar with its comparison. */
export const COMPARED_FIGURE = z
  .object({
    value: z.number().nullable(),
    previous: z.number().nullable().describe('The figure of the comparison time'),
    change: z.number().nullable().describe('value - previous'),
    change_rate: declared(z.number().optional().describe('change / |previous|; absent if previous is 0 or null'), {
      unit: 'fraction',
    }),
  })
  .meta({ id: 'ComparedFigure', description: 'A figure with `compare_to`' })

/** Schema of an answer that is one object, with the columns that `compare_to` and, in the query, `forecast` add. */
export function objectSchema(plain: z.ZodObject, query?: MetricQuery): z.ZodObject {
  return z.object({ ...withComparison(plain.shape), ...(query && forecastColumn(query)) })
}

// The summary has figures of a forecast, but its days do not move.
function forecastColumn({ inputs }: MetricQuery): Readonly<Record<string, z.ZodType>> {
  const hasForecast = inputs.own_parameters.includes('forecast') && inputs.dates !== 'day_or_range'
  return hasForecast ? { [FORECAST_COLUMN]: FORECAST } : {}
}

/** Schema of a row without its dimensions: its columns, those that `compare_to` adds, `is_partial`, `is_forecast` and `is_rest`. */
export function rowSchema(query: MetricQuery, row: z.ZodObject, isSeries: boolean): z.ZodObject {
  const columns: Readonly<Record<string, z.ZodType>> = row.shape
  // Answers with periods are not paged, so they have no "other" row.
  const isCut = !isSeries && !('period' in columns && !(columns['period'] instanceof z.ZodOptional))
  const compared = {
    ...(query.is_comparable === false ? columns : withComparison(columns)),
    ...('period' in columns ? { [PARTIAL_COLUMN]: PARTIAL } : {}),
    ...forecastColumn(query),
  }
  const canAdd = [...measuresOf(query).values()].some(({ kind }) => kind === 'sum')
  if (!isCut || !canAdd) return z.object(compared)
  const shown = Object.entries(compared).map(([name, schema]) => [name, inOtherRow(name, schema)] as const)
  return z.object({
    is_rest: z.boolean().optional().describe('With `rest`: true in the row that sums up all rows not shown'),
    ...Object.fromEntries(shown),
  })
}

function withComparison(columns: Readonly<Record<string, z.ZodType>>): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, schema]): readonly (readonly [string, z.ZodType])[] => {
      if (measureOf(schema) === undefined) return [[name, schema]]
      const compared = (description: string) => {
        const { unit } = traitsOf(schema)
        return declared(z.number().nullable().optional().describe(description), { ...(unit !== undefined && { unit }) })
      }
      return [
        [name, schema],
        [`previous_${name}`, compared(`With \`compare_to\`: \`${name}\` of the comparison time`)],
        [`change_${name}`, compared(`With \`compare_to\`: \`${name}\` minus \`previous_${name}\``)],
      ]
    }),
  )
}

// The "other" row has null where its groups do not add up.
function inOtherRow(name: string, schema: z.ZodType): z.ZodType {
  const isKnown = PERIOD_COLUMNS.includes(name) || schema.safeParse(null).success || isPlainSum(measureOf(schema))
  return isKnown || schema instanceof z.ZodOptional
    ? schema
    : schema.nullable().describe(`${schema.description ?? name}; null if is_rest`)
}

function isPlainSum(measure: Measure | undefined): boolean {
  return measure?.kind === 'sum' && measure.only_by === undefined
}
