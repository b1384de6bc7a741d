import { type Fragment, ident, join, relation, sql, value } from '../compiler/fragment.ts'
import type { ColumnType, InlineColumn, InlineRelation } from '../compiler/inline.ts'

/** `key`: what the engine has for a key, a whole number, text or a uuid; of one type in all relations of a connector, and opaque. */
export type ContractType = ColumnType | 'key'

export interface ColumnContract {
  readonly name: string
  readonly type: ContractType
  readonly is_nullable: boolean
  /** The canonical set, where the column has one; a value outside it is `canonical_enum_violation`. */
  readonly values?: readonly string[]
  readonly description: string
}

/**
 * What a relation promises, whoever supplies it: `base` a connector, `default` a connector that knows better than the file of that name
 * in sql/relations, else that file, `source` a connector, where those files are to have something to begin with, `derived` sql/relations
 * alone, `inline` the request.
 */
export interface RelationContract {
  readonly name: string
  readonly kind: 'base' | 'default' | 'source' | 'derived' | 'inline'
  readonly description: string
  /** Columns that together are unique. */
  readonly grain: readonly string[]
  /** Time-bounded relations read `:window_start` and `:window_end`. */
  readonly has_window: boolean
  /** True where an engine may know of no such thing: what reads the relation then finds no rows, and only what is about it is refused. */
  readonly may_be_absent?: boolean
  readonly columns: readonly ColumnContract[]
}

/** A frozen contract. */
export function defineRelation(contract: RelationContract): RelationContract {
  return Object.freeze({ ...contract, columns: Object.freeze([...contract.columns]) })
}

/** A column that is never null. */
export function column(name: string, type: ContractType, description: string, values?: readonly string[]): ColumnContract {
  return { name, type, is_nullable: false, description, ...(values === undefined ? {} : { values }) }
}

/** A column that may be null. */
export function nullable(name: string, type: ContractType, description: string, values?: readonly string[]): ColumnContract {
  return { ...column(name, type, description, values), is_nullable: true }
}

/** Columns of a relation whose rows come from TypeScript; its keys are of that type. */
export function inlineColumns({ columns }: Pick<RelationContract, 'columns'>, key: ColumnType): readonly InlineColumn[] {
  return columns.map(({ name, type }) => ({ name, type: type === 'key' ? key : type }))
}

/** The relation with its columns and no rows: what an engine has that knows of no such thing. */
export function withoutRows(contract: RelationContract): InlineRelation {
  return { name: contract.name, columns: inlineColumns(contract, 'integer'), rows: [] }
}

/** The relation without rows, for a statement that can do without it. Its keys have the type of the connector's own, as all of them have one. */
export function emptyRelation({ columns }: RelationContract): Fragment {
  const cells = columns.map(({ name, type }) => {
    const cell = type === 'key' ? sql`nobody.customer_key` : value(null, type)
    return sql`${cell} as ${ident(name)}`
  })
  return sql`(select ${join(cells, sql`, `)} from ${relation('customer')} as nobody where 1 = 0)`
}
