import type { Issue } from '../core/errors.ts'
import { suggest } from '../core/errors.ts'
import { type GrantRequest, postgresName } from '../core/grant-request.ts'
import { type QueryRunner, sql, textCell } from './query-runner.ts'

/** Issues for the tables of a request that the connector does not read. */
export function unknownTables({ tables }: GrantRequest, known: readonly string[]): readonly Issue[] {
  return tables
    .filter((table) => !known.includes(table))
    .map((table) => ({
      code: 'invalid_value',
      where: 'params.tables',
      value: table,
      message: `There is no table "${table}" among those that the connector reads.`,
      did_you_mean: suggest(table, known),
    }))
}

/** The tables that a role may read. */
export interface Granted {
  /** The name of the database in the engine's installation. */
  readonly database: string
  /** The columns of tables whose other columns are secrets or personal data. */
  readonly columns: Readonly<Record<string, readonly string[]>>
  /** Tables that are granted as a whole. */
  readonly tables: readonly string[]
  /** Tables that a database may lack: those of `columns` by column, the others as a whole. */
  readonly optional?: readonly string[]
}

/**
 * Statements for PostgreSQL that create a role with the rights that the connector needs, and no others. The role has no password yet
 * (`passwordStep`). If the request names tables, only the
 * grants on these tables, for an existing role.
 */
export function postgresGrants(request: GrantRequest, granted: Granted): readonly string[] {
  const { user, database = granted.database, schema } = request
  const [role, space] = [postgresName(user), postgresName(schema)]
  const placed = (table: string) => (schema === 'public' ? table : `${space}.${table}`)
  const isWhole = request.tables.length === 0
  const named = [...new Set(request.tables)]
  const { optional = [] } = granted
  const partial = Object.keys(granted.columns).filter((table) => !optional.includes(table) && (isWhole || named.includes(table)))
  const guarded = isWhole ? optional : named.filter((table) => optional.includes(table))
  const tables = isWhole ? granted.tables : named.filter((table) => !(table in granted.columns) && !optional.includes(table))
  const rightsTo = (table: string) => {
    const columns = granted.columns[table]
    return `grant select${columns === undefined ? '' : ` (${columns.join(', ')})`} on ${placed(table)} to ${role}`
  }
  const grants = [
    ...partial.map(rightsTo),
    ...(tables.length === 0 ? [] : [`grant select on ${tables.map(placed).join(', ')} to ${role}`]),
    ...guarded.map((table) => {
      const name = placed(table).replaceAll("'", "''")
      return `do $$ begin if to_regclass('${name}') is not null then ${rightsTo(table)}; end if; end $$`
    }),
  ]
  if (!isWhole) return grants
  return [
    `create role ${role} login`,
    `grant connect on database ${postgresName(database)} to ${role}`,
    `grant usage on schema ${space} to ${role}`,
    ...grants,
    `alter role ${role} set default_transaction_read_only = on`,
  ]
}

/** The role of the session, and the database and schema that it reads. */
export interface SessionPlace {
  readonly user?: string | undefined
  readonly database?: string | undefined
  readonly schema?: string | undefined
}

/** Role, database and schema of the session, for the person who runs the process. */
export async function readPlace(run: QueryRunner, connector: string, dialect: string): Promise<SessionPlace> {
  const [row = {}] = await run(
    `${connector}.place`,
    dialect === 'trino'
      ? sql`select current_user as role_name, current_catalog as database_name, current_schema as schema_name`
      : dialect === 'postgres'
        ? sql`select current_user as role_name, current_database() as database_name, current_schema() as schema_name`
        : sql`select substring_index(current_user(), '@', 1) as role_name, database() as database_name, 'public' as schema_name`,
  )
  const named = (column: string) => textCell(row, column) ?? undefined
  return { user: named('role_name'), database: named('database_name'), schema: named('schema_name') }
}

/**
 * The remedy for missing rights to these tables: the command that prints the grants, or on Trino the access control of the cluster. Without a
 * user the command contains a placeholder. The first connector needs no option.
 */
export function grantsRemedy({
  connector,
  dialect,
  tables,
  user = '<role>',
  database,
  schema = 'public',
}: SessionPlace & {
  readonly connector?: string
  readonly dialect: string
  readonly tables: readonly string[]
}): string {
  if (dialect === 'trino') return `the access control of Trino has to allow its user to select from ${tables.join(', ')}`
  const command = [
    'plumbline grants',
    ...(connector === undefined ? [] : [`--connector ${connector}`]),
    `--dialect ${dialect}`,
    `--user ${user}`,
    ...(database === undefined ? [] : [`--database ${database}`]),
    ...(schema === 'public' ? [] : [`--schema ${schema}`]),
    `--tables ${tables.join(',')}`,
  ]
  return `\`${command.join(' ')}\` prints the missing grants`
}

/** The tables of columns (`table.column`), each once. */
export function tablesOf(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => name.replace(/\..*/, '')))]
}

/** A sentence about columns that the role may not read, with the remedy (`grantsRemedy`). */
export function deniedText(names: string, remedy: string): string {
  return `The database role may not read ${names}; ${remedy}.`
}

/** A sentence about tables whose policies hide rows from the role. */
export function restrictedText(names: string): string {
  return `Row-level security hides rows of ${names} from the database role, so Plumbline answers nothing. Give the role BYPASSRLS, or drop the policies that apply to it.`
}
