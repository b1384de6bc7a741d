import { deniedText, grantsRemedy, readPlace, restrictedText, tablesOf } from '../../src/connector-kit/grants.ts'
import { type QueryRunner, sql } from '../../src/connector-kit/query-runner.ts'
import { readSight } from '../../src/connector-kit/rights.ts'
import { AppError } from '../../src/core/errors.ts'
import { TABLES } from './tables.ts'

/** The word of the connector in messages and labels. */
const CONNECTOR = 'lago'
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
  const { columns, denied, restricted } = await readSight(run, { connector: CONNECTOR, dialect, tables: Object.keys(TABLES) })
  if (columns.size === 0 && denied.size === 0)
    throw unsupported(
      'There is no Lago in this database: does the address name the right database, and `schema` the right one of its schemas? May the role use that schema?',
      { missing: ['tables'] },
    )
  const unread = Object.entries(TABLES).flatMap(([table, names]) =>
    names.filter((name) => columns.get(table)?.has(name) !== true).map((name) => `${table}.${name}`),
  )
  const gaps = {
    absent: unread.filter((name) => !denied.has(name)),
    denied: unread.filter((name) => denied.has(name)),
    restricted,
  }
  if (unread.length + restricted.length > 0) throw await refusal(run, gaps)
}

/** The unreadable parts, by their reason. */
interface Gaps {
  readonly absent: readonly string[]
  readonly denied: readonly string[]
  readonly restricted: readonly string[]
}

async function refusal(run: QueryRunner, { absent, denied, restricted }: Gaps): Promise<AppError> {
  const grants = { connector: CONNECTOR, dialect: 'postgres', tables: tablesOf(denied) }
  const described = (remedy: string) =>
    [
      ...(absent.length === 0
        ? []
        : [
            `The database lacks columns of Lago that the connector reads (as of version 1.51): ${named(absent)}. Older versions are not supported.`,
          ]),
      ...(denied.length === 0 ? [] : [deniedText(named(denied), remedy)]),
      ...(restricted.length === 0 ? [] : [restrictedText(named(restricted))]),
    ].join(' ')
  const general = described(grantsRemedy(grants))
  const place = denied.length === 0 ? {} : await readPlace(run, CONNECTOR, 'postgres')
  const context = { missing: [...absent, ...denied], row_security: restricted }
  return unsupported(general, context, described(grantsRemedy({ ...grants, ...place })))
}

function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function unsupported(message: string, context: Readonly<Record<string, unknown>>, operatorDetail = message): AppError {
  return new AppError('unsupported_by_connector', message, { context: { connector: CONNECTOR, ...context }, operatorDetail })
}
