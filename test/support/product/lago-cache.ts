import { createLagoConnector } from '../../../connectors/lago/index.ts'
import { heldTables } from '../../../src/cache/held/held-tables.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import type { Row } from '../../../src/ports/rows.ts'
import { type CountedCache, countedCache } from './counted-cache.ts'
import { DEFINITIONS, type Held, linesOf, readHeld, type SoakedBilling } from './held-rows.ts'
import { EVERY_ORGANIZATION } from './lago-case.ts'
import { lagoCatalog } from './lago-engine.ts'
import type { CacheOptions } from './recorded-engine.ts'

/** The tables of the relations that a cache of Lago holds. */
export const LAGO_HELD = heldTables(
  EVERY_ORGANIZATION,
  lagoCatalog(),
  { keyType: 'text', ...EVERY_ORGANIZATION.mirror },
  'duckdb',
)

/** Lago for a cache that is soaked. Its look reads no clock. */
export const SOAKED_LAGO: SoakedBilling = {
  connector: () => createLagoConnector({ organization: ['all'] }),
  tables: () => LAGO_HELD,
  keyType: 'text',
}

/** A cache over a Lago database, at the instant of a clock. */
export interface LagoCache {
  readonly cache: CountedCache
  /** All rows after a refresh. */
  held(): Promise<Held>
}

export function lagoCache(
  executor: Executor,
  clock: { now(): Date },
  connector = EVERY_ORGANIZATION,
  options: Partial<CacheOptions> = {},
): LagoCache {
  const cache = countedCache(executor, connector, { clock, definitions: DEFINITIONS, ...options })
  const request = () => ({ now: clock.now(), definitions: DEFINITIONS })
  return { cache, held: () => readHeld(cache, request, LAGO_HELD, 'text') }
}

/** The rows of relations as the cache would hold them, as sorted lines. */
export function heldLines(rows: Readonly<Record<string, readonly Row[]>>): Held['tables'] {
  const lines = LAGO_HELD.flatMap(({ relation, columns }) => {
    const own = rows[relation]
    return own === undefined ? [] : [[relation, own.map(linesOf(columns, undefined)).sort()] as const]
  })
  return Object.fromEntries(lines)
}
