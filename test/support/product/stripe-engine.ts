import { join } from 'node:path'
import { createStripeConnector } from '../../../connectors/stripe/index.ts'
import type { StripeSettings } from '../../../connectors/stripe/session.ts'
import { loadCatalog } from '../../../src/compiler/catalog.ts'
import { once } from '../../../src/core/async.ts'
import { fixedClock } from '../../../src/core/clock.ts'
import { type Definitions, definitionsSchema } from '../../../src/core/definitions.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { createEngine, type Engine } from '../../../src/engine/engine.ts'
import { builtInRegistry } from '../../../src/metrics/built-in.ts'
import { eastRates } from '../data/stripe/east-rows.ts'
import type { Settings, TestDatabase } from '../databases/test-database.ts'
import { type CountedCache, countedCache } from './counted-cache.ts'
import { type CacheOptions, ratesOnly } from './recorded-engine.ts'

/** The instant at which the known figures were computed. */
export const END_OF_EAST = new Date('2026-11-21T00:00:00Z')

/** The settings of a configuration that names nothing. */
export const STRIPE_SETTINGS: StripeSettings = { account: [], mode: 'live', unpaid: 'pause' }

/** The product's SQL with that of the Stripe connector. */
export const stripeCatalog = once(() =>
  loadCatalog({
    sql: join(packageRoot(), 'sql'),
    relations: [createStripeConnector(STRIPE_SETTINGS).relationsDirectory],
  }),
)

export interface StripeOptions {
  readonly settings?: Partial<StripeSettings>
  readonly now?: Date
  readonly rates?: string
  readonly schema?: string
  /** Further settings of the executor, such as a time limit. */
  readonly databaseSettings?: Settings
  readonly definitions?: Partial<Definitions>
  readonly lagPolicy?: 'warn' | 'refuse'
  /** Receives the cache that the engine answers from; without it every answer is direct. */
  readonly onCache?: (cache: CountedCache) => void
  readonly cacheOptions?: Partial<CacheOptions>
}

/** The product over a mirror of Stripe. */
export async function stripeEngine(database: TestDatabase, options: StripeOptions = {}): Promise<Engine> {
  const executor = database.executor({ schema: options.schema ?? 'stripe', ...options.databaseSettings })
  const connector = createStripeConnector({ ...STRIPE_SETTINGS, ...options.settings })
  const clock = fixedClock(options.now ?? END_OF_EAST)
  const definitions = definitionsSchema.parse({ base_currency: 'USD', ...options.definitions })
  const cache =
    options.onCache === undefined ? undefined : countedCache(executor, connector, { clock, definitions, ...options.cacheOptions })
  if (cache !== undefined) options.onCache?.(cache)
  return createEngine({
    executor,
    connector,
    cache,
    registry: builtInRegistry(),
    store: await ratesOnly(options.rates ?? eastRates()),
    clock,
    definitions,
    limits: { max_rows: 250_000 },
    replica: { max_lag_seconds: 300, lag_policy: options.lagPolicy ?? 'warn', require_read_only: false },
    catalog: stripeCatalog(),
  })
}
