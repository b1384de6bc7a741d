import type { ReplicaState, Row, Snapshot } from '../engine/ports.ts'

// A standby that has replayed all it received is not behind, however old the last transaction; unless it receives nothing any more.
const STATE = `
select pg_is_in_recovery() as is_replica,
  case
    when not pg_is_in_recovery() then null
    when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() and exists (select 1 from pg_stat_wal_receiver) then 0
    else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())
  end as lag_seconds,
  to_char(pg_last_xact_replay_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as replayed_at,
  current_setting('server_version') as version,
  current_schema() as schema`

// Column privileges count: whoever may update one column of a table writes to it.
const PRIVILEGES = `
with schema_table as (
  select relation.oid, relation.relname as table_name
  from pg_catalog.pg_class relation
  join pg_catalog.pg_namespace space on space.oid = relation.relnamespace
  where space.nspname = current_schema() and relation.relkind in ('r', 'p')
), held as (
  select 'INSERT' as privilege, table_name from schema_table where has_any_column_privilege(oid, 'INSERT')
  union all select 'UPDATE', table_name from schema_table where has_any_column_privilege(oid, 'UPDATE')
  union all select 'DELETE', table_name from schema_table where has_table_privilege(oid, 'DELETE')
  union all select 'TRUNCATE', table_name from schema_table where has_table_privilege(oid, 'TRUNCATE')
)
select privilege, count(*)::integer as table_count, min(table_name) as first_table from held group by privilege
union all
select 'CREATE', null, current_schema() from pg_catalog.pg_namespace
where nspname = current_schema() and has_schema_privilege(oid, 'CREATE')
union all
select 'superuser', null, null from pg_catalog.pg_roles where rolname = current_user and rolsuper
order by 1`

/** Role, lag, version and schema of a PostgreSQL server (embedded or not). */
export async function postgresState(snapshot: Snapshot): Promise<ReplicaState> {
  const [row] = await snapshot.query({ text: STATE, values: [], label: 'plumbline state' })
  const lag = row?.['lag_seconds'] ?? null
  const lagSeconds = lag === null ? null : Math.max(0, Math.floor(Number(lag)))
  return {
    role: row?.['is_replica'] === true ? 'replica' : 'primary',
    lag_seconds: lagSeconds,
    data_through: lagSeconds === null || lagSeconds === 0 ? null : textOf(row, 'replayed_at'),
    version: `PostgreSQL ${textOf(row, 'version')?.split(' ')[0] ?? ''}`.trim(),
    schema: textOf(row, 'schema'),
  }
}

/** What the connected role may write in the current schema, one phrase per privilege. */
export async function postgresWritePrivileges(snapshot: Snapshot): Promise<readonly string[]> {
  const rows = await snapshot.query({ text: PRIVILEGES, values: [], label: 'plumbline privileges' })
  return rows.map((row) => {
    const privilege = textOf(row, 'privilege') ?? ''
    const count = row['table_count']
    if (privilege === 'superuser') return 'superuser'
    if (privilege === 'CREATE') return `CREATE on schema ${textOf(row, 'first_table')}`
    return count === 1 ? `${privilege} on table ${textOf(row, 'first_table')}` : `${privilege} on ${count} tables`
  })
}

function textOf(row: Row | undefined, column: string): string | null {
  const cell = row?.[column] ?? null
  return cell === null ? null : String(cell)
}
