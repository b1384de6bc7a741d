import { isTrue } from '../../../src/connector-kit/index.ts'
import { ident, join, type QueryRunner, sql, text, value } from '../../../src/connector-kit/query-runner.ts'
import type { Sight } from '../../../src/connector-kit/rights.ts'

/** Prefix of the tables in which the plugin Aviate stores a separate catalog (KB 3.5). Only the names are known. */
export const AVIATE_TABLES = 'aviate_catalog_'

/**
 * The tables of Aviate's catalog that hold rows, or may hold rows because the role may not read them. Runs no statement if there is no such
 * table.
 */
export async function usedAviateTables(run: QueryRunner, { alike }: Pick<Sight, 'alike'>): Promise<readonly string[]> {
  if (alike.length === 0) return []
  // A name of another shape is never put into a statement.
  const readable = alike
    .filter(({ table, is_readable }) => is_readable && /^[A-Za-z0-9_]+$/.test(table))
    .map(({ table }) => table)
  const unknown = alike.map(({ table }) => table).filter((table) => !readable.includes(table))
  if (readable.length === 0) return unknown
  const rows = await run(
    'killbill.aviate.rows',
    join(
      readable.map(
        (table) => sql`select ${value(table, 'text')} as table_name, exists (select 1 from ${ident(table)} as t) as has_rows`,
      ),
      sql` union all `,
    ),
  )
  return [...unknown, ...rows.filter((row) => isTrue(row['has_rows'])).map((row) => text(row['table_name']))].sort()
}

/** The reason why prices may be wrong, as a sentence. Undefined if prices come from elsewhere, or Aviate has no catalog. */
export function aviateText(used: readonly string[], catalog: readonly string[]): string | undefined {
  if (used.length === 0 || catalog.length > 0) return undefined
  return `The plugin Aviate has a catalog of its own (${used.join(', ')}), which outranks the one in tenant_kvs: prices may be wrong. Set connector.catalog to the XML that the server's REST interface exports.`
}
