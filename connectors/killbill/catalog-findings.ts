import type { CheckFinding, Snapshot } from '../../src/connector-kit/connector.ts'
import { createQueryRunner, ident, type QueryRunner, sql } from '../../src/connector-kit/query-runner.ts'
import { text } from '../../src/connector-kit/reading.ts'
import { isTrue } from '../../src/core/boolean.ts'
import { ambiguousPlanNames, DEFAULT_DELIMITER } from './catalog/override.ts'
import type { KillbillSettings, Opened } from './session.ts'

/** What may make prices from the catalog wrong: prices that cannot be read, names with two readings, a catalog of another kind. */
export async function catalogFindings(settings: KillbillSettings, opened: Opened, snapshot: Snapshot): Promise<CheckFinding[]> {
  return [...unreadableFindings(opened), ...nameFindings(settings, opened), ...(await aviateFindings(settings, snapshot))]
}

function unreadableFindings({ catalogs }: Opened): CheckFinding[] {
  const versions = new Set(catalogs.flatMap((catalog) => catalog.versions))
  const prices = [...versions].flatMap(({ unreadable }) =>
    unreadable.map(
      ({ plan, phase, currency, text: written, reason }) => `${plan} ${phase} ${currency}: ${JSON.stringify(written)} ${reason}`,
    ),
  )
  if (prices.length === 0) return []
  const message = `prices that cannot be read, so their phases are unpriced: ${[...new Set(prices)].join('; ')}`
  return [{ name: 'catalog_prices', level: 'warning', message }]
}

function nameFindings({ override_delimiter }: KillbillSettings, { catalogs }: Opened): CheckFinding[] {
  const names = [...new Set(catalogs.flatMap(({ versions }) => ambiguousPlanNames(versions)))].sort()
  if (names.length === 0) return []
  const delimiter = override_delimiter ?? catalogs[0]?.delimiter ?? DEFAULT_DELIMITER
  const reading = delimiter === ':' ? 'plans of their own' : 'price overrides of the plans before the last hyphen'
  const chosen =
    override_delimiter === undefined
      ? `the rows show "${delimiter}", or nothing else; set connector.override_delimiter to what the server has`
      : 'as connector.override_delimiter says'
  return [
    {
      name: 'plan_names',
      level: override_delimiter === undefined ? 'warning' : 'ok',
      message: `read as ${reading} (${chosen}): ${names.join(', ')}`,
    },
  ]
}

/** Aviate, a plugin, has a catalog of its own that outranks the XML. Its tables are not read: only whether there are rows. */
async function aviateFindings({ catalog }: KillbillSettings, snapshot: Snapshot): Promise<CheckFinding[]> {
  const run = createQueryRunner(snapshot)
  const used: string[] = []
  for (const { table, isReadable } of await aviateTables(run, snapshot.dialect.name))
    if (!isReadable || (await holdsRows(run, table))) used.push(table)
  if (used.length === 0) return []
  const found = `the plugin Aviate has a catalog of its own (${used.join(', ')})`
  if (catalog.length > 0) return [{ name: 'aviate', level: 'ok', message: `${found}; prices come from connector.catalog` }]
  const message = `${found}, which outranks the one in tenant_kvs: prices may be wrong. Set connector.catalog to the XML that the server's REST interface exports`
  return [{ name: 'aviate', level: 'warning', message }]
}

async function aviateTables(
  run: QueryRunner,
  dialect: string,
): Promise<readonly { readonly table: string; readonly isReadable: boolean }[]> {
  const rows = await run(
    'killbill.aviate.tables',
    dialect === 'postgres'
      ? sql`select relation.relname as table_name, has_table_privilege(relation.oid, 'select') as readable
          from pg_catalog.pg_class as relation
          where relation.relnamespace = (select namespace.oid from pg_catalog.pg_namespace as namespace where namespace.nspname = current_schema())
            and relation.relkind in ('r', 'p') and relation.relname like 'aviate!_catalog!_%' escape '!' order by relation.relname`
      : sql`select table_name as table_name, 1 as readable from information_schema.tables
          where table_schema = database() and lower(table_name) like 'aviate!_catalog!_%' escape '!' order by table_name`,
  )
  // A table that may not be read may hold rows, and so may one of an odd name, which is never put into a statement.
  return rows.map((row) => {
    const table = text(row['table_name'])
    return { table, isReadable: isTrue(row['readable']) && /^[A-Za-z0-9_]+$/.test(table) }
  })
}

async function holdsRows(run: QueryRunner, table: string): Promise<boolean> {
  const rows = await run('killbill.aviate.rows', sql`select 1 as found from ${ident(table)} as t limit 1`)
  return rows.length > 0
}
