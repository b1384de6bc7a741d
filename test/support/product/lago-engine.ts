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
import { northRates } from '../data/lago/north-rows.ts'
import type { TestDatabase } from '../databases/test-database.ts'
import { ratesOnly } from './recorded-engine.ts'

/** The instant at which the known figures were computed. */
export const END_OF_NORTH = new Date('2026-11-21T00:00:00Z')

/** The product's SQL with that of the Lago connector. */
export const lagoCatalog = once(() =>
  loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [createLagoConnector({ organization: [] }).relationsDirectory] }),
)

/** The rates of the known figures. */
export const NORTH_RATES: readonly FxRate[] = northRates()
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [date = '', from = '', to = '', rate = ''] = line.split(',')
    return { date, from, to, rate }
  })

export interface LagoOptions {
  /** Absent: the only one. */
  readonly organization?: readonly string[]
  readonly now?: Date
  readonly rates?: string
  readonly definitions?: Partial<Definitions>
}

/** The product over a Lago database. */
export async function lagoEngine(database: TestDatabase, options: LagoOptions = {}): Promise<Engine> {
  return createEngine({
    executor: database.executor(),
    connector: createLagoConnector({ organization: options.organization ?? [] }),
    registry: builtInRegistry(),
    store: await ratesOnly(options.rates ?? northRates()),
    clock: fixedClock(options.now ?? END_OF_NORTH),
    definitions: definitionsSchema.parse({ base_currency: 'USD', allow_unpriced: true, ...options.definitions }),
    limits: { max_rows: 250_000 },
    replica: { max_lag_seconds: 300, lag_policy: 'warn', require_read_only: false },
    catalog: lagoCatalog(),
  })
}
