import { deniedText, grantsRemedy, readPlace, restrictedText, tablesOf } from '../../src/connector-kit/grants.ts'
import { type QueryRunner, sql, text, value } from '../../src/connector-kit/query-runner.ts'
import { readSight, type Sight } from '../../src/connector-kit/rights.ts'
import { AppError } from '../../src/core/errors.ts'
import { type Family, RETURNS } from './documents.ts'
import { type RefundSight, sightOfRefunds } from './refund-sight.ts'
import { SCHEMA, SYNC_RUNS, TABLES } from './tables.ts'

/** The word of the connector in messages and labels. */
const CONNECTOR = 'stripe'
/** Most names in one message. */
const MOST_NAMED = 10
/** The oldest server whose JSON functions and generated columns suffice. */
const OLDEST = 12

/** Copies of Stripe that are recognized and not read, by a table and a column of theirs. */
const OTHERS: readonly (readonly [table: string, column: string, name: string])[] = [
  ['subscription', '_raw_data', 'the development branch of the sync engine, with singular names of tables'],
  ['djstripe_subscription', 'stripe_data', 'dj-stripe'],
  ['subscription_history', '_fivetran_synced', 'the Stripe connector of Fivetran'],
  ['subscriptions', '_airbyte_raw_id', 'the Stripe connector of Airbyte'],
  ['subscription_item_change_events', 'id', 'Stripe Sigma or Stripe Data Pipeline'],
  [
    'subscriptions',
    'stripe_id',
    'a billing library of an application, such as Laravel Cashier, which keeps no invoices and no history',
  ],
]

/** The schema that holds a mirror which the connector reads: `stripe`, else the current one, else any. Undefined if there is none. */
export async function findMirror(run: QueryRunner, dialect: string): Promise<string | undefined> {
  if (dialect !== 'postgres') return undefined
  const rows = await run(
    'stripe.recognized',
    sql`select namespace.nspname as place, case when namespace.nspname = ${value(SCHEMA, 'text')} then 0 when namespace.nspname = current_schema() then 1 else 2 end as rank
      from pg_catalog.pg_class as relation
      join pg_catalog.pg_namespace as namespace on namespace.oid = relation.relnamespace
      join pg_catalog.pg_attribute as attribute on attribute.attrelid = relation.oid and not attribute.attisdropped
      where relation.relname = 'subscriptions' and relation.relkind in ('r', 'p')
      group by namespace.nspname
      having count(*) filter (where attribute.attname in ('_raw_data', '_account_id')) = 2
        or (count(*) filter (where attribute.attname in ('items', 'last_synced_at')) = 2
          and count(*) filter (where attribute.attname = '_raw_data') = 0)
      order by rank, place limit 1`,
  )
  return rows[0] === undefined ? undefined : text(rows[0]['place'])
}

/** A mirror that may be read: its family, the tables about money that went back, and whether the runs of its engine may be read too. */
export interface Mirror extends RefundSight {
  readonly family: Family
  readonly hasRuns: boolean
}

/**
 * Finds the family of the mirror, and checks that the role can read all tables and columns that the connector needs, and all of their rows. AppError
 * `unsupported_by_connector` names everything that is missing, or the other copy of Stripe that this is.
 */
export async function checkSchema(run: QueryRunner, dialect: string): Promise<Mirror> {
  if (dialect !== 'postgres') throw unsupported('A mirror of Stripe is on PostgreSQL, and this is another database.', {})
  const own = [...Object.keys(TABLES.documents), ...Object.keys(SYNC_RUNS), ...RETURNS]
  const names = [...new Set([...own, ...OTHERS.map(([table]) => table)])]
  const sight = await readSight(run, { connector: CONNECTOR, dialect, tables: names })
  const has = (table: string, column: string) =>
    sight.columns.get(table)?.has(column) === true || sight.denied.has(`${table}.${column}`)
  const isDocuments = has('subscriptions', '_raw_data') && has('subscriptions', '_account_id')
  const isColumns = !isDocuments && has('subscriptions', 'items') && has('subscriptions', 'last_synced_at')
  const other = OTHERS.find(([table, column]) => has(table, column))
  if (!isDocuments && !isColumns) throw otherMirror(other?.[2])
  const family: Family = isDocuments ? 'documents' : 'columns'
  await checkColumns(run, sight, family)
  await checkVersion(run)
  const hasRuns =
    family === 'documents' &&
    Object.entries(SYNC_RUNS).every(([table, columns]) =>
      columns.every((column) => sight.columns.get(table)?.has(column) === true),
    )
  return { family, hasRuns, ...sightOfRefunds(sight, family) }
}

function otherMirror(name: string | undefined): AppError {
  if (name !== undefined)
    return unsupported(
      `This is a copy of Stripe that the connector does not read: ${name}. It reads mirrors of Stripe's sync engine.`,
      {
        found: name,
      },
    )
  return unsupported(
    'There is no mirror of Stripe in this schema: does the address name the right database, and `database.schema` the right one of its schemas (default `stripe`)? May the role use that schema?',
    { missing: ['tables'] },
  )
}

async function checkColumns(run: QueryRunner, sight: Sight, family: Family): Promise<void> {
  const { columns, denied } = sight
  const restricted = sight.restricted.filter((table) => table in TABLES[family])
  const unread = Object.entries(TABLES[family]).flatMap(([table, names]) =>
    names.filter((name) => columns.get(table)?.has(name) !== true).map((name) => `${table}.${name}`),
  )
  if (unread.length + restricted.length === 0) return
  throw await refusal(run, {
    absent: unread.filter((name) => !denied.has(name)),
    denied: unread.filter((name) => denied.has(name)),
    restricted,
  })
}

async function checkVersion(run: QueryRunner): Promise<void> {
  const [row] = await run('stripe.version', sql`select current_setting('server_version_num') as number`)
  if (Math.floor(Number(text(row?.['number'] ?? '0')) / 10_000) >= OLDEST) return
  throw unsupported(`A mirror of Stripe needs PostgreSQL ${OLDEST} or later.`, {})
}

/** The unreadable parts, by their reason. */
interface Gaps {
  readonly absent: readonly string[]
  readonly denied: readonly string[]
  readonly restricted: readonly string[]
}

async function refusal(run: QueryRunner, { absent, denied, restricted }: Gaps): Promise<AppError> {
  const grants = { connector: CONNECTOR, dialect: 'postgres', tables: tablesOf(denied), schema: SCHEMA }
  const described = (remedy: string) =>
    [
      ...(absent.length === 0 ? [] : [`The mirror lacks columns that the connector reads: ${named(absent)}.`]),
      ...(denied.length === 0 ? [] : [deniedText(named(denied), remedy)]),
      ...(restricted.length === 0 ? [] : [restrictedText(named(restricted))]),
    ].join(' ')
  const place = denied.length === 0 ? {} : await readPlace(run, CONNECTOR, 'postgres')
  const context = { missing: [...absent, ...denied], row_security: restricted }
  return unsupported(described(grantsRemedy(grants)), context, described(grantsRemedy({ ...grants, ...place })))
}

function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function unsupported(message: string, context: Readonly<Record<string, unknown>>, operatorDetail = message): AppError {
  return new AppError('unsupported_by_connector', message, { context: { connector: CONNECTOR, ...context }, operatorDetail })
}
