import * as z from 'zod'
import { amount } from '../core/amount.ts'

/**
 * How the measure of several rows is made of theirs. `shared_by` names dimensions whose groups have the figure in common, so that it
 * counts once for all of them; `only_by` the dimensions whose groups have nothing in common, where others may share what is counted.
 */
export type Measure =
  | { readonly kind: 'sum'; readonly shared_by?: readonly string[]; readonly only_by?: readonly string[] }
  | { readonly kind: 'ratio'; readonly top: readonly string[]; readonly bottom: readonly string[]; readonly decimals: number }
  | { readonly kind: 'not_additive' }

const MEASURES = z.registry<Measure>()

const NOT_ADDITIVE: Measure = { kind: 'not_additive' }

/** The column as a measure of this kind. */
export function measured<S extends z.ZodType>(schema: S, measure: Measure): S {
  MEASURES.add(schema, measure)
  return schema
}

/** What kind of measure a column is; undefined for one that is none. A number of which nothing is said stands apart. */
export function measureOf(schema: z.ZodType): Measure | undefined {
  const known = MEASURES.get(schema)
  if (known !== undefined) return known
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return measureOf(schema.unwrap() as z.ZodType)
  return schema instanceof z.ZodNumber ? NOT_ADDITIVE : undefined
}

/** The measures among columns, in their order. */
export function measuresIn(columns: Readonly<Record<string, z.ZodType>>): ReadonlyMap<string, Measure> {
  return new Map(
    Object.entries(columns).flatMap(([name, schema]) => {
      const measure = measureOf(schema)
      return measure === undefined ? [] : [[name, measure] as const]
    }),
  )
}

/** What keeps sums from being added up group by group. */
type Shared = Pick<Extract<Measure, { kind: 'sum' }>, 'shared_by' | 'only_by'>

/** The columns that a quotient is made of: what stands above the line and what below it, each the sum of some. */
interface Parts {
  readonly top: readonly string[]
  readonly bottom: readonly string[]
  readonly decimals?: number
}

/** An amount: a whole number of cents. */
export function cents(description: string, shared: Shared = {}): z.ZodNumber {
  return measured(amount(z.number().int().describe(description)), { kind: 'sum', ...shared })
}

/** An average of amounts: cents with two decimals; null where there is nothing to take it of. */
export function average(description: string, parts?: Parts): z.ZodNullable<z.ZodNumber> {
  return measured(amount(z.number().nullable().describe(description)), quotientOf(parts, 2))
}

/** A whole number of things, 0 or more. */
export function count(description: string, shared: Shared = {}): z.ZodNumber {
  return measured(z.number().int().nonnegative().describe(description), { kind: 'sum', ...shared })
}

/** A quotient with a fraction, of two decimals if nothing else is said; null where nothing stands below the line. */
export function quotient(description: string, parts?: Parts): z.ZodNullable<z.ZodNumber> {
  return measured(z.number().nullable().describe(description), quotientOf(parts, 2))
}

/** A share between 0 and 1; null where nothing stands below the line. */
export function share(description: string, parts?: Parts): z.ZodNullable<z.ZodNumber> {
  return measured(z.number().min(0).max(1).nullable().describe(description), quotientOf(parts, 6))
}

/** The same number, of which those of several rows do not add up. */
export function notAdditive<S extends z.ZodType>(schema: S): S {
  return measured(schema, { kind: 'not_additive' })
}

/** A UTC day, YYYY-MM-DD. */
export function day(description: string): z.ZodString {
  return z.string().describe(description).meta({ format: 'date' })
}

/** Key columns of lists of customers. */
export const CUSTOMER_COLUMNS = {
  customer_id: z.string().describe('Id of the customer'),
  customer_name: z.string().nullable().describe('Name of the customer'),
}

/** Key column of answers over periods. */
export const PERIOD = day('First day of the period')

/** Columns that name the period of a row. */
export const PERIOD_COLUMNS: readonly string[] = ['period', 'month']

function quotientOf(parts: Parts | undefined, decimals: number): Measure {
  return parts === undefined ? { kind: 'not_additive' } : { kind: 'ratio', decimals, ...parts }
}
