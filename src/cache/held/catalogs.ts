import type { RelationTable, SqlCatalog } from '../../compiler/catalog.ts'
import type { DialectName } from '../../compiler/dialect.ts'
import { spanParams, variantsOf } from '../../connector-kit/complete-session.ts'
import { once } from '../../core/async.ts'
import type { Definitions } from '../../core/definitions.ts'
import { type HeldTable, isReadable, tablesByRelation, WANTED_ROWS } from './held-tables.ts'
import { ALL_TIME } from './steps.ts'

/** Loads the product's templates over these tables. */
type LoadTemplates = (tables: ReadonlyMap<string, RelationTable>) => SqlCatalog

/** The templates over a mirror, by definitions. */
export interface MirrorCatalogs {
  /**
   * The templates under these definitions. Relations that they decide come from `kept` tables, or else are made from the held rows.
   * `ofWanted` limits all tables to the rows of the wanted customers.
   */
  of(asked: Definitions, kept?: readonly KeptTable[], ofWanted?: boolean): SqlCatalog
  /** The relations whose rows these definitions decide, and which can be kept. Each comes after those that it reads. */
  decided(asked: Definitions): readonly string[]
  /** Whether templates can read a relation. */
  holds(relation: string): boolean
}

/** The table of a relation that a definition set decides, in `work`. */
export interface KeptTable {
  readonly name: string
  readonly table: string
  readonly columns: HeldTable['columns']
}

/** Variants of relations that can be kept, with the held relations that have their columns. */
const KEPT_VARIANTS: Readonly<Record<string, string>> = { swapped_span: 'subscription_span', customer_movement: 'movement' }

/** The held relation with the columns of a relation that can be kept. */
export function sourceOf(relation: string): string {
  return KEPT_VARIANTS[relation] ?? relation
}

/**
 * The templates over the mirror, by definitions. The held rows are those of the definitions `own`, without a swap window. Definitions with other
 * options for spans and movements use only the tables whose rows these options do not decide, and make the other relations from them.
 */
export function mirrorCatalogs(
  load: LoadTemplates,
  makeHeld: () => readonly HeldTable[],
  own: Definitions,
  dialect: DialectName,
): MirrorCatalogs {
  const held = once(makeHeld)
  const derived = once(() => load(new Map()))
  const made = new Map<string, SqlCatalog>()
  const params = spanParams({ ...own, swap_window: 0 })
  const others = (asked: Definitions) =>
    Object.entries(spanParams(asked)).flatMap(([name, value]) => (value === params[name as keyof typeof params] ? [] : [name]))
  const derivedFor = (asked: Definitions): Derived => ({ catalog: derived(), aliases: new Map(variantsOf(asked)), dialect })
  const unchanged = (asked: Definitions) => {
    const [from, options] = [derivedFor(asked), others(asked)]
    return held().filter(({ relation }) => options.length === 0 || !readsOptions(relation, from, options))
  }
  const decidedBy = (asked: Definitions): readonly string[] => {
    const from = derivedFor(asked)
    const stays = new Set(unchanged(asked).map(({ relation }) => relation))
    const variants = [...from.aliases.values()].filter((variant) => Object.hasOwn(KEPT_VARIANTS, variant))
    const changed = held().flatMap(({ relation }) => (stays.has(relation) ? [] : [relation]))
    return inOrder(new Set([...changed, ...variants]), stays, from)
  }
  const decisions = new Map<string, readonly string[]>()
  return {
    holds: (relation) => isReadable(relation, held()),
    of(asked, kept = [], ofWanted = false) {
      const options = others(asked)
      const key = JSON.stringify([
        options,
        options.length === 0 ? [] : variantsOf(asked),
        kept.map(({ table }) => table),
        ofWanted,
      ])
      const known = made.get(key)
      if (known !== undefined) return known
      const tables = new Map([...tablesByRelation(unchanged(asked)), ...kept.map(relationTable)])
      const catalog = load(ofWanted ? new Map([...tables].map(([name, table]) => [name, limited(table)])) : tables)
      made.set(key, catalog)
      return catalog
    },
    decided(asked) {
      const key = JSON.stringify([others(asked), variantsOf(asked)])
      const known = decisions.get(key) ?? decidedBy(asked)
      decisions.set(key, known)
      return known
    },
  }
}

function relationTable({ name, table, columns }: KeptTable): readonly [string, RelationTable] {
  return [name, { table: `work.${table}`, columns: columns.map((column) => column.name) }]
}

function limited({ table, columns }: RelationTable): RelationTable {
  return { table: `(select * from ${table} where ${WANTED_ROWS})`, columns }
}

interface Derived {
  readonly catalog: SqlCatalog
  readonly aliases: ReadonlyMap<string, string>
  readonly dialect: DialectName
}

/** True if the relation, or a relation that it reads, has a parameter of these names. */
function readsOptions(relation: string, from: Derived, names: readonly string[]): boolean {
  const header = from.catalog.relation(relation, from.dialect)?.header
  if (header === undefined) return false
  return (
    names.some((name) => header.params.has(name)) ||
    header.reads.some((read) => readsOptions(from.aliases.get(read) ?? read, from, names))
  )
}

/** Parameters of relations that can be kept: the options of a set, and the window, which is all time. */
const KEPT_PARAMS: ReadonlySet<string> = new Set([...Object.keys(spanParams({} as Definitions)), ...ALL_TIME.keys()])

/** The relations that depend on held rows and options only, each after those that it reads. `stays` are tables in any case. */
function inOrder(
  wanted: ReadonlySet<string>,
  stays: ReadonlySet<string>,
  { catalog, aliases, dialect }: Derived,
): readonly string[] {
  const found: string[] = []
  const seen = new Map<string, boolean>()
  const visit = (name: string): boolean => {
    const known = seen.get(name)
    if (known !== undefined) return known
    if (stays.has(name) && !wanted.has(name)) return true
    const header = catalog.relation(name, dialect)?.header
    const isMade =
      header !== undefined &&
      [...header.params.keys()].every((param) => KEPT_PARAMS.has(param)) &&
      header.reads.map((read) => visit(aliases.get(read) ?? read)).every(Boolean)
    seen.set(name, isMade)
    if (isMade && wanted.has(name)) found.push(name)
    return isMade
  }
  for (const name of wanted) visit(name)
  return found
}
