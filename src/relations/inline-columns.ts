import type { ColumnType, InlineColumn, InlineRelation } from '../compiler/inline.ts'
import type { RelationContract } from './define-relation.ts'

/** Columns of a relation whose rows come from TypeScript; its keys are of that type. */
export function inlineColumns({ columns }: Pick<RelationContract, 'columns'>, key: ColumnType): readonly InlineColumn[] {
  return columns.map(({ name, type }) => ({ name, type: type === 'key' ? key : type }))
}

/** The relation with its columns and no rows: what an engine has that knows of no such thing. */
export function withoutRows(contract: RelationContract): InlineRelation {
  return { name: contract.name, columns: inlineColumns(contract, 'integer'), rows: [] }
}
