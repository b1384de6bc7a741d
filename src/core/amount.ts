import * as z from 'zod'
import { type ColumnTraits, columnOf, declared, inside, isWrapper, traitsOf } from './column.ts'
import { unitsOf } from './currency.ts'
import { isObject } from './json.ts'

/** Rewrites the amounts of a value. They are in `own`, the currency of their record, or in `base`. */
type Rewrite = (value: unknown, own: string, base: string) => unknown

/** Marks a column as an amount in cents. The OpenAPI document shows the mark, and the conversion to units finds amounts by it. */
export function amount<S extends z.ZodType>(schema: S, traits: Partial<Omit<ColumnTraits, 'unit'>> = {}): S {
  return declared(schema, { ...traits, unit: 'money' })
}

/** True if a column holds amounts or null. */
export function isAmount(schema: z.ZodType): boolean {
  return traitsOf(schema).unit === 'money'
}

/** The sum of amounts. Null if one of them is unknown. */
export function sumOrNull(amounts: readonly (number | null)[]): number | null {
  return amounts.reduce<number | null>((sum, cents) => (sum === null || cents === null ? null : sum + cents), 0)
}

/**
 * A value of the schema with its amounts as decimal text in units. If a record names its `currency`, its amounts are in that
 * currency, except `…_base_cents`. All other amounts are in the base currency.
 */
export function inUnits(value: unknown, schema: z.ZodType, base: string): unknown {
  return unitsWriter(schema, base)(value)
}

/** Returns `inUnits` for many values of one schema. */
export function unitsWriter(schema: z.ZodType, base: string): (value: unknown) => unknown {
  const rewrite = rewriteOf(schema)
  return rewrite === undefined ? (value) => value : (value) => rewrite(value, base, base)
}

function rewriteOf(schema: z.ZodType): Rewrite | undefined {
  if (isAmount(schema)) return (value, own) => (typeof value === 'number' ? unitsOf(value, own) : value)
  if (isWrapper(schema)) return rewriteOf(inside(schema))
  if (schema instanceof z.ZodArray) return eachOf(rewriteOf(schema.element as z.ZodType))
  return schema instanceof z.ZodObject ? recordsOf(schema) : undefined
}

function eachOf(rewrite: Rewrite | undefined): Rewrite | undefined {
  if (rewrite === undefined) return undefined
  return (value, own, base) => (Array.isArray(value) ? value.map((item) => rewrite(item, own, base)) : value)
}

function recordsOf(schema: z.ZodObject): Rewrite {
  // Cached, because all rows of an answer have the same columns.
  const known = new Map<string, Rewrite | undefined>()
  const columnRewrite = (name: string): Rewrite | undefined => {
    if (!known.has(name)) {
      const found = columnOf(schema, name)
      known.set(name, found === undefined ? undefined : rewriteOf(found))
    }
    return known.get(name)
  }
  return (value, context, base) => {
    if (!isObject(value)) return value
    const { currency } = value
    const own = typeof currency === 'string' ? currency : context
    const written = { ...value }
    for (const name of Object.keys(value)) {
      const rewrite = columnRewrite(name)
      if (rewrite !== undefined) written[name] = rewrite(value[name], name.endsWith('_base_cents') ? base : own, base)
    }
    return written
  }
}
