import * as z from 'zod'

/**
 * How the measure of several rows is made of theirs. `shared_by` names dimensions whose groups have the figure in common, so that it
 * counts once for all of them; `only_by` the dimensions whose groups have nothing in common, where others may share what is counted.
 */
export type Measure =
  | { readonly kind: 'sum'; readonly shared_by?: readonly string[]; readonly only_by?: readonly string[] }
  | { readonly kind: 'ratio'; readonly top: readonly string[]; readonly bottom: readonly string[]; readonly decimals: number }
  | { readonly kind: 'apart' }

const MEASURES = z.registry<Measure>()

const APART: Measure = { kind: 'apart' }

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
  return schema instanceof z.ZodNumber ? APART : undefined
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
