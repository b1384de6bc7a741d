import type { HistoryReport, SnapshotSource } from '../../src/connector-kit/connector.ts'
import {
  createQueryRunner,
  type Fragment,
  ident,
  join,
  parseInteger,
  type QueryRunner,
  sql,
  text,
  value,
} from '../../src/connector-kit/query-runner.ts'
import type { Sight } from '../../src/connector-kit/rights.ts'
import { AppError } from '../../src/core/errors.ts'
import { readRights } from './schema.ts'

/** A table, its history, and the columns that both have and that figures depend on (KB 1.5). */
interface Logged {
  readonly table: string
  readonly history: string
  readonly columns: readonly string[]
}

const LOGGED: readonly Logged[] = [
  { table: 'accounts', history: 'account_history', columns: ['currency', 'country', 'time_zone'] },
  { table: 'bundles', history: 'bundle_history', columns: ['external_key'] },
  { table: 'subscriptions', history: 'subscription_history', columns: ['category', 'start_date'] },
  {
    table: 'subscription_events',
    history: 'subscription_event_history',
    columns: ['event_type', 'user_type', 'effective_date', 'plan_name', 'phase_name', 'price_list_name', 'is_active'],
  },
  {
    table: 'blocking_states',
    history: 'blocking_state_history',
    columns: ['type', 'state', 'service', 'block_billing', 'effective_date', 'is_active'],
  },
  { table: 'tags', history: 'tag_history', columns: ['object_id', 'tag_definition_id', 'is_active'] },
  { table: 'custom_fields', history: 'custom_field_history', columns: ['object_id', 'field_name', 'field_value', 'is_active'] },
  { table: 'invoices', history: 'invoice_history', columns: ['currency', 'status', 'migrated'] },
]

const TABLES = LOGGED.flatMap(({ table, history }) => [table, history])

/**
 * Compares each row with the newest row of its history. The engine writes both in one transaction, so a difference means that somebody has
 * changed a table by hand, or that a copy is incomplete. Columns that the role may not read are left out.
 */
export async function compareHistory(source: SnapshotSource, tenants: readonly number[]): Promise<HistoryReport> {
  const sight = await source.withSnapshot((snapshot) => readRights(snapshot, TABLES))
  const reports: HistoryReport[] = []
  for (const logged of LOGGED) reports.push(await compareTable(source, logged, sight, tenants))
  const remarks = reports.flatMap(({ remark }) => (remark === undefined ? [] : [remark]))
  return {
    count: reports.reduce((sum, { count }) => sum + count, 0),
    faults: reports.flatMap(({ faults }) => faults),
    ...(remarks.length === 0 ? {} : { remark: `not compared: ${remarks.join(', ')}` }),
  }
}

async function compareTable(
  source: SnapshotSource,
  logged: Logged,
  { columns: known }: Sight,
  tenants: readonly number[],
): Promise<HistoryReport> {
  const { table, history } = logged
  const isKnown = (name: string, column: string) => known.get(name)?.has(column) === true
  const columns = logged.columns.filter((column) => isKnown(table, column) && isKnown(history, column))
  const keys = ['record_id', 'tenant_record_id'].every((column) => isKnown(table, column) && isKnown(history, column))
  if (columns.length === 0 || !keys || !isKnown(table, 'id') || !isKnown(history, 'target_record_id'))
    return { count: 0, faults: [], remark: `${table}, which the role may not read` }
  try {
    // Each table has its own snapshot, so that a slow comparison ends only itself.
    return await source.withSnapshot((snapshot) =>
      readDifferences(createQueryRunner(snapshot), { ...logged, columns }, value(tenants, 'integers')),
    )
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'query_timeout') throw error
    return { count: 0, faults: [], remark: `${table}, which took too long` }
  }
}

/** The columns that differ, by row. Null and a value differ; two nulls do not. */
async function readDifferences(run: QueryRunner, { table, history, columns }: Logged, tenants: Fragment): Promise<HistoryReport> {
  const newest = sql`from ${ident(table)} as entry
    join (select target_record_id, max(record_id) as record_id from ${ident(history)}
      where tenant_record_id in (${tenants}) group by target_record_id) as newest on newest.target_record_id = entry.record_id
    join ${ident(history)} as past on past.record_id = newest.record_id
    where entry.tenant_record_id in (${tenants})`
  const differs = (column: string) => {
    const [now, then] = [sql`entry.${ident(column)}`, sql`past.${ident(column)}`]
    return sql`(${now} <> ${then} or (${now} is null and ${then} is not null) or (${now} is not null and ${then} is null))`
  }
  const marks = columns.map((column) => sql`case when ${differs(column)} then 1 else 0 end as ${ident(`differs_${column}`)}`)
  const [counted] = await run(`killbill.history.${table}.rows`, sql`select count(*) as compared ${newest}`)
  const rows = await run(
    `killbill.history.${table}`,
    sql`select entry.id, ${join(marks, sql`, `)} ${newest} and (${join(columns.map(differs), sql` or `)})
      order by entry.record_id limit 100`,
  )
  return {
    count: parseInteger(counted?.['compared'] ?? 0),
    faults: rows.map((row) => {
      const changed = columns.filter((column) => parseInteger(row[`differs_${column}`] ?? 0) === 1)
      const id = text(row['id'])
      return { id, message: `${table} ${id}: ${changed.join(', ')} differs from the newest row of ${history}` }
    }),
  }
}
