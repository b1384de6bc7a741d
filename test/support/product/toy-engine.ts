import { join } from 'node:path'
import { loadCatalog, type SqlCatalog } from '../../../src/compiler/catalog.ts'
import type { DatabaseConnector } from '../../../src/connector-kit/connector.ts'
import { fixedClock } from '../../../src/core/clock.ts'
import { definitionsSchema } from '../../../src/core/definitions.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { createEngine, type Engine } from '../../../src/engine/engine.ts'
import { builtInRegistry } from '../../../src/metrics/built-in.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import type { ReadThrough } from '../../../src/ports/read-through.ts'
import type { Store } from '../../../src/ports/store.ts'
import { NOW, RATES } from '../data/worked-example.ts'
import type { TestDatabase } from '../databases/test-database.ts'
import { type CacheOptions, ratesOnly } from './recorded-engine.ts'
import { createToyConnector } from './toy-connector/index.ts'

/** The product's SQL with that of the toy connector. */
export const TOY_CATALOG = toyCatalog()

/** The same with the relations of further folders. */
export function toyCatalog(...folders: readonly string[]): SqlCatalog {
  return loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [createToyConnector().relationsDirectory, ...folders] })
}

type Capabilities = DatabaseConnector['capabilities']

/** The same in a store. */
export function exampleRates(): Promise<Store> {
  const lines = RATES.map(({ date, from, to, rate }) => [date, from, to, rate].join(','))
  return ratesOnly(`${['date,from,to,rate', ...lines].join('\n')}\n`)
}

export interface ToyOptions {
  readonly store?: Store
  readonly workspace?: string
  readonly catalog?: SqlCatalog
  /** Makes the cache that the engine answers from; without it every answer is direct. */
  readonly cache?: (executor: Executor, connector: DatabaseConnector, options: CacheOptions) => ReadThrough
}

/** The product over a filled database of the toy engine. Its connector may supply more, and it may have its own books and a cache. */
export async function toyEngine(
  database: TestDatabase,
  capabilities: Capabilities = {},
  { store, workspace, cache, catalog = TOY_CATALOG }: ToyOptions = {},
): Promise<Engine> {
  const connector = createToyConnector()
  const executor = database.executor()
  const clock = fixedClock(NOW)
  const definitions = definitionsSchema.parse({ base_currency: 'USD' })
  return createEngine({
    executor,
    connector: { ...connector, capabilities: { ...connector.capabilities, ...capabilities } },
    registry: builtInRegistry(),
    cache: cache?.(executor, connector, { clock, definitions }),
    store: store ?? (await exampleRates()),
    workspace,
    clock,
    definitions,
    limits: { max_rows: 250_000 },
    replica: { max_lag_seconds: 300, lag_policy: 'warn', require_read_only: false },
    catalog,
  })
}
