import { isDeepStrictEqual } from 'node:util'
import type { RelationTable, SqlCatalog } from '../compiler/catalog.ts'
import { spanParams } from '../connector-kit/complete-session.ts'
import { once } from '../core/async.ts'
import type { Definitions } from '../core/definitions.ts'
import { type HeldTable, tablesByRelation } from './held-tables.ts'

/** Loads the product's templates over these tables. */
type LoadTemplates = (tables: ReadonlyMap<string, RelationTable>) => SqlCatalog

/**
 * The templates over the mirror, by definitions. The held rows are those of the definitions `own`. Definitions with other options for spans
 * use only the tables whose rows no option decides, and make the other relations from them.
 */
export function mirrorCatalogs(
  load: LoadTemplates,
  held: () => readonly HeldTable[],
  own: Definitions,
): (asked: Definitions) => SqlCatalog {
  const ofOwn = once(() => load(tablesByRelation(held())))
  const ofOthers = once(() => {
    const derived = load(new Map())
    return load(tablesByRelation(held().filter(({ relation }) => !readsOptions(relation, derived, Object.keys(spanParams(own))))))
  })
  return (asked) => (isDeepStrictEqual(spanParams(asked), spanParams(own)) ? ofOwn() : ofOthers())
}

/** True if the relation, or a relation that it reads, has a parameter of these names. */
function readsOptions(relation: string, catalog: SqlCatalog, names: readonly string[]): boolean {
  const header = catalog.relation(relation, 'duckdb')?.header
  if (header === undefined) return false
  return names.some((name) => header.params.has(name)) || header.reads.some((read) => readsOptions(read, catalog, names))
}
