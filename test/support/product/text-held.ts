import { type HeldTable, heldTables } from '../../../src/cache/held/held-tables.ts'
import type { SqlCatalog } from '../../../src/compiler/catalog.ts'
import type { DatabaseConnector } from '../../../src/connector-kit/connector.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import type { Row } from '../../../src/ports/rows.ts'
import { type CountedCache, countedCache } from './counted-cache.ts'
import { DEFINITIONS, type Held, linesOf, readHeld } from './held-rows.ts'
import type { CacheOptions } from './recorded-engine.ts'

/** A cache over a database. */
export interface HeldCache {
  readonly cache: CountedCache
  /** All rows after a refresh. */
  held(): Promise<Held>
}

/** The tables of the relations that a cache holds of a connector whose customers have texts as keys. */
export function textHeld(connector: DatabaseConnector, catalog: SqlCatalog): readonly HeldTable[] {
  return heldTables(connector, catalog, { keyType: 'text', ...connector.mirror }, 'duckdb')
}

/** A cache of such a connector, at the instant of a clock. */
export function textCache(
  tables: readonly HeldTable[],
  connector: DatabaseConnector,
  executor: Executor,
  clock: { now(): Date },
  options: Partial<CacheOptions> = {},
): HeldCache {
  const cache = countedCache(executor, connector, { clock, definitions: DEFINITIONS, ...options })
  const request = () => ({ now: clock.now(), definitions: DEFINITIONS })
  return { cache, held: () => readHeld(cache, request, tables, 'text') }
}

/** The rows of relations as the cache would hold them, as sorted lines. */
export function textLines(tables: readonly HeldTable[], rows: Readonly<Record<string, readonly Row[]>>): Held['tables'] {
  const lines = tables.flatMap(({ relation, columns }) => {
    const own = rows[relation]
    return own === undefined ? [] : [[relation, own.map(linesOf(columns, undefined)).sort()] as const]
  })
  return Object.fromEntries(lines)
}
