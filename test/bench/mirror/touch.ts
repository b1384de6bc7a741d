import type { BenchDatabase } from '../bench-database.ts'

const BY = 'bench'
const LOGS = {
  bundle: { log: 'bundle_history', table: 'bundles', own: { external_key: "'touched'" } },
  invoice: { log: 'invoice_history', table: 'invoices', own: {} },
} as const

/**
 * Writes a row into a change log about each of that many accounts, as the billing engine does with a change. The data stay the same.
 * `invoice` is the log of a table that says what is paid, `bundle` is not. The accounts are the first ones after `skip` others.
 */
export async function touch(
  database: BenchDatabase,
  accounts: number,
  kind: keyof typeof LOGS = 'bundle',
  skip = 0,
): Promise<void> {
  const { log, table, own } = LOGS[kind]
  const columns = await columnsOf(database, log)
  const known = await columnsOf(database, table)
  const written: Readonly<Record<string, string>> = {
    record_id: `(select coalesce(max(record_id), 0) from ${log}) + row_number() over (order by origin.record_id)`,
    target_record_id: 'origin.record_id',
    change_type: "'UPDATE'",
    created_by: `'${BY}'`,
    ...own,
  }
  const values = columns.map((name) => written[name] ?? (known.includes(name) ? `origin.${name}` : 'null'))
  await database.adminQuery(`insert into ${log} (${columns.join(', ')}) select ${values.join(', ')} from ${table} as origin
    where origin.record_id in (select min(record_id) from ${table} group by account_record_id) order by origin.record_id limit ${accounts} offset ${skip}`)
}

/** Removes what `touch` has written. */
export async function forgetTouches(database: BenchDatabase): Promise<void> {
  for (const { log } of Object.values(LOGS)) await database.adminQuery(`delete from ${log} where created_by = '${BY}'`)
}

async function columnsOf(database: BenchDatabase, table: string): Promise<readonly string[]> {
  const rows = await database.adminQuery(
    `select column_name as name from information_schema.columns where table_name = '${table}' and table_schema in ('public', '${database.name}')`,
  )
  return rows.map((row) => String(row['name']))
}
