import { join } from 'node:path'
import { loadCatalog } from '../../../src/compiler/catalog.ts'
import type { DatabaseConnector } from '../../../src/connector-kit/connector.ts'
import { fixedClock } from '../../../src/core/clock.ts'
import { definitionsSchema } from '../../../src/core/definitions.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { createEngine, type Engine } from '../../../src/engine/engine.ts'
import { builtInRegistry } from '../../../src/metrics/built-in.ts'
import type { Store } from '../../../src/ports/store.ts'
import { NOW, RATES } from '../data/worked-example.ts'
import type { TestDatabase } from '../databases/test-database.ts'
import { ratesOnly } from './recorded-engine.ts'
import { createToyConnector } from './toy-connector/index.ts'

/** The product's SQL with that of the toy connector. */
export const TOY_CATALOG = loadCatalog({
  sql: join(packageRoot(), 'sql'),
  relations: [createToyConnector().relationsDirectory],
})

type Capabilities = DatabaseConnector['capabilities']

/** The same in a store. */
export function exampleRates(): Promise<Store> {
  const lines = RATES.map(({ date, from, to, rate }) => [date, from, to, rate].join(','))
  return ratesOnly(`${['date,from,to,rate', ...lines].join('\n')}\n`)
}

/** The product over a filled database of the toy engine. Its connector may supply more, and it may have its own books. */
export async function toyEngine(
  database: TestDatabase,
  capabilities: Capabilities = {},
  books?: { readonly store: Store; readonly workspace: string },
): Promise<Engine> {
  const connector = createToyConnector()
  return createEngine({
    executor: database.executor(),
    connector: { ...connector, capabilities: { ...connector.capabilities, ...capabilities } },
    registry: builtInRegistry(),
    store: books?.store ?? (await exampleRates()),
    workspace: books?.workspace,
    clock: fixedClock(NOW),
    definitions: definitionsSchema.parse({ base_currency: 'USD' }),
    limits: { max_rows: 250_000 },
    replica: { max_lag_seconds: 300, lag_policy: 'warn', require_read_only: false },
    catalog: TOY_CATALOG,
  })
}
