import type { Fragment } from '../compiler/fragment.ts'
import type { JoinName } from './joins.ts'

export type FieldType = 'string' | 'number' | 'boolean' | 'date' | 'timestamp'

/** What the relation called `fact` is, and whether its values just before or just after an instant count (D61). */
export interface FactContext {
  readonly fact: 'level' | 'movement'
  /** Levels: the exclusive instant "just before" which they hold. Movements: their own instant. */
  readonly instant: Fragment
  /** SQL condition: the value just before the instant counts, not the one at it. */
  readonly isBefore: Fragment
  /** Type of the connector: the value of the dimension `source`. */
  readonly connector: string
  readonly allowUnpriced: boolean
  /** Only the customers of `relation.segment_member` count. */
  readonly isNarrowed: boolean
}

/** How long a value stays the same. That decides whether levels can be cumulated and whether groups need a transfer (D37). */
type Constancy = 'always' | 'within_span' | 'never'

/** Something rows can be filtered by, and grouped by if a query offers it as a dimension. */
export interface Field {
  readonly key: string
  /** Its column in statements, where the key is no name that SQL takes; by default the key. */
  readonly column: string
  readonly label: string
  readonly type: FieldType
  readonly description: string
  readonly joins: readonly JoinName[]
  /** Relations and columns (`relation.column`) it needs, judged against the connector's capabilities. */
  readonly reads: readonly string[]
  readonly constant: Constancy
  /** True for text that is compared in capitals. */
  readonly isUpperCase: boolean
  /** True where base amounts decide the value, so that rates are needed whatever the unit of the answer (D14). */
  readonly readsBase: boolean
  /** Order of the values in answers, where it is not the ascending one. */
  readonly order: readonly string[]
  /** The only values there are, where they are few: others are refused in a filter. Empty: any. */
  readonly known: readonly string[]
  /** Value per row of `fact`; null where the rows of the answer carry it and TypeScript groups by it. */
  expression(context: FactContext): Fragment | null
  /** Rows whose value is not known: a filter keeps them, so that the guard counts them instead of losing them (D14, D26). */
  unknown(context: FactContext): Fragment | null
}

type FieldInput = Pick<Field, 'key' | 'type' | 'description' | 'expression'> &
  Partial<Omit<Field, 'key' | 'type' | 'description' | 'expression'>>

/** A field with its defaults: no joins, constant within a span, always known. */
export function defineField(input: FieldInput): Field {
  return Object.freeze({
    column: input.key,
    label: labelOf(input.key),
    joins: [],
    reads: [],
    constant: 'within_span' as const,
    isUpperCase: false,
    readsBase: false,
    order: [],
    known: [],
    unknown: () => null,
    ...input,
  })
}

/** The key with blanks and a capital first letter (http-api.md 2). */
function labelOf(key: string): string {
  const words = key.replaceAll('_', ' ').replaceAll('.', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The same field for rows that are no spans: what it says is found on a span of their subscription. */
export function onSpan(field: Field): Field {
  return defineField({ ...field, reads: [...field.reads, 'mrr_span'] })
}

/** True when one of the fields is only known by way of a span. */
export function readsSpans(fields: readonly Field[]): boolean {
  return fields.some(({ reads }) => reads.includes('mrr_span'))
}
