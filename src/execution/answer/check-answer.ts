import * as z from 'zod'
import { InternalError } from '../../core/errors.ts'
import { eachInSlices } from '../../core/slices.ts'
import { tooLarge } from '../../core/too-large.ts'
import type { MetricResult } from '../../metrics/define-metric.ts'
import type { Field, FieldType } from '../../query/field.ts'
import type { PlannedQuery } from '../plan/plan.ts'

const LIMIT = Number.MAX_SAFE_INTEGER

/** The answer, unchanged. AppError `result_too_large` names the measure and row of a number beyond 2^53. */
export async function exactAnswer<R extends MetricResult>(result: R): Promise<R> {
  if (result.kind === 'scalar') checkRow({ [result.field]: result.value })
  else if (result.kind === 'object') checkRow(result.value)
  else await eachInSlices(result.rows, checkRow)
  return result
}

function checkRow(row: Readonly<Record<string, unknown>>): void {
  for (const name in row) {
    const value = row[name]
    if (typeof value === 'number') {
      // This includes NaN, such as the difference of two numbers that are too large.
      if (!(value <= LIMIT && value >= -LIMIT)) throw tooLarge(name, row)
    } else if (Array.isArray(value)) for (const inner of value) if (typeof inner === 'object' && inner !== null) checkRow(inner)
  }
}

const TYPES: Readonly<Record<FieldType, z.ZodType>> = {
  string: z.string().nullable(),
  number: z.number().nullable(),
  boolean: z.boolean().nullable(),
  date: z.string().nullable(),
  timestamp: z.string().nullable(),
}

/** Checks an answer against the schemas of its definition. InternalError if they differ, because that is a bug in Plumbline. */
export async function checkAnswer({ definition, name, query, request }: PlannedQuery, result: MetricResult): Promise<void> {
  const isSeries = request.time.kind === 'range' && query.series_row !== undefined
  const row = rowSchema((isSeries ? query.series_row : query.row) ?? query.row, request.dimensions)
  const check = (schema: z.ZodType, value: unknown) => {
    const { error } = schema.safeParse(value)
    if (error === undefined) return
    throw new InternalError(`the answer of ${definition.name}.${name} does not match its schema: ${error.message}`)
  }
  if (result.kind === 'rows') await eachInSlices(result.rows, (each) => check(row, each))
  else check(query.plain, result.value)
}

function rowSchema(row: z.ZodObject, dimensions: readonly Field[]): z.ZodObject {
  return z.strictObject({ ...Object.fromEntries(dimensions.map((field) => [field.key, TYPES[field.type]])), ...row.shape })
}
