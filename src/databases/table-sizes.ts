import type { Statement } from '../compiler/statement.ts'
import type { TableSizes } from '../ports/executor.ts'
import type { Row } from '../ports/rows.ts'
import type { Snapshot } from '../ports/snapshot.ts'

/** Sizes by the statistics of a PostgreSQL server, in the schema that the session reads. Tables without statistics count as empty. */
export async function postgresTableSizes(snapshot: Snapshot, tables: readonly string[]): Promise<TableSizes> {
  const names = tables.map((_, index) => `$${index + 1}`).join(', ')
  const [row] = await snapshot.query(
    statement(
      `select coalesce(sum(greatest(relation.reltuples, 0)), 0)::bigint as row_count,
  coalesce(sum(relation.relpages::bigint), 0)::bigint * current_setting('block_size')::bigint as bytes
from pg_catalog.pg_class as relation
join pg_catalog.pg_namespace as place on place.oid = relation.relnamespace
where place.nspname = current_schema() and relation.relname in (${names})`,
      tables,
    ),
  )
  // Its shared buffers are a small part of the memory that holds tables, and it does not see the rest.
  return { ...sizesOf(row), memory_bytes: null }
}

/** Sizes by the statistics of a MySQL or MariaDB server, in the database that the session reads. */
export async function mysqlTableSizes(snapshot: Snapshot, tables: readonly string[]): Promise<TableSizes> {
  const [row] = await snapshot.query(
    statement(
      `select coalesce(sum(sized.table_rows), 0) as row_count, coalesce(sum(sized.data_length), 0) as bytes
from information_schema.tables as sized
where sized.table_schema = database() and sized.table_name in (${tables.map(() => '?').join(', ')})`,
      tables,
    ),
  )
  const [server] = await snapshot.query(statement("show global variables like 'innodb\\_buffer\\_pool\\_size'", []))
  return { ...sizesOf(row), memory_bytes: server === undefined ? null : Number(server['Value']) }
}

function statement(text: string, values: readonly string[]): Statement {
  return { text, values, label: 'plumbline table sizes' }
}

function sizesOf(row: Row | undefined): Pick<TableSizes, 'rows' | 'bytes'> {
  return { rows: Number(row?.['row_count'] ?? 0), bytes: Number(row?.['bytes'] ?? 0) }
}
