import type { Fragment } from '../compiler/fragment.ts'
import { isBlank, tokenize } from '../compiler/lexer.ts'
import { scanNeutralSql } from '../compiler/neutral.ts'
import { RELATION_CONTRACTS } from '../relations/contracts.ts'
import { defineField, type Field } from './field.ts'
import type { QueryInputs } from './inputs.ts'

/**
 * The built-in dimension that belongs to each kind. Every query with this built-in dimension also gets the new dimensions of the
 * kind.
 */
const NEIGHBOURS = { customer: 'customer_country', plan: 'plan_id', subscription: 'bundle_id' } as const

/** A dimension defined outside the product, for customers, plans or subscriptions. */
export interface OwnDimension extends Pick<Field, 'key' | 'type' | 'description'> {
  /**
   * The relation that has the value. It is joined under its own name. Queries that can group by the built-in dimension of this
   * relation (NEIGHBOURS) get the new dimension.
   */
  readonly of: keyof typeof NEIGHBOURS
  /** By default the key with spaces and a capital first letter. */
  readonly label?: string
  /** Columns of the value, such as `customer.city`. If a connector lacks one, the dimension is unavailable. */
  readonly reads: readonly string[]
  /** Order of the values in answers, if not ascending. */
  readonly order?: readonly string[]
  /** The value as SQL that every database understands (sql/README.md). */
  readonly expression: Fragment
}

/** A frozen dimension. */
export function defineDimension(dimension: OwnDimension): OwnDimension {
  return Object.freeze(dimension)
}

/** Adds each new dimension to inputs that have the built-in dimension of its kind (NEIGHBOURS). */
export function withOwnDimensions(inputs: QueryInputs, own: readonly OwnDimension[]): QueryInputs {
  const widened = (fields: readonly Field[]) =>
    fields.flatMap((field) => [field, ...own.flatMap((one) => extensionOf(field, one))])
  return { ...inputs, dimensions: widened(inputs.dimensions), series_dimensions: widened(inputs.series_dimensions) }
}

// The new dimension needs the joins and relations of the built-in one, and its value stays constant for the same time.
function extensionOf(neighbour: Field, { of, expression, reads, ...own }: OwnDimension): readonly Field[] {
  if (neighbour.key !== NEIGHBOURS[of]) return []
  const { joins, constant } = neighbour
  const field = {
    ...own,
    shows: 'customers' as const,
    joins,
    constant,
    reads: [...new Set([...reads, ...neighbour.reads.filter((name) => !name.includes('.'))])],
    expression: () => expression,
  }
  return [defineField(field)]
}

const KEY = /^[a-z][a-z0-9_]*$/

/** Problems of a dimension for its author: its key, the columns it reads, and SQL that databases read differently. */
export function problemsOf({ key, of, reads, expression }: OwnDimension): readonly string[] {
  const text = writtenOut(expression)
  const named = columnsIn(text, of)
  return [
    ...(KEY.test(key) ? [] : ['its key is not in snake_case']),
    ...[...new Set([...reads, ...named])].filter((read) => !isColumn(read)).map((read) => `no relation has the column "${read}"`),
    ...named.filter((read) => !reads.includes(read)).map((read) => `its SQL uses ${read}, which "reads" does not list`),
    ...(namesFunction(expression) ? ['write a function as a fragment, fn(name, …), not in the SQL text'] : []),
    ...scanNeutralSql(key, text).map(({ message }) => message),
  ]
}

// Functions and bound values work in every dialect, so each is written as a file has it, and a value as a literal of its type.
function writtenOut({ nodes }: Fragment): string {
  return nodes
    .map((node) => {
      if (node.kind === 'text') return node.text
      if (node.kind === 'fn') return `fn.${node.name}(${node.args.map(writtenOut).join(', ')})`
      if (node.kind === 'value') return node.type === 'text' ? "'1'" : '1'
      return node.name
    })
    .join('')
}

/** Whether the text itself, in place of a fragment, calls a function of the dialect. */
function namesFunction({ nodes }: Fragment): boolean {
  return nodes.some((node) =>
    node.kind === 'fn' ? node.args.some(namesFunction) : node.kind === 'text' && /\bfn\./.test(node.text),
  )
}

function columnsIn(text: string, relation: string): readonly string[] {
  const tokens = tokenize(text).filter((token) => !isBlank(token))
  const named = tokens.flatMap(({ text: word }, index) => {
    const [dot, column] = tokens.slice(index + 1, index + 3)
    return word === relation && dot?.text === '.' && column?.kind === 'word' ? [`${relation}.${column.text}`] : []
  })
  return [...new Set(named)]
}

function isColumn(read: string): boolean {
  const [relation, column] = read.split('.')
  return RELATION_CONTRACTS.some(({ name, columns }) => name === relation && columns.some((own) => own.name === column))
}
