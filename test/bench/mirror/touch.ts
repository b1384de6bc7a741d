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

const LINKS = 'invoice_parent_children'

/**
 * Lets another account pay an invoice of each of that many accounts, so that the two are linked. The accounts are those of `touch` that come
 * `apart` from each other.
 */
export async function linkAccounts(database: BenchDatabase, accounts: number, apart: number): Promise<void> {
  const placed = `(select account_record_id, row_number() over (order by min(record_id)) - 1 as place from bundles group by account_record_id)`
  const first = `(select account_record_id, min(record_id) as invoice from invoices group by account_record_id)`
  const invoiceOf = (name: string, at: string) => `join ${placed} as ${name}_place on ${at}
    join ${first} as ${name}_first on ${name}_first.account_record_id = ${name}_place.account_record_id
    join invoices as ${name} on ${name}.record_id = ${name}_first.invoice`
  const numbers = Array.from({ length: accounts }, (_, index) => `select ${index} as number`).join(' union all ')
  await database.adminQuery(`insert into ${LINKS} (record_id, id, parent_invoice_id, child_invoice_id, child_account_id, created_by, created_date, account_record_id, tenant_record_id)
    select 1000000 + one.number, concat('${BY} ', one.number), payer.id, child.id, child.account_id, '${BY}', child.created_date, payer.account_record_id, child.tenant_record_id
    from (${numbers}) as one
    ${invoiceOf('child', `child_place.place = one.number * ${apart}`)}
    ${invoiceOf('payer', `payer_place.place = one.number * ${apart} + 1`)}`)
}

/** Removes what `touch` and `linkAccounts` have written. */
export async function forgetTouches(database: BenchDatabase): Promise<void> {
  for (const log of [...Object.values(LOGS).map((each) => each.log), LINKS])
    await database.adminQuery(`delete from ${log} where created_by = '${BY}'`)
}

async function columnsOf(database: BenchDatabase, table: string): Promise<readonly string[]> {
  const rows = await database.adminQuery(
    `select column_name as name from information_schema.columns where table_name = '${table}' and table_schema in ('public', '${database.name}')`,
  )
  return rows.map((row) => String(row['name']))
}
