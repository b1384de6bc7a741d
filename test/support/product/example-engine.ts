import { join } from 'node:path'
import { beforeAll } from 'vitest'
import { loadCatalog } from '../../../src/compiler/catalog.ts'
import { fixedClock } from '../../../src/core/clock.ts'
import { type Definitions, definitionsSchema } from '../../../src/core/definitions.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { createEngine, type Engine, type EngineDependencies } from '../../../src/engine/engine.ts'
import { builtInRegistry } from '../../../src/metrics/built-in.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import { exampleConnector, NOW } from '../data/worked-example.ts'
import { everyEngine } from '../databases/rotation.ts'
import { pgliteTarget } from '../databases/target-pglite.ts'
import type { Target, Template, TestDatabase } from '../databases/targets.ts'

/** The product's own SQL without a connector's. */
export const CATALOG = loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [] })

export type Overrides = Partial<EngineDependencies> & { readonly options?: Partial<Definitions> }

/** An engine over the worked example. */
export function exampleEngine(executor: Executor, overrides: Overrides = {}): Engine {
  return createEngine(exampleDependencies(executor, overrides))
}

/** The dependencies of such an engine. `options` are merged over base currency USD. */
export function exampleDependencies(executor: Executor, overrides: Overrides = {}): EngineDependencies {
  const { options, ...deps } = overrides
  return {
    executor,
    connector: exampleConnector(),
    registry: builtInRegistry(),
    store: null,
    clock: fixedClock(NOW),
    definitions: definitionsSchema.parse({ base_currency: 'USD', ...options }),
    limits: { max_rows: 250_000 },
    replica: { max_lag_seconds: 300, lag_policy: 'warn', require_read_only: false },
    catalog: CATALOG,
    ...deps,
  }
}

const EMPTY: Template = { key: 'nothing', fill: async () => {} }

/** An embedded database without a table, the same for all test files of a process, which takes longer to start than most of them to ask. */
export function emptyEmbedded(): Promise<TestDatabase> {
  return pgliteTarget.sharedDatabase(EMPTY)
}

/** A database without a table for all who only read: the worked example brings its rows along. */
export function emptyDatabase(target: Target): Promise<TestDatabase> {
  return target.sharedDatabase(EMPTY)
}

/** One `describe` per engine, each with engines over the worked example; the database itself stays empty. */
export function describeExample(name: string, define: (engineOf: (overrides?: Overrides) => Engine) => void): void {
  everyEngine(name, (target) => {
    let executor: Executor
    beforeAll(async () => {
      executor = (await emptyDatabase(target)).executor()
    })
    define((overrides) => exampleEngine(executor, overrides))
  })
}

/** The data of an answer. */
export async function dataOf(
  engine: Engine,
  params: Record<string, unknown>,
  spec: Record<string, unknown> = {},
): Promise<unknown> {
  return (await engine.query('mrr', params, spec)).data
}
