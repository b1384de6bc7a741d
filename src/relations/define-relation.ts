import type { ColumnType } from '../compiler/inline.ts'

export interface ColumnContract {
  readonly name: string
  readonly type: ColumnType
  readonly is_nullable: boolean
  /** The canonical set, where the column has one; a value outside it is `canonical_enum_violation`. */
  readonly values?: readonly string[]
  readonly description: string
}

/** What a relation promises, whoever supplies it: `base` a connector, `derived` sql/relations, `inline` the request. */
export interface RelationContract {
  readonly name: string
  readonly kind: 'base' | 'derived' | 'inline'
  readonly description: string
  /** Columns that together are unique. */
  readonly grain: readonly string[]
  /** Time-bounded relations read `:window_start` and `:window_end`. */
  readonly has_window: boolean
  readonly columns: readonly ColumnContract[]
}

/** A frozen contract. */
export function defineRelation(contract: RelationContract): RelationContract {
  return Object.freeze({ ...contract, columns: Object.freeze([...contract.columns]) })
}

/** A column that is never null. */
export function column(name: string, type: ColumnType, description: string, values?: readonly string[]): ColumnContract {
  return { name, type, is_nullable: false, description, ...(values === undefined ? {} : { values }) }
}

/** A column that may be null. */
export function nullable(name: string, type: ColumnType, description: string, values?: readonly string[]): ColumnContract {
  return { ...column(name, type, description, values), is_nullable: true }
}
