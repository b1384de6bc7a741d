import * as z from 'zod'
import { type ColumnTraits, declared, inside, isWrapper, type Unit } from '../core/column.ts'

/**
 * How the values of a measure in several rows combine into one. `shared_by` lists dimensions whose groups share the value, so
 * that it counts once for all of them. `only_by` lists the dimensions whose groups never overlap; groups by other dimensions may
 * overlap.
 */
export type Measure =
  | { readonly kind: 'sum'; readonly shared_by?: readonly string[]; readonly only_by?: readonly string[] }
  | { readonly kind: 'ratio'; readonly top: readonly string[]; readonly bottom: readonly string[]; readonly decimals: number }
  | { readonly kind: 'not_additive' }

const MEASURES = z.registry<Measure>()

const NOT_ADDITIVE: Measure = { kind: 'not_additive' }

/** Registers the column as a measure of this kind. */
export function measured<S extends z.ZodType>(schema: S, measure: Measure): S {
  MEASURES.add(schema, measure)
  return schema
}

/** The kind of measure of a column; undefined if it is not a measure. A number that is not registered cannot be summed. */
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

/** Limits on summing a measure across groups. */
type Shared = Pick<Extract<Measure, { kind: 'sum' }>, 'shared_by' | 'only_by'>

/** Numerator (`top`) and denominator (`bottom`) of a quotient, each a sum of columns. */
interface Parts {
  readonly top: readonly string[]
  readonly bottom: readonly string[]
  readonly decimals?: number
}

/** Attributes of a measure. `words` are other names of it, with `_` for blanks. */
type Traits = Partial<Omit<ColumnTraits, 'unit'>> & { readonly words?: readonly string[] }

const WORDS = z.registry<{ readonly words: readonly string[] }>()

/** Other names of a column. */
export function wordsOf(schema: z.ZodType): readonly string[] {
  return WORDS.get(schema)?.words ?? (isWrapper(schema) ? wordsOf(inside(schema)) : [])
}

function named<S extends z.ZodType>(schema: S, words: readonly string[] = []): S {
  if (words.length > 0) WORDS.add(schema, { words })
  return schema
}

/** A sum of rows. Its groups add up, unless they share it; its periods do only if `adds` says so. */
function summed<S extends z.ZodType>(column: S, unit: Unit, { shared_by, only_by, words, ...traits }: Shared & Traits): S {
  const isShared = shared_by !== undefined || only_by !== undefined
  return measured(named(declared(column, { unit, adds: isShared ? 'never' : 'groups', ...traits }), words), {
    kind: 'sum',
    ...(shared_by && { shared_by }),
    ...(only_by && { only_by }),
  })
}

/** Attributes of events: those of several periods add up, too. */
export const FLOW = { adds: 'groups_and_periods' } as const

/** An amount: a whole number of cents. */
export function cents(description: string, about: Shared & Traits = {}): z.ZodNumber {
  return summed(z.number().int().describe(description), 'money', about)
}

/** A count: a whole number from 0. */
export function count(description: string, about: Shared & Traits = {}): z.ZodNumber {
  return summed(z.number().int().nonnegative().describe(description), 'count', about)
}

/** A quotient of sums, which never adds up. */
function divided<S extends z.ZodType>(
  column: S,
  unit: Unit,
  { top, bottom, decimals = 2, words, ...traits }: Partial<Parts> & Traits,
): S {
  const measure: Measure = top === undefined || bottom === undefined ? NOT_ADDITIVE : { kind: 'ratio', top, bottom, decimals }
  return measured(named(declared(column, { unit, adds: 'never', ...traits }), words), measure)
}

/** An average amount: cents with two decimals; null if the denominator is 0. */
export function average(description: string, about: Partial<Parts> & Traits = {}): z.ZodNullable<z.ZodNumber> {
  return divided(z.number().nullable().describe(description), 'money', about)
}

/** A quotient in this unit, by default with two decimals; null if the denominator is 0. */
export function quotient(
  description: string,
  { unit = 'count', ...about }: Partial<Parts> & Traits & { readonly unit?: Exclude<Unit, 'money'> } = {},
): z.ZodNullable<z.ZodNumber> {
  return divided(z.number().nullable().describe(description), unit, about)
}

/** A fraction that may be below 0 or above 1; null if the denominator is 0. */
export function fraction(description: string, about: Partial<Parts> & Traits = {}): z.ZodNullable<z.ZodNumber> {
  return divided(z.number().nullable().describe(description), 'fraction', { decimals: 6, ...about })
}

/** A share between 0 and 1; null if the denominator is 0. */
export function share(description: string, about: Partial<Parts> & Traits = {}): z.ZodNullable<z.ZodNumber> {
  return divided(z.number().min(0).max(1).nullable().describe(description), 'fraction', { decimals: 6, ...about })
}

/** Marks a measure that must not be summed across rows. */
export function notAdditive<S extends z.ZodType>(schema: S): S {
  return measured(declared(schema, { adds: 'never' }), NOT_ADDITIVE)
}

/** Marks a measure of lists of cohorts. It adds up over the cohorts of one month, but the row of the rest has several months. */
export function ofOneMonth<S extends z.ZodType>(schema: S): S {
  return measured(schema, NOT_ADDITIVE)
}

/** A day, YYYY-MM-DD. */
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

/** Column of every series: true if the period of the row is not over. */
export const PARTIAL_COLUMN = 'is_partial'

/** Schema of `PARTIAL_COLUMN`. Only rows that are true have it. */
export const PARTIAL = z.boolean().optional().describe('True if the period is not over yet; absent otherwise')

/** Column of every forecast: true if the row counts what lies after now (D80). */
export const FORECAST_COLUMN = 'is_forecast'

/** Schema of `FORECAST_COLUMN`. Only rows that are true have it. */
export const FORECAST = z
  .boolean()
  .optional()
  .describe('With `forecast`: true if the row counts what lies after now; absent otherwise')
