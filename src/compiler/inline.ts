import type { BoundValue, Fragment } from './fragment.ts'

export type ColumnType = 'text' | 'integer' | 'decimal' | 'timestamp' | 'date' | 'boolean'

/** The type of a column of a table. A `decimal` without precision has 26 digits before the point and 12 after it. */
export type DeclaredType = ColumnType | { readonly precision: number; readonly scale: number }

export interface InlineColumn {
  readonly name: string
  readonly type: ColumnType
}

/** Rows computed in TypeScript that SQL reads like a table: `relation.<name>`. Cells are in column order. */
export interface InlineRelation {
  readonly name: string
  readonly columns: readonly InlineColumn[]
  readonly rows: readonly (readonly BoundValue[])[]
  /**
   * The rows as a statement in the dialect of the billing database: what its documents hold, one row for each element of a list. `rows` is empty
   * then. A cache reads them from its raw table of this name.
   */
  readonly select?: Fragment
  /** The rows in words for users, and a remedy if they are too many. */
  readonly about?: { readonly subject: string; readonly remedy: string }
}
