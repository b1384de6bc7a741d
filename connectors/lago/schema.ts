import { isTrue } from '../../src/connector-kit/index.ts'
import { type QueryRunner, sql, text, textList } from '../../src/connector-kit/query-runner.ts'
import { AppError } from '../../src/core/errors.ts'
import { TABLES } from './tables.ts'

/** Most names in one message. */
const MOST_NAMED = 10

/** True if the database has the tables by which Lago differs from other engines, whether or not the role may read them. */
export async function hasLago(run: QueryRunner, dialect: string): Promise<boolean> {
  if (dialect !== 'postgres') return false
  const rows = await run(
    'lago.recognized',
    sql`select relation.relname as table_name from pg_catalog.pg_class as relation
      where relation.relnamespace = (select namespace.oid from pg_catalog.pg_namespace as namespace where namespace.nspname = current_schema())
        and relation.relname in ('organizations', 'billing_entities', 'fixed_charges', 'invoice_subscriptions')`,
  )
  return rows.length === 4
}

/**
 * Checks that the role can read all tables and columns that the connector needs, and all of their rows. AppError `unsupported_by_connector` names
 * everything that is missing, with the command that prints the grants.
 */
export async function checkSchema(run: QueryRunner, dialect: string): Promise<void> {
  if (dialect !== 'postgres') throw unsupported('Lago runs on PostgreSQL, and this is another database.', {})
  const rows = await run(
    'lago.columns',
    sql`select relation.relname as table_name, attribute.attname as column_name,
        has_column_privilege(relation.oid, attribute.attnum, 'select') as may_read, row_security_active(relation.oid) as is_restricted
      from pg_catalog.pg_class as relation join pg_catalog.pg_attribute as attribute on attribute.attrelid = relation.oid
      where relation.relnamespace = (select namespace.oid from pg_catalog.pg_namespace as namespace where namespace.nspname = current_schema())
        and relation.relname in (${textList(Object.keys(TABLES))}) and relation.relkind in ('r', 'p', 'v', 'm', 'f')
        and attribute.attnum > 0 and not attribute.attisdropped`,
  )
  if (rows.length === 0)
    throw unsupported(
      'There is no Lago in this database: does the address name the right database, and `schema` the right one of its schemas? May the role use that schema?',
      { missing: ['tables'] },
    )
  const readable = new Map(rows.map((row) => [`${text(row['table_name'])}.${text(row['column_name'])}`, isTrue(row['may_read'])]))
  const wanted = Object.entries(TABLES).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`))
  const absent = wanted.filter((name) => !readable.has(name))
  const denied = wanted.filter((name) => readable.get(name) === false)
  const restricted = [...new Set(rows.filter((row) => isTrue(row['is_restricted'])).map((row) => text(row['table_name'])))]
  const tables = [...new Set(denied.map((name) => name.replace(/\..*/, '')))]
  const problems = [
    ...(absent.length === 0
      ? []
      : [
          `The database lacks columns of Lago that the connector reads (as of version 1.51): ${named(absent)}. Older versions are not supported.`,
        ]),
    ...(denied.length === 0
      ? []
      : [
          `The database role may not read ${named(denied)}; \`plumbline grants --connector lago --dialect postgres --user <role> --tables ${tables.join(',')}\` prints the missing grants.`,
        ]),
    ...(restricted.length === 0
      ? []
      : [
          `Row-level security hides rows of ${named(restricted)} from the database role, so Plumbline answers nothing. Give the role BYPASSRLS, or drop the policies that apply to it.`,
        ]),
  ]
  if (problems.length > 0) throw unsupported(problems.join(' '), { missing: [...absent, ...denied], row_security: restricted })
}

function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function unsupported(message: string, context: Readonly<Record<string, unknown>>): AppError {
  return new AppError('unsupported_by_connector', message, { context: { connector: 'lago', ...context } })
}
