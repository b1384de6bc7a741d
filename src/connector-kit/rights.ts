import { AppError, InternalError } from '../core/errors.ts'
import { isTrue } from '../ports/cells.ts'
import type { Row } from './connector.ts'
import { empty, type Fragment, ident, type QueryRunner, sql, text, textList, value } from './query-runner.ts'

/** A role's view of the requested tables. Tables have their own names, columns are `table.column`. */
export interface Sight {
  /** Columns that the role may read, by table. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>
  /** The type of each of these columns (`table.column`) on Trino, where a copy may have another one than the engine. Empty elsewhere. */
  readonly types: ReadonlyMap<string, string>
  /** Tables and columns that exist but that the role may not read. */
  readonly denied: ReadonlySet<string>
  /** Tables with policies that hide rows from the role. */
  readonly restricted: readonly string[]
  /** Columns in which PostgreSQL treats different texts as equal: their collation is not deterministic, or their type is citext. */
  readonly loose: readonly string[]
  /** Views and foreign tables with the name of a table. */
  readonly views: readonly string[]
  /** Tables whose names begin with the requested prefix, in their own spelling. */
  readonly alike: readonly { readonly table: string; readonly is_readable: boolean }[]
}

export interface SightRequest {
  /** Type of the connector, for the label of the statement. */
  readonly connector: string
  readonly dialect: string
  readonly tables: readonly string[]
  /** Lists tables whose names begin with it, too. */
  readonly prefix?: string
}

/**
 * The role's rights to these tables in the engine's schema. Each request runs this. MySQL, MariaDB and Trino hide everything that is not granted,
 * so `findHidden` asks about that.
 */
export async function readSight(run: QueryRunner, { connector, dialect, tables, prefix }: SightRequest): Promise<Sight> {
  const select = dialect === 'postgres' ? fromPostgres : dialect === 'trino' ? fromTrino : fromMysql
  const pattern = prefix === undefined ? undefined : value(`${prefix.replaceAll('_', '!_')}%`, 'text')
  // Reads the current schema of the session.
  const rows = await run(`${connector}.columns`, select(textList(tables), pattern))
  const columns = new Map<string, Set<string>>()
  const types = new Map<string, string>()
  const withheld = new Set<string>()
  const isAlike = (row: Row) => text(row['column_name'] ?? '') === ALIKE
  for (const row of rows) {
    if (row['column_name'] === null || isAlike(row)) continue
    const [table, column] = [text(row['table_name']), text(row['column_name'])]
    if (isTrue(row['may_read'])) columns.set(table, (columns.get(table) ?? new Set()).add(column))
    else withheld.add(`${table}.${column}`)
    if (typeof row['data_type'] === 'string') types.set(`${table}.${column}`, row['data_type'])
  }
  // A table without any readable column is named as a whole.
  const closed = [...withheld].map((name) => name.slice(0, name.indexOf('.'))).filter((table) => !columns.has(table))
  const tablesWhere = (flag: string) => [
    ...new Set(rows.filter((row) => isTrue(row[flag])).map((row) => text(row['table_name']))),
  ]
  return {
    columns,
    types,
    denied: new Set([...withheld, ...closed]),
    restricted: tablesWhere('is_restricted').sort(),
    loose: rows
      .filter((row) => isTrue(row['is_loose'] ?? false))
      .map((row) => `${text(row['table_name'])}.${text(row['column_name'])}`)
      .sort(),
    views: tablesWhere('is_view').sort(),
    alike: rows.filter(isAlike).map((row) => ({ table: text(row['table_name']), is_readable: isTrue(row['may_read']) })),
  }
}

/** Placeholder for a column in the rows of tables that are found by prefix. */
const ALIKE = '*'
const MARKER = value(ALIKE, 'text')

/** Selects the columns of tables with these names, and tables with names like the pattern. */
type SelectSight = (names: Fragment, pattern: Fragment | undefined) => Fragment

// PostgreSQL's catalog, because information_schema takes several times as long.
const fromPostgres: SelectSight = (
  names,
  pattern,
) => sql`select relation.relname as table_name, lower(attribute.attname) as column_name,
            has_column_privilege(relation.oid, attribute.attnum, 'select') as may_read,
            relation.relkind not in ('r', 'p') as is_view, row_security_active(relation.oid) as is_restricted,
            attribute.attcollation in (select oid from pg_catalog.pg_collation where not collisdeterministic)
              or attribute.atttypid in (select oid from pg_catalog.pg_type where typname = 'citext') as is_loose
          from pg_catalog.pg_class as relation join pg_catalog.pg_attribute as attribute on attribute.attrelid = relation.oid
          where relation.relnamespace = (select namespace.oid from pg_catalog.pg_namespace as namespace where namespace.nspname = current_schema())
            and relation.relname in (${names}) and relation.relkind in ('r', 'p', 'v', 'm', 'f')
            and attribute.attnum > 0 and not attribute.attisdropped${
              pattern === undefined
                ? empty
                : sql`
          union all select relation.relname, ${MARKER}, has_table_privilege(relation.oid, 'select'), false, false, false
          from pg_catalog.pg_class as relation
          where relation.relnamespace = (select namespace.oid from pg_catalog.pg_namespace as namespace where namespace.nspname = current_schema())
            and relation.relkind in ('r', 'p') and relation.relname like ${pattern} escape '!'`
            }`

const fromMysql: SelectSight = (names, pattern) => sql`select lower(table_name) as table_name, lower(column_name) as column_name,
            find_in_set('select', privileges) > 0 as may_read, false as is_view, false as is_restricted
          from information_schema.columns where table_schema = database() and table_name in (${names})
          union all select lower(table_name), null, true, true, false
          from information_schema.tables where table_schema = database() and table_name in (${names}) and table_type <> 'BASE TABLE'${
            pattern === undefined
              ? empty
              : sql`
          union all select table_name, ${MARKER}, true, false, false
          from information_schema.tables where table_schema = database() and lower(table_name) like ${pattern} escape '!'`
          }`

const fromTrino: SelectSight = (
  names,
  pattern,
) => sql`select table_name, column_name, data_type, true as may_read, false as is_view, false as is_restricted
          from information_schema.columns where table_schema = current_schema and table_name in (${names})
          union all select table_name, null, null, true, true, false
          from information_schema.tables where table_schema = current_schema and table_name in (${names}) and table_type <> 'BASE TABLE'${
            pattern === undefined
              ? empty
              : sql`
          union all select table_name, ${MARKER}, null, true, false, false
          from information_schema.tables where table_schema = current_schema and table_name like ${pattern} escape '!'`
          }`

/** Codes of MySQL and names of Trino for a denial. MySQL also returns them for missing objects, unless the role has a right to everything around them. */
const DENIALS: ReadonlySet<string> = new Set(['ER_TABLEACCESS_DENIED_ERROR', 'ER_COLUMNACCESS_DENIED_ERROR', 'PERMISSION_DENIED'])
/** Codes of MySQL and names of Trino for missing objects. */
const ABSENCES: ReadonlySet<string> = new Set(['ER_NO_SUCH_TABLE', 'ER_BAD_FIELD_ERROR', 'TABLE_NOT_FOUND', 'COLUMN_NOT_FOUND'])

/**
 * The tables and columns (`table.column`) that may exist although MySQL, MariaDB or Trino does not show them. The role may not read them, so the
 * server gives no answer.
 */
export async function findHidden(run: QueryRunner, connector: string, names: readonly string[]): Promise<readonly string[]> {
  const hidden: string[] = []
  for (const name of names) if (await isHidden(run, connector, name)) hidden.push(name)
  return hidden
}

async function isHidden(run: QueryRunner, connector: string, name: string): Promise<boolean> {
  const [table = '', column] = name.split('.')
  const shown = column === undefined ? sql`1` : sql`probed.${ident(column)}`
  try {
    await run(`${connector}.probe`, sql`select ${shown} as probe from ${ident(table)} as probed limit 0`)
    return false
  } catch (error) {
    if (!(error instanceof AppError || error instanceof InternalError)) throw error
    const code = codeOf(error.cause)
    if (DENIALS.has(code)) return true
    if (ABSENCES.has(code)) return false
    throw error
  }
}

/** The code of a server's error. Empty if it has none. */
export function codeOf(cause: unknown): string {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
}
