import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { composeEngine } from '../../src/compose.ts'
import { loadConfig } from '../../src/config.ts'
import type { Engine } from '../../src/engine/contract.ts'
import type { Store } from '../../src/engine/ports.ts'
import { importFxRates } from '../../src/ingest/fx-csv.ts'
import { BASE_CURRENCY, NOW } from './tasks.ts'

const RATES = new URL('../../fixtures/killbill/real/expected/fx.csv', import.meta.url)

/** A directory for an embedded store; engines of one process use it one after the other. */
export interface BenchStore {
  readonly url: string
  remove(): Promise<void>
}

/** An empty directory of this run's own; the first engine puts the recording's rates there. */
export async function createBenchStore(): Promise<BenchStore> {
  const directory = await mkdtemp(join(tmpdir(), 'plumbline-bench-'))
  return { url: `pglite:${join(directory, 'store')}`, remove: () => rm(directory, { recursive: true, force: true }) }
}

/** The engine as the product composes it, over a database of the benchmarks; its store is open, nothing else is connected. */
export async function openBenchEngine(
  databaseUrl: string,
  bench: BenchStore,
  timeoutMs: number,
  cache: 'on' | 'off' = 'off',
  sessionMemoryMb = 128,
): Promise<Engine> {
  return (await openBench(databaseUrl, bench, timeoutMs, cache, sessionMemoryMb)).engine
}

/** The same with the store, which closes with the engine. */
export async function openBench(
  databaseUrl: string,
  bench: BenchStore,
  timeoutMs: number,
  cache: 'on' | 'off' = 'off',
  sessionMemoryMb = 128,
): Promise<{ readonly engine: Engine; readonly store: Store }> {
  const config = loadConfig({
    environment: {},
    cwd: tmpdir(),
    home: undefined,
    options: {
      'database.url': databaseUrl,
      'store.url': bench.url,
      'definitions.base_currency': BASE_CURRENCY,
      'limits.statement_timeout_ms': `${timeoutMs}`,
      'limits.session_memory_mb': `${sessionMemoryMb}`,
      'clock.now': NOW,
      'cache.mode': cache,
    },
  })
  const { engine, store } = composeEngine(config)
  await fillOnce(store)
  return { engine, store }
}

async function fillOnce(store: Store): Promise<void> {
  if ((await store.fxRates.list()).length === 0)
    await importFxRates(await readFile(RATES, 'utf8'), store, { maxBytes: 1_000_000 })
}
