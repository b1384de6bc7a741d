import type { Fragment } from '../compiler/fragment.ts'
import type { JoinName } from './joins.ts'

export type FieldType = 'string' | 'number' | 'boolean' | 'date' | 'timestamp'

/** The relation with the alias `fact`, and whether its values count just before or just after an instant (D61). */
export interface FactContext {
  readonly fact: 'level' | 'movement'
  /** Levels: the instant just before which they hold, exclusive. Movements: their own instant. */
  readonly instant: Fragment
  /** SQL condition, true if the value just before the instant counts and not the value at it. */
  readonly isBefore: Fragment
  /** Type of the connector, which is the value of the dimension `source`. */
  readonly connector: string
  readonly allowUnpriced: boolean
  /** Only the customers of `relation.segment_member` count. */
  readonly isNarrowed: boolean
}

/** The persons that values may identify: none, or customers and vendors. */
export type Shows = 'totals' | 'customers'

/** How long a value stays the same. It decides if levels can be cumulated and if groups need a transfer (D37). */
type Constancy = 'always' | 'within_span' | 'never'

/** A field to filter by, and to group by if a query has it as a dimension. */
export interface Field {
  readonly key: string
  /** Its column in statements, if the key is not a valid SQL name; by default the key. */
  readonly column: string
  readonly label: string
  readonly type: FieldType
  readonly description: string
  /**
   * The persons that its values may identify. `totals`: no customer and no vendor, because they come from the product or the catalog, so the scope
   * `read:aggregate` may group and filter by it. `customers`: anything else, such as names, free text and the dimensions of embedders.
   */
  readonly shows: Shows
  readonly joins: readonly JoinName[]
  /** Relations and columns (`relation.column`) it needs. The connector must have them. */
  readonly reads: readonly string[]
  readonly constant: Constancy
  /** True for text that is compared in upper case. */
  readonly isUpperCase: boolean
  /** True if the value depends on base amounts, so that rates are needed in every unit (D14). */
  readonly readsBase: boolean
  /** Order of the values in answers, if not ascending. */
  readonly order: readonly string[]
  /** The allowed values in a filter; empty if any value is allowed. */
  readonly known: readonly string[]
  /** All values that rows can have, if they are few and fixed. A filter may name others, which match nothing. */
  readonly values: readonly string[]
  /** The values that rows can have within the type, such as first days of months. A filter refuses others. Absent: all. */
  readonly possible: PossibleValues | undefined
  /** The field of the same values, if this one belongs to the rows of one list or template. */
  readonly same_as: Field | undefined
  /** The rows that hold its values, as `fact` of its expression. Absent: those that its joins name. */
  readonly held_in: 'books' | Fragment | undefined
  /** True for a number that rises by one with time, so that rows have had each value below their own. */
  readonly grows: boolean
  /** Value per row of `fact`; null if the result rows have it and TypeScript groups by it. */
  expression(context: FactContext): Fragment | null
  /** Condition for rows with an unknown value. A filter keeps them, so that the check for gaps counts them (D14, D26). */
  unknown(context: FactContext): Fragment | null
}

/** A part of the values of a type. `words` ends a message: `must be the first day of a month`. */
export interface PossibleValues {
  readonly words: string
  has(text: string): boolean
}

/** Months, each as its first day. */
export const FIRST_DAYS: PossibleValues = {
  words: 'the first day of a month (YYYY-MM-01)',
  has: (text) => text.endsWith('-01'),
}

/** Numbers without a fraction. */
export const WHOLE_NUMBERS: PossibleValues = {
  words: 'a whole number',
  has: (text) => /^-?\d+(\.0+)?$/.test(text),
}

type FieldInput = Pick<Field, 'key' | 'type' | 'description' | 'expression'> &
  Partial<Omit<Field, 'key' | 'type' | 'description' | 'expression'>>

/** A field with its defaults: no joins, constant within a span, always known. */
export function defineField(input: FieldInput): Field {
  return Object.freeze({
    column: input.key,
    label: labelOf(input.key),
    shows: 'customers' as const,
    joins: [],
    reads: [],
    constant: 'within_span' as const,
    isUpperCase: false,
    readsBase: false,
    order: [],
    known: [],
    values: [],
    possible: undefined,
    same_as: undefined,
    held_in: undefined,
    grows: false,
    unknown: () => null,
    ...input,
  })
}

/** The key with blanks and a capital first letter (http-api.md 2). */
function labelOf(key: string): string {
  const words = key.replaceAll('_', ' ').replaceAll('.', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The field for rows that are not spans. Its value comes from a span of their subscription. */
export function onSpan(field: Field): Field {
  return defineField({ ...field, reads: [...field.reads, 'mrr_span'] })
}

/** True if one of the fields needs a span. */
export function readsSpans(fields: readonly Field[]): boolean {
  return fields.some(({ reads }) => reads.includes('mrr_span'))
}
