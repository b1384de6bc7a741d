import { quoted } from '../../compiler/literal.ts'
import type { Statement } from '../../compiler/statement.ts'
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
    seenAs('tables', 'table_name, table_type', others, shown),
    seenAs('columns', 'table_name, column_name, data_type', others, columns),
  ]
  return withRelations({ ...statement, text: statement.text.replace(SCHEMA, 'seen_$1') }, seen)
}

/** A table of information_schema, with these rows in place of those of the same tables. */
function seenAs(kind: string, names: string, others: string, rows: readonly (readonly string[])[]): string {
  const own = `select table_schema, ${names} from information_schema.${kind} where ${others}`
  const values = rows.map((row) => `(${row.map(quoted).join(', ')})`).join(', ')
  const further = rows.length === 0 ? '' : `\nunion all select current_schema, ${names} from (values ${values}) as v (${names})`
  return `seen_${kind} as (${own}${further})`
}
