import { join } from 'node:path'
import { createLagoConnector } from '../../../connectors/lago/index.ts'
import { loadCatalog } from '../../../src/compiler/catalog.ts'
import { once } from '../../../src/core/async.ts'
import { fixedClock } from '../../../src/core/clock.ts'
import type { FxRate } from '../../../src/core/currency.ts'
import { type Definitions, definitionsSchema } from '../../../src/core/definitions.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { createEngine, type Engine } from '../../../src/engine/engine.ts'
import { builtInRegistry } from '../../../src/metrics/built-in.ts'
import type { ReadThrough } from '../../../src/ports/read-through.ts'
import { northRates } from '../data/lago/north-rows.ts'
import type { Settings, TestDatabase } from '../databases/test-database.ts'
import { type CountedCache, countedCache } from './counted-cache.ts'
import { type CacheOptions, ratesOnly } from './recorded-engine.ts'

/** The instant at which the known figures were computed. */
export const END_OF_NORTH = new Date('2026-11-21T00:00:00Z')

/** The product's SQL with that of the Lago connector. */
export const lagoCatalog = once(() =>
  loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [createLagoConnector({ organization: [] }).relationsDirectory] }),
)

/** Rates of a CSV text. */
export function ratesOf(csv: string): readonly FxRate[] {
  return csv
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [date = '', from = '', to = '', rate = ''] = line.split(',')
      return { date, from, to, rate }
    })
}

/** The rates of the known figures. */
export const NORTH_RATES: readonly FxRate[] = ratesOf(northRates())

export interface LagoOptions {
  /** Absent: the only one. */
  readonly organization?: readonly string[]
  readonly now?: Date
  readonly rates?: string
  /** Of the executor, such as the address of another role. */
  readonly settings?: Settings
  readonly definitions?: Partial<Definitions>
  /** Receives the cache that the engine answers from; without it every answer is direct. */
  readonly onCache?: (cache: CountedCache) => void
  readonly cacheOptions?: Partial<CacheOptions>
  /** A cache of another kind, which the engine closes. */
  readonly cache?: ReadThrough
}

/** The product over a Lago database. */
export async function lagoEngine(database: TestDatabase, options: LagoOptions = {}): Promise<Engine> {
  const executor = database.executor(options.settings)
  const connector = createLagoConnector({ organization: options.organization ?? [] })
  const clock = fixedClock(options.now ?? END_OF_NORTH)
  const definitions = definitionsSchema.parse({ base_currency: 'USD', allow_unpriced: true, ...options.definitions })
  const counted =
    options.onCache === undefined ? undefined : countedCache(executor, connector, { clock, definitions, ...options.cacheOptions })
  if (counted !== undefined) options.onCache?.(counted)
  return createEngine({
    executor,
    connector,
    cache: options.cache ?? counted,
    registry: builtInRegistry(),
    store: await ratesOnly(options.rates ?? northRates()),
    clock,
    definitions,
    limits: { max_rows: 250_000 },
    replica: { max_lag_seconds: 300, lag_policy: 'warn', require_read_only: false },
    catalog: lagoCatalog(),
  })
}
