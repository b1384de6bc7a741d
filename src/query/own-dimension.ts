import type { Fragment } from '../compiler/fragment.ts'
import { isBlank, tokenize } from '../compiler/lexer.ts'
import { scanNeutralSql } from '../compiler/neutral.ts'
import { RELATION_CONTRACTS } from '../relations/contracts.ts'
import { defineField, type Field } from './field.ts'
import type { QueryInputs } from './inputs.ts'

/** The dimension of the product beside which one of each kind stands: what offers the one offers the other too. */
const NEIGHBOURS = { customer: 'customer_country', plan: 'plan_id', subscription: 'bundle_id' } as const

/** A dimension that is not the product's own, of customers, of plans or of subscriptions. */
export interface OwnDimension extends Pick<Field, 'key' | 'type' | 'description'> {
  /** What has the value: the relation that is joined, under its own name. Whatever can be grouped by it offers the dimension. */
  readonly of: keyof typeof NEIGHBOURS
  /** By default the key with blanks and a capital letter. */
  readonly label?: string
  /** Columns that the value is made of, `customer.city`: where a connector lacks one, the dimension is not offered. */
  readonly reads: readonly string[]
  /** Order of the values in answers, where it is not the ascending one. */
  readonly order?: readonly string[]
  /** The value, in SQL for every database (sql/README.md). */
  readonly expression: Fragment
}

/** A frozen dimension. */
export function defineDimension(dimension: OwnDimension): OwnDimension {
  return Object.freeze(dimension)
}

/** The offer with those of the dimensions whose neighbours it has. */
export function withOwnDimensions(inputs: QueryInputs, own: readonly OwnDimension[]): QueryInputs {
  const widened = (fields: readonly Field[]) =>
    fields.flatMap((field) => [field, ...own.flatMap((one) => extensionOf(field, one))])
  return { ...inputs, dimensions: widened(inputs.dimensions), series_dimensions: widened(inputs.series_dimensions) }
}

// What the neighbour joins and reads in this query, the other has to as well; how long it is constant is the same.
function extensionOf(neighbour: Field, { of, expression, reads, ...own }: OwnDimension): readonly Field[] {
  if (neighbour.key !== NEIGHBOURS[of]) return []
  const { joins, constant } = neighbour
  const field = {
    ...own,
    joins,
    constant,
    reads: [...new Set([...reads, ...neighbour.reads.filter((name) => !name.includes('.'))])],
    expression: () => expression,
  }
  return [defineField(field)]
}

const KEY = /^[a-z][a-z0-9_]*$/

/** What the author of a dimension has to set right in it: its key, the columns that it reads, SQL that databases read differently. */
export function problemsOf({ key, of, reads, expression }: OwnDimension): readonly string[] {
  const text = writtenOut(expression)
  const named = columnsIn(text, of)
  return [
    ...(KEY.test(key) ? [] : ['its key is not in snake_case']),
    ...[...new Set([...reads, ...named])].filter((read) => !isColumn(read)).map((read) => `no relation has the column "${read}"`),
    ...named.filter((read) => !reads.includes(read)).map((read) => `its SQL uses ${read}, which "reads" does not list`),
    ...(/\bfn\./.test(text) ? ['write a function as a fragment, fn(name, …), not in the SQL text'] : []),
    ...scanNeutralSql(key, text).map(({ message }) => message),
  ]
}

// Functions are those of every dialect, and values are bound: a name and a number stand for them.
function writtenOut({ nodes }: Fragment): string {
  return nodes
    .map((node) => {
      if (node.kind === 'text') return node.text
      if (node.kind === 'fn') return `(${node.args.map(writtenOut).join(', ')})`
      return node.kind === 'value' ? '1' : node.name
    })
    .join('')
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
