import * as z from 'zod'

/** The unit of a number for display: money in cents, a fraction (0.05 is 5 %), a ratio of two amounts, or a count. */
export type Unit = 'money' | 'fraction' | 'ratio' | 'count'

/**
 * Whether the numbers of several rows add up: over the groups of one period, also over periods, or never. Levels add up over groups
 * only, because a later period counts the same MRR or the same customer again.
 */
export type Adds = 'never' | 'groups' | 'groups_and_periods'

/** The good direction of a number. For churn it is `down`. */
export type Good = 'up' | 'down' | 'neither'

/**
 * The days that a headline figure covers: a level is that of one day, `month` is the running month up to that day, and `year` the
 * 365 days up to it.
 */
export type FigureWindow = 'level' | 'year' | 'month' | 'rate' | 'trailing'

/** The attributes that a column declares. */
export interface ColumnTraits {
  readonly unit: Unit
  readonly adds: Adds
  /** Display name, if it is another than the words of the column's name. */
  readonly label: string
  /** Absent: `up`. */
  readonly good: Good
  /** The days of a headline figure. Other columns have none. */
  readonly window: FigureWindow
}

/** The unit of amounts in the OpenAPI document, which states how they are written. */
const CENTS = 'cents'

/** A column with these attributes. The OpenAPI document and the description of an answer's columns show them. */
export function declared<S extends z.ZodType>(schema: S, traits: Partial<ColumnTraits>): S {
  const { unit, ...others } = traits
  const attributes = { ...(unit !== undefined && { unit: unit === 'money' ? CENTS : unit }), ...others }
  return schema.meta(Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`x-${name}`, value])))
}

/** The attributes that a column declares on its schema, or on the schema that it wraps. */
export function traitsOf(schema: z.ZodType): Partial<ColumnTraits> {
  const meta = metaOf(schema)
  const known = (['unit', 'adds', 'label', 'good', 'window'] as const).flatMap((name) => {
    const value = meta[`x-${name}`]
    return value === undefined ? [] : [[name, value === CENTS ? 'money' : value]]
  })
  return Object.fromEntries(known)
}

function metaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  return { ...(isWrapper(schema) && metaOf(inside(schema))), ...schema.meta() }
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
