import type { ConnectorSession, DatabaseConnector, Snapshot } from '../../src/connector-kit/connector.ts'
import type { MirrorSource } from '../../src/connector-kit/mirror-source.ts'
import { createQueryRunner, ident, join, sql, text, value } from '../../src/connector-kit/query-runner.ts'
import { stampedLook } from '../../src/connector-kit/stamped-look.ts'
import { rawTables } from './raw-tables.ts'
import { TABLES } from './tables.ts'

/** Tables whose rows have an instant of their last save. */
const SAVED = Object.entries(TABLES).flatMap(([table, columns]) => (columns.includes('updated_at') ? [table] : []))

/** Characters of a day at the beginning of an instant. */
const DAY_LENGTH = 10

/**
 * The mirror, filled again after each change: the engine has no log of all changes. The stamp has the number of rows of each table and the sum of the
 * instants at which they were last saved. Bulk statements may save rows without an instant, so the mirror is filled again each day.
 */
export function lagoMirror(open: DatabaseConnector['open']): MirrorSource {
  return {
    keyType: 'text',
    tables: rawTables,
    look: stampedLook({ open, stamp: stampOf }),
  }
}

async function stampOf(snapshot: Snapshot, { params }: ConnectorSession): Promise<string> {
  const sums = SAVED.map(
    (table) =>
      sql`select ${value(table, 'text')} as table_name, count(*) as entries,
        coalesce(sum(cast(extract(epoch from saved.updated_at) * 1000000 as bigint)), 0) as total from ${ident(table)} as saved`,
  )
  const versions = sql`select 'versions' as table_name, count(*) as entries, coalesce(sum(version.id), 0) as total from versions as version`
  const rows = await createQueryRunner(snapshot)('lago.stamp', join([...sums, versions], sql` union all `))
  const parts = rows.map((row) => [row['table_name'], row['entries'], row['total']].map((cell) => text(String(cell))).join(' '))
  return [String(params['now']).slice(0, DAY_LENGTH), ...parts.sort()].join(', ')
}
