import { join } from 'node:path'
import { loadCatalog } from '../../src/compiler/catalog.ts'
import { mysql } from '../../src/compiler/dialects/mysql.ts'
import { postgres } from '../../src/compiler/dialects/postgres.ts'
import { fixedClock } from '../../src/core/clock.ts'
import { type Definitions, definitionsSchema } from '../../src/core/definitions.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { createEngine, type Engine, type EngineDependencies } from '../../src/engine/engine.ts'
import type { Executor } from '../../src/engine/ports.ts'
import { openExecutor } from '../../src/executors/open.ts'
import { exampleConnector, NOW } from './worked-example.ts'

/** Databases that the example runs on; it reads no table of theirs. */
export const EXAMPLE_TARGETS = [
  { target: 'postgres', url: process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres' },
  { target: 'mariadb', url: process.env['TEST_MARIADB_URL'] ?? 'mysql://root@127.0.0.1:3306/mysql' },
] as const

export const CATALOG = loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [] })

export function exampleExecutor(url: string): Executor {
  return openExecutor({ url, dialects: { postgres, mysql }, poolSize: 2 })
}

/** An engine over the worked example; `definitions` are merged over base currency USD. */
export function exampleEngine(executor: Executor, overrides: Partial<EngineDependencies> & { options?: Partial<Definitions> } = {}): Engine {
  const { options, ...deps } = overrides
  return createEngine({
    executor,
    connector: exampleConnector(),
    store: null,
    clock: fixedClock(NOW),
    definitions: definitionsSchema.parse({ base_currency: 'USD', ...options }),
    limits: { max_rows: 250_000 },
    replica: { max_lag_seconds: 300, lag_policy: 'warn', require_read_only: false },
    catalog: CATALOG,
    ...deps,
  })
}
