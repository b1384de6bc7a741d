import * as z from 'zod'
import { amount, isAmount } from '../core/amount.ts'
import { type Measure, measureOf, PERIOD_COLUMNS } from './columns.ts'
import type { MetricQuery } from './define-query.ts'
import { measuresOf } from './row-inputs.ts'

/** A scalar beside that of another time. */
export const COMPARED_FIGURE = z
  .object({
    value: z.number().nullable(),
    previous: z.number().nullable().describe('The figure of the time compared with'),
    change: z.number().nullable().describe('value - previous'),
    change_rate: z.number().optional().describe('change as a fraction of the size of previous; absent where that is 0 or null'),
  })
  .meta({ id: 'ComparedFigure', description: 'A figure with `compare_to`' })

/** An answer that is one object, with what `compare_to` puts beside its figures. */
export function shownObject(plain: z.ZodObject): z.ZodObject {
  return z.object(withComparison(plain.shape))
}

/** A row of an answer without its dimensions: its columns, what `compare_to` puts beside them, and whether it stands for others. */
export function shownRow(query: MetricQuery, row: z.ZodObject, isSeries: boolean): z.ZodObject {
  const columns: Readonly<Record<string, z.ZodType>> = row.shape
  // Rows over periods are not cut, so no row stands for others.
  const isCut = !isSeries && !('period' in columns && !(columns['period'] instanceof z.ZodOptional))
  const compared = query.is_comparable === false ? columns : withComparison(columns)
  const canAdd = [...measuresOf(query).values()].some(({ kind }) => kind === 'sum')
  if (!isCut || !canAdd) return z.object(compared)
  const shown = Object.entries(compared).map(([name, schema]) => [name, inRest(name, schema)] as const)
  return z.object({
    is_rest: z.boolean().optional().describe('With `rest`: the row stands for all that are not shown'),
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
        [`previous_${name}`, beside(`With \`compare_to\`: \`${name}\` of the time compared with`)],
        [`change_${name}`, beside(`With \`compare_to\`: \`${name}\` less \`previous_${name}\``)],
      ]
    }),
  )
}

// What a row for others cannot say is null in it.
function inRest(name: string, schema: z.ZodType): z.ZodType {
  const isKnown = PERIOD_COLUMNS.includes(name) || schema.safeParse(null).success || isPlainSum(measureOf(schema))
  return isKnown || schema instanceof z.ZodOptional
    ? schema
    : schema.nullable().describe(`${schema.description ?? name}; null in a row that is_rest`)
}

function isPlainSum(measure: Measure | undefined): boolean {
  return measure?.kind === 'sum' && measure.only_by === undefined
}
