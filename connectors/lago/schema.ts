import { unfitTypes } from '../../src/connector-kit/column-casts.ts'
import { unfitColumns } from '../../src/connector-kit/column-types.ts'
import { deniedText, grantsRemedy, readPlace, restrictedText, tablesOf } from '../../src/connector-kit/grants.ts'
import { unreadable, unseenIn } from '../../src/connector-kit/optional-columns.ts'
import { type QueryRunner, sql, textList } from '../../src/connector-kit/query-runner.ts'
import { readSight, type Sight } from '../../src/connector-kit/rights.ts'
import { AppError } from '../../src/core/errors.ts'
import { kindOfColumn } from './column-kinds.ts'
import { GRANTED_CREDITS, merged, NOTE_ITEMS, OF_LEDGER, READ, TABLES } from './tables.ts'

/** The word of the connector in messages and labels. */
const CONNECTOR = 'lago'
/** Most names in one message. */
const MOST_NAMED = 10

/** True if the database has the tables by which Lago differs from other engines, whether or not the role may read them. */
export async function hasLago(run: QueryRunner, dialect: string): Promise<boolean> {
  if (dialect !== 'postgres' && dialect !== 'trino') return false
  const names = textList(['organizations', 'billing_entities', 'fixed_charges', 'invoice_subscriptions'])
  const rows = await run(
    'lago.recognized',
    dialect === 'trino'
      ? sql`select tables.table_name from information_schema.tables as tables
      where tables.table_schema = current_schema and tables.table_name in (${names})`
      : sql`select relation.relname as table_name from pg_catalog.pg_class as relation
      where relation.relnamespace = (select namespace.oid from pg_catalog.pg_namespace as namespace where namespace.nspname = current_schema())
        and relation.relname in (${names})`,
  )
  return rows.length === 4
}

/** Parts of the engine's schema that not every role or version has. */
export interface LagoSchema {
  /** Why the ledger is not known, in sentences. Undefined: it is. */
  readonly ledger_unknown: string | undefined
  /** True if credit notes have items. */
  readonly has_note_items: boolean
  /** True if invoices say how many of the wallet credits that they used were given for nothing. */
  readonly has_granted_credits: boolean
}

/**
 * Checks that the role can read all tables and columns that the connector needs, and all of their rows. AppError `unsupported_by_connector` names
 * everything that is missing, with the command that prints the grants. Columns that only the ledger reads may be missing.
 */
export async function checkSchema(run: QueryRunner, dialect: string): Promise<LagoSchema> {
  if (dialect !== 'postgres' && dialect !== 'trino')
    throw unsupported('Lago runs on PostgreSQL, and this is another database.', {})
  const sight = await readSight(run, {
    connector: CONNECTOR,
    dialect,
    tables: Object.keys(READ),
  })
  const { columns, types, denied, restricted } = sight
  if (columns.size === 0 && denied.size === 0)
    throw unsupported(
      'There is no Lago in this database: does the address name the right database, and `schema` the right one of its schemas? May the role use that schema?',
      { missing: ['tables'] },
    )
  const wrong = unfitColumns(types, kindOfColumn)
  if (wrong.length > 0) throw unfitTypes({ connector: CONNECTOR, name: 'Lago', kindOf: kindOfColumn }, wrong, types)
  const unread = Object.entries(TABLES).flatMap(([table, names]) =>
    names.filter((name) => columns.get(table)?.has(name) !== true).map((name) => `${table}.${name}`),
  )
  const gaps = {
    absent: unread.filter((name) => !denied.has(name)),
    denied: unread.filter((name) => denied.has(name)),
    restricted,
  }
  if (unread.length + restricted.length > 0) throw await refusal(run, dialect, gaps)
  return ledgerSchema(sight, dialect)
}

const NOT_ON_TRINO = 'On Trino, the ledger of Lago is not known: Trino takes minutes to plan a statement of it.'

/** A part that exists must be readable. */
function ledgerSchema(sight: Sight, dialect: string): LagoSchema {
  if (dialect === 'trino') return { ledger_unknown: NOT_ON_TRINO, has_note_items: false, has_granted_credits: false }
  const has = (columns: Readonly<Record<string, readonly string[]>>) => unseenIn(sight.columns, columns).length === 0
  const hidden = [NOTE_ITEMS, GRANTED_CREDITS].filter((columns) =>
    unseenIn(sight.columns, columns).some((name) => sight.denied.has(name)),
  )
  const cause = unreadable(sight, dialect, merged([OF_LEDGER, ...hidden]))
  return {
    ledger_unknown: cause === undefined ? undefined : `${cause} The ledger is therefore not known.`,
    has_note_items: has(NOTE_ITEMS),
    has_granted_credits: has(GRANTED_CREDITS),
  }
}

/** The unreadable parts, by their reason. */
interface Gaps {
  readonly absent: readonly string[]
  readonly denied: readonly string[]
  readonly restricted: readonly string[]
}

async function refusal(run: QueryRunner, dialect: string, { absent, denied, restricted }: Gaps): Promise<AppError> {
  const grants = { connector: CONNECTOR, dialect, tables: tablesOf(denied) }
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
  const place = denied.length === 0 ? {} : await readPlace(run, CONNECTOR, dialect)
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
