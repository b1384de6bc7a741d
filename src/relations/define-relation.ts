import { type Fragment, ident, join, relation, sql, value } from '../compiler/fragment.ts'
import type { ColumnType, InlineColumn, InlineRelation } from '../compiler/inline.ts'

/** `key` is a key of the billing engine: a whole number, text or a uuid. It is opaque, and has one type in all relations of a connector. */
export type ContractType = ColumnType | 'key'

export interface ColumnContract {
  readonly name: string
  readonly type: ContractType
  readonly is_nullable: boolean
  /** The canonical values, if the column has a fixed set. Another value is a `canonical_enum_violation`. */
  readonly values?: readonly string[]
  readonly description: string
}

/**
 * The contract of a relation, independent of its supplier. `base`: a connector supplies it. `default`: a connector may supply it, else the file
 * of that name in sql/relations does. `source`: a connector supplies it as input of those files or of the cache. `derived`: only
 * sql/relations supplies it. `inline`: the request supplies it.
 */
export interface RelationContract {
  readonly name: string
  readonly kind: 'base' | 'default' | 'source' | 'derived' | 'inline'
  readonly description: string
  /** Columns that together are unique. */
  readonly grain: readonly string[]
  /** True for relations that read `:window_start` and `:window_end`. */
  readonly has_window: boolean
  /** True if a billing engine may lack it. Readers then find no rows, and only queries about the relation itself are refused. */
  readonly may_be_absent?: boolean
  /** True if the cache holds its rows. Rates change no held row. */
  readonly is_held?: boolean
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

/** Columns of a relation with rows from TypeScript. Its keys have the type `key`. */
export function inlineColumns({ columns }: Pick<RelationContract, 'columns'>, key: ColumnType): readonly InlineColumn[] {
  return columns.map(({ name, type }) => ({ name, type: type === 'key' ? key : type }))
}

/** The relation without rows, for a billing engine that lacks it. */
export function withoutRows(contract: RelationContract): InlineRelation {
  return { name: contract.name, columns: inlineColumns(contract, 'integer'), rows: [] }
}

/** The relation without rows as a fragment, for a statement that can do without it. Its keys have the type of the connector's keys. */
export function emptyRelation({ columns }: RelationContract): Fragment {
  const cells = columns.map(({ name, type }) => {
    const cell = type === 'key' ? sql`nobody.customer_key` : value(null, type)
    return sql`${cell} as ${ident(name)}`
  })
  return sql`(select ${join(cells, sql`, `)} from ${relation('customer')} as nobody where 1 = 0)`
}
