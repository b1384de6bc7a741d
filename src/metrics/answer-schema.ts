import * as z from 'zod'
import { amount, isAmount } from '../core/amount.ts'
import type { RowInputs } from '../query/rows-request.ts'
import { type Measure, measureOf, measuresIn, PERIOD_COLUMNS } from './columns.ts'
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

/** A scalar beside that of another time. */
export const COMPARED_FIGURE = z
  .object({
    value: z.number().nullable(),
    previous: z.number().nullable().describe('The figure of the comparison time'),
    change: z.number().nullable().describe('value - previous'),
    change_rate: z.number().optional().describe('change / |previous|; absent if previous is 0 or null'),
  })
  .meta({ id: 'ComparedFigure', description: 'A figure with `compare_to`' })

/** An answer that is one object, with what `compare_to` puts beside its figures. */
export function objectSchema(plain: z.ZodObject): z.ZodObject {
  return z.object(withComparison(plain.shape))
}

/** A row of an answer without its dimensions: its columns, what `compare_to` puts beside them, and whether it stands for others. */
export function rowSchema(query: MetricQuery, row: z.ZodObject, isSeries: boolean): z.ZodObject {
  const columns: Readonly<Record<string, z.ZodType>> = row.shape
  // Rows over periods are not cut, so no row stands for others.
  const isCut = !isSeries && !('period' in columns && !(columns['period'] instanceof z.ZodOptional))
  const compared = query.is_comparable === false ? columns : withComparison(columns)
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
      const beside = (description: string) => {
        const column = z.number().nullable().optional().describe(description)
        return isAmount(schema) ? amount(column) : column
      }
      return [
        [name, schema],
        [`previous_${name}`, beside(`With \`compare_to\`: \`${name}\` of the comparison time`)],
        [`change_${name}`, beside(`With \`compare_to\`: \`${name}\` minus \`previous_${name}\``)],
      ]
    }),
  )
}

// What a row for others cannot say is null in it.
function inOtherRow(name: string, schema: z.ZodType): z.ZodType {
  const isKnown = PERIOD_COLUMNS.includes(name) || schema.safeParse(null).success || isPlainSum(measureOf(schema))
  return isKnown || schema instanceof z.ZodOptional
    ? schema
    : schema.nullable().describe(`${schema.description ?? name}; null if is_rest`)
}

function isPlainSum(measure: Measure | undefined): boolean {
  return measure?.kind === 'sum' && measure.only_by === undefined
}
