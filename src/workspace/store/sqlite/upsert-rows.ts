import type { Knex } from 'knex'

/** Rows for a table of an SQLite store. Each has the named columns, and no two have the same identity. */
export interface SqliteRows {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** Columns that identify a row. */
  readonly identity: readonly string[]
  /** Columns to replace if a row with the same identity exists. */
  readonly merged: readonly string[]
  /** Column that must differ for a replacement. Absent: always replace. */
  readonly compared?: string
}

/**
 * Inserts or replaces rows and returns the number of changed rows. It sends all rows as one JSON text. The statement is then the
 * same for any number of rows and is prepared only once.
 */
export async function upsertRows(
  transaction: Knex,
  { table, columns, rows, identity, merged, compared }: SqliteRows,
): Promise<number> {
  const names = (list: readonly string[]) => list.map(() => '??').join(', ')
  const cells = columns.map((_, index) => `value ->> ${index}`).join(', ')
  const replaced = merged.map(() => '?? = ??').join(', ')
  const ifDifferent = compared === undefined ? '' : 'where ?? is distinct from ??'
  const changed: unknown[] = await transaction.raw(
    `insert into ?? (${names(columns)}) select ${cells} from json_each(?) where true
     on conflict (${names(identity)}) do update set ${replaced} ${ifDifferent} returning 1 as changed`,
    [
      table,
      ...columns,
      JSON.stringify(rows.map((row) => columns.map((column) => row[column] ?? null))),
      ...identity,
      ...merged.flatMap((column) => [column, `excluded.${column}`]),
      ...(compared === undefined ? [] : [`${table}.${compared}`, `excluded.${compared}`]),
    ],
  )
  return changed.length
}
