import { quoted } from '../compiler/literal.ts'
import type { Statement } from '../compiler/statement.ts'
import { withRelations } from './with-tables.ts'

/** A table as questions about the schema should see it. */
interface ShownTable {
  readonly name: string
  readonly isView: boolean
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

const SCHEMA = /\binformation_schema\.(columns|tables)\b/g

/** A question about the schema, which sees these tables by these names and with these types, and all others unchanged. */
export function withSchema(statement: Statement, tables: readonly ShownTable[]): Statement {
  if (tables.length === 0) return statement
  const others = `table_name not in (${tables.map(({ name }) => quoted(name)).join(', ')})`
  const shown = tables.map(({ name, isView }) => [name, isView ? 'VIEW' : 'BASE TABLE'])
  const columns = tables.flatMap(({ name, columns: own }) => own.map((column) => [name, column.name, column.type]))
  const seen = [
    `seen_tables as (select table_schema, table_name, table_type from information_schema.tables where ${others}
union all select current_schema, table_name, table_type from ${valuesOf(shown, 'table_name, table_type')})`,
    `seen_columns as (select table_schema, table_name, column_name, data_type from information_schema.columns where ${others}
union all select current_schema, table_name, column_name, data_type from ${valuesOf(columns, 'table_name, column_name, data_type')})`,
  ]
  return withRelations({ ...statement, text: statement.text.replace(SCHEMA, 'seen_$1') }, seen)
}

function valuesOf(rows: readonly (readonly string[])[], names: string): string {
  return `(values ${rows.map((row) => `(${row.map(quoted).join(', ')})`).join(', ')}) as v (${names})`
}
