import { InternalError } from '../core/errors.ts'

/**
 * Types of bound values. `integers` is a non-empty list for `in (…)`, so that one statement can read several tenants, and still
 * uses the index if it reads one tenant. `json` is JSON text.
 */
export type ParamType = 'text' | 'integer' | 'decimal' | 'timestamp' | 'date' | 'boolean' | 'json' | 'integers'

/** Bound values. Decimals are text, instants `Date` or `YYYY-MM-DD HH:MM:SS[.ffffff]`, days `YYYY-MM-DD`. */
export type BoundValue = string | number | boolean | Date | null | readonly number[]

/** Functions of a dialect. Everything else in a template is neutral SQL. */
export const FN_NAMES = [
  'text',
  'exact_text',
  'integer',
  'int_div',
  'converted',
  'month_start',
  'clock',
  'months_between',
  'add_period',
  'add_seconds',
  'whole_second',
  'microseconds_between',
  'day_number',
  'lower',
  'like',
  'null_safe_equal',
  'json_text',
  'total_of',
  'is_among',
] as const
export type FnName = (typeof FN_NAMES)[number]

/** Number of arguments of each function. */
export const FN_ARITY: Readonly<Record<FnName, number>> = {
  text: 1,
  exact_text: 1,
  integer: 1,
  int_div: 2,
  converted: 2,
  month_start: 1,
  clock: 1,
  months_between: 2,
  add_period: 3,
  add_seconds: 2,
  whole_second: 1,
  microseconds_between: 2,
  day_number: 1,
  lower: 1,
  like: 2,
  null_safe_equal: 2,
  json_text: 2,
  total_of: 1,
  is_among: 2,
}

/** A value that becomes a placeholder. An object used twice becomes one placeholder if the dialect numbers them. */
export interface ValueNode {
  readonly kind: 'value'
  readonly value: BoundValue
  readonly type: ParamType
}

export type FragmentNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'ident'; readonly name: string }
  | { readonly kind: 'fn'; readonly name: FnName; readonly args: readonly Fragment[] }
  | { readonly kind: 'relation'; readonly name: string }
  | ValueNode

// A private symbol: nothing parsed from JSON can have it, so no request body can pass as SQL.
const BRAND = Symbol('plumbline.fragment')

/** A frozen piece of SQL: literal text from the code, checked identifiers, and bound values. */
export interface Fragment {
  readonly [BRAND]: true
  readonly nodes: readonly FragmentNode[]
}

/** A fragment from nodes. Only the template parser and the functions below use it. */
export function fragment(nodes: readonly FragmentNode[]): Fragment {
  return Object.freeze({ [BRAND]: true as const, nodes: Object.freeze([...nodes]) })
}

/** True for fragments made by this module. */
function isFragment(candidate: unknown): candidate is Fragment {
  return typeof candidate === 'object' && candidate !== null && BRAND in candidate
}

/** SQL text from a template literal. Only fragments may be interpolated. */
export function sql(strings: TemplateStringsArray, ...parts: readonly Fragment[]): Fragment {
  const nodes: FragmentNode[] = []
  strings.forEach((text, index) => {
    if (text !== '') nodes.push({ kind: 'text', text })
    const part = parts[index]
    if (part === undefined) return
    if (!isFragment(part)) throw new InternalError('sql`…` takes fragments only: wrap a value in value(…), a name in ident(…)')
    // One by one, because a call cannot take ten thousand arguments.
    for (const node of part.nodes) nodes.push(node)
  })
  return fragment(nodes)
}

/** A bound value. */
export function value(bound: BoundValue, type: ParamType): Fragment {
  return fragment([Object.freeze({ kind: 'value', value: bound, type } as const)])
}

/** A plain snake_case name (alias, column). InternalError for other names. */
export function ident(name: string): Fragment {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name)) throw new InternalError(`not a plain snake_case name: ${JSON.stringify(name)}`)
  return fragment([{ kind: 'ident', name }])
}

/** A whole number from zero, written as digits: for LIMIT and OFFSET, where MySQL takes no typed placeholder. */
export function digits(count: number): Fragment {
  if (!Number.isSafeInteger(count) || count < 0) throw new InternalError(`not a whole number from zero: ${count}`)
  return fragment([{ kind: 'text', text: String(count) }])
}

/** A dialect function applied to fragments. */
export function fn(name: FnName, ...args: readonly Fragment[]): Fragment {
  return fragment([{ kind: 'fn', name, args }])
}

/** A relation of the catalog or of the request. The surrounding text gives it an alias. */
export function relation(name: string): Fragment {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new InternalError(`not a relation name: ${JSON.stringify(name)}`)
  return fragment([{ kind: 'relation', name }])
}

/** An empty fragment, for unused slots. */
export const empty: Fragment = fragment([])

/** Fragments joined with a separator. */
export function join(parts: readonly Fragment[], separator: Fragment): Fragment {
  return fragment(parts.flatMap((part, index) => (index === 0 ? part.nodes : [...separator.nodes, ...part.nodes])))
}

/** The texts as values separated by commas, for `in (…)`; at least one. */
export function textList(texts: readonly string[]): Fragment {
  return join(
    texts.map((text) => value(text, 'text')),
    sql`, `,
  )
}

/**
 * The text of a column is one of these; at least one. The comparison is that of the column's index: MySQL may ignore case, accents and trailing
 * blanks.
 */
export function isOneOf(column: Fragment, texts: readonly string[]): Fragment {
  // To compare a column of three-byte characters with longer characters, MySQL converts the column and uses no index, or refuses.
  const isLong = texts.some((text) => /[\u{10000}-\u{10ffff}]/u.test(text))
  return sql`${isLong ? fn('exact_text', column) : column} in (${textList(texts)})`
}

/** Names of the relations that a fragment reads itself. */
export function relationsIn(part: Fragment): string[] {
  return part.nodes.flatMap((node) => {
    if (node.kind === 'relation') return [node.name]
    return node.kind === 'fn' ? node.args.flatMap(relationsIn) : []
  })
}
