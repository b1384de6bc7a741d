import * as z from 'zod'

/** The unit of a number for display: money in cents, a fraction (0.05 is 5 %), a ratio of two amounts, or a count. */
export type Unit = 'money' | 'fraction' | 'ratio' | 'count'

/** What a column declares about its numbers. */
export interface ColumnTraits {
  readonly unit: Unit
}

/** The declared attributes in the OpenAPI document. */
const KEYS = { unit: 'x-unit' } as const

/** The unit of amounts in the document, which states how they are written. */
const CENTS = 'cents'

/** A column with these attributes. The OpenAPI document and the description of an answer's columns show them. */
export function declared<S extends z.ZodType>(schema: S, { unit }: Partial<ColumnTraits>): S {
  return schema.meta({ ...(unit !== undefined && { [KEYS.unit]: unit === 'money' ? CENTS : unit }) })
}

/** The attributes that a column declares on its schema, or on the schema that it wraps. */
export function traitsOf(schema: z.ZodType): Partial<ColumnTraits> {
  const unit = declaredAt(schema, KEYS.unit)
  return { ...(unit !== undefined && { unit: unit === CENTS ? 'money' : (unit as Unit) }) }
}

function declaredAt(schema: z.ZodType, key: string): unknown {
  return schema.meta()?.[key] ?? (isWrapper(schema) ? declaredAt(inside(schema), key) : undefined)
}

/** The column with this name in a schema. `previous_mrr` and `change_mrr` are found as `mrr`. */
export function columnOf({ shape }: z.ZodObject, name: string): z.ZodType | undefined {
  const found = [name, name.replace(/^(previous|change)_/, '')].find((known) => Object.hasOwn(shape, known))
  return found === undefined ? undefined : (shape[found] as z.ZodType)
}

/** True for a schema that wraps another: optional, nullable or read-only. */
export function isWrapper(schema: z.ZodType): schema is z.ZodNullable | z.ZodOptional | z.ZodReadonly {
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly
}

/** The schema that a wrapper wraps. */
export function inside(schema: z.ZodNullable | z.ZodOptional | z.ZodReadonly): z.ZodType {
  return schema.unwrap() as z.ZodType
}
