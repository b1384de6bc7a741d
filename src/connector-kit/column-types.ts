import type { ColumnKind } from './mirror-source.ts'

/** The best type of Trino for each kind, and all types that hold its values exactly. MySQL's unsigned numbers come as decimals. */
const FITTING: Readonly<Record<ColumnKind, readonly [best: string, all: RegExp]>> = {
  text: ['varchar', /^(varchar|char)\b/],
  integer: ['bigint', /^(bigint|integer|smallint|tinyint|decimal\(\d+, ?0\))$/],
  decimal: ['decimal', /^(decimal\b.*|bigint|integer|smallint|tinyint)$/],
  boolean: ['boolean', /^boolean$/],
  timestamp: ['timestamp(6)', /^timestamp\b/],
  date: ['date', /^date$/],
}

/** True if a type of Trino holds all values of this kind exactly. */
export function fits(kind: ColumnKind, type: string): boolean {
  return FITTING[kind][1].test(type)
}

/** The type of Trino that is best for values of this kind. */
export function bestType(kind: ColumnKind): string {
  return FITTING[kind][0]
}

/** A column (`table.column`) with the sentence that says which type it must have. */
export interface UnfitColumn {
  readonly name: string
  readonly text: string
}

/**
 * The columns whose type on Trino cannot hold the engine's values, as `accounts.created_date is varchar and must be timestamp`. `types` are
 * the types by `table.column`. `kindOf` is undefined for a column that nothing reads.
 */
export function unfitColumns(
  types: ReadonlyMap<string, string>,
  kindOf: (name: string) => ColumnKind | undefined,
): readonly UnfitColumn[] {
  return [...types].flatMap(([name, type]) => {
    const kind = kindOf(name)
    if (kind === undefined) return []
    return fits(kind, type) ? [] : [{ name, text: `${name} is ${type} and must be ${bestType(kind)}` }]
  })
}
