import type { Sight } from './rights.ts'

/** Columns by table. */
type Columns = Readonly<Record<string, readonly string[]>>

/**
 * Why the role cannot read some of these columns, in sentences. Undefined if it sees them all. A table without any readable column is named as a
 * whole. MySQL, MariaDB and Trino do not show whether such parts exist.
 */
export function unreadable(
  { columns, denied }: Pick<Sight, 'columns' | 'denied'>,
  dialect: string,
  wanted: Columns,
): string | undefined {
  const unseen = unseenIn(columns, wanted)
  return unseen.length === 0 ? undefined : causeOf(unseen, denied, dialect)
}

/** Sentences on why these columns cannot be read: the role may not, or they do not exist. */
export function causeOf(unseen: readonly string[], denied: Sight['denied'], dialect: string): string {
  const withheld = unseen.filter((name) => denied.has(name))
  const others = unseen.filter((name) => !denied.has(name))
  const lacking = `The database has no ${others.join(', ')}`
  return [
    ...(withheld.length === 0 ? [] : [`The database role may not read ${withheld.join(', ')}.`]),
    ...(others.length === 0 ? [] : [dialect === 'postgres' ? `${lacking}.` : `${lacking}, or its role may not read that.`]),
  ].join(' ')
}

/** The columns of these that cannot be read, as `table.column`; the table alone if it cannot be read at all. */
export function unseenIn(found: Sight['columns'], wanted: Columns): readonly string[] {
  return Object.entries(wanted).flatMap(([table, columns]) => {
    const present = found.get(table)
    return present === undefined
      ? [table]
      : columns.filter((column) => !present.has(column)).map((column) => `${table}.${column}`)
  })
}
