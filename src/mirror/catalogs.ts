import type { RelationTable, SqlCatalog } from '../compiler/catalog.ts'
import { spanParams, variantsOf } from '../connector-kit/complete-session.ts'
import { once } from '../core/async.ts'
import type { Definitions } from '../core/definitions.ts'
import { type HeldTable, tablesByRelation } from './held-tables.ts'

/** Loads the product's templates over these tables. */
type LoadTemplates = (tables: ReadonlyMap<string, RelationTable>) => SqlCatalog

/**
 * The templates over the mirror, by definitions. The held rows are those of the definitions `own`, without a swap window. Definitions with other
 * options for spans and movements use only the tables whose rows these options do not decide, and make the other relations from them.
 */
export function mirrorCatalogs(
  load: LoadTemplates,
  held: () => readonly HeldTable[],
  own: Definitions,
): (asked: Definitions) => SqlCatalog {
  const derived = once(() => load(new Map()))
  const made = new Map<string, SqlCatalog>()
  const params = spanParams({ ...own, swap_window: 0 })
  const without = (options: readonly string[], asked: Definitions) => {
    const from = { catalog: derived(), aliases: new Map(variantsOf(asked)) }
    return load(tablesByRelation(held().filter(({ relation }) => !readsOptions(relation, from, options))))
  }
  return (asked) => {
    const others = Object.entries(spanParams(asked)).flatMap(([name, value]) =>
      value === params[name as keyof typeof params] ? [] : [name],
    )
    const catalog = made.get(others.join()) ?? (others.length === 0 ? load(tablesByRelation(held())) : without(others, asked))
    made.set(others.join(), catalog)
    return catalog
  }
}

interface Derived {
  readonly catalog: SqlCatalog
  readonly aliases: ReadonlyMap<string, string>
}

/** True if the relation, or a relation that it reads, has a parameter of these names. */
function readsOptions(relation: string, from: Derived, names: readonly string[]): boolean {
  const header = from.catalog.relation(relation, 'duckdb')?.header
  if (header === undefined) return false
  return (
    names.some((name) => header.params.has(name)) ||
    header.reads.some((read) => readsOptions(from.aliases.get(read) ?? read, from, names))
  )
}
