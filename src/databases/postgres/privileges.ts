import type { Row } from '../../ports/rows.ts'
import type { Snapshot } from '../../ports/snapshot.ts'

// Privileges on columns count too: a role that may update one column of a table may write to the table.
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
union all
-- Managed servers give customers no superuser, but these roles can grant themselves missing privileges.
select 'administrator', null, rolname from pg_catalog.pg_roles
where rolname in ('rds_superuser', 'cloudsqlsuperuser', 'azure_pg_admin', 'alloydbsuperuser') and pg_has_role(oid, 'member') and not (
  select own.rolsuper from pg_catalog.pg_roles own where own.rolname = current_user
)
order by 1`

/** The write privileges of the connected role in the current schema, one phrase per privilege. */
export async function postgresWritePrivileges(snapshot: Snapshot): Promise<readonly string[]> {
  const rows = await snapshot.query({ text: PRIVILEGES, values: [], label: 'plumbline privileges' })
  return rows.map((row) => {
    const privilege = textOf(row, 'privilege') ?? ''
    const count = row['table_count']
    if (privilege === 'superuser') return 'superuser'
    if (privilege === 'administrator') return `member of ${textOf(row, 'first_table')}`
    if (privilege === 'CREATE') return `CREATE on schema ${textOf(row, 'first_table')}`
    return count === 1 ? `${privilege} on table ${textOf(row, 'first_table')}` : `${privilege} on ${count} tables`
  })
}

function textOf(row: Row | undefined, column: string): string | null {
  const cell = row?.[column] ?? null
  return cell === null ? null : String(cell)
}
