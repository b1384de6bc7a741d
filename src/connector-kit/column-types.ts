import type { RawType } from './mirror-source.ts'

/** The kind of the values in a column. */
export type ColumnKind = Extract<RawType, string> | 'decimal'

/** The best type of Trino for each kind, and all types that hold its values exactly. MySQL's unsigned numbers come as decimals. */
const FITTING: Readonly<Record<ColumnKind, readonly [best: string, all: RegExp]>> = {
  text: ['varchar', /^(varchar|char)\b/],
  integer: ['bigint', /^(bigint|integer|smallint|tinyint|decimal\(\d+, ?0\))$/],
  decimal: ['decimal', /^(decimal\b.*|bigint|integer|smallint|tinyint)$/],
  boolean: ['boolean', /^boolean$/],
  timestamp: ['timestamp(6)', /^timestamp\b/],
  date: ['date', /^date$/],
}

/**
 * The columns whose type on Trino cannot hold the engine's values, as `accounts.created_date is varchar and must be timestamp`. `types` are
 * the types by `table.column`. `kindOf` is undefined for a column that nothing reads.
 */
export function unfitColumns(
  types: ReadonlyMap<string, string>,
  kindOf: (name: string) => ColumnKind | undefined,
): readonly { readonly name: string; readonly text: string }[] {
  return [...types].flatMap(([name, type]) => {
    const kind = kindOf(name)
    if (kind === undefined) return []
    const [best, all] = FITTING[kind]
    return all.test(type) ? [] : [{ name, text: `${name} is ${type} and must be ${best}` }]
  })
}
