import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { composeEngine } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/app/config/config.ts'
import type { Engine } from '../../src/engine/contract.ts'
import type { Store, WorkspaceStore } from '../../src/ports/store.ts'
import { importFxRates } from '../../src/workspace/exchange-rates/import/csv.ts'
import { BASE_CURRENCY, NOW } from './tasks.ts'

const RATES = new URL('../../fixtures/killbill/real/expected/fx.csv', import.meta.url)

const WORKSPACE = 'bench'

/** A place for an embedded store. */
export interface BenchStore {
  readonly url: string
  remove(): Promise<void>
}

/** An empty directory of this run's own; the first engine puts the recording's rates there. */
export async function createBenchStore(): Promise<BenchStore> {
  const directory = await mkdtemp(join(tmpdir(), 'plumbline-bench-'))
  return { url: `sqlite:${join(directory, 'store.db')}`, remove: () => rm(directory, { recursive: true, force: true }) }
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

/** The same with the store, which closes with the engine, and what it holds for the engine. */
export async function openBench(
  databaseUrl: string,
  bench: BenchStore,
  timeoutMs: number,
  cache: 'on' | 'off' = 'off',
  sessionMemoryMb = 128,
): Promise<{ readonly engine: Engine; readonly store: Store; readonly owned: WorkspaceStore }> {
  const config = loadConfig({
    environment: {},
    cwd: tmpdir(),
    home: undefined,
    options: {
      'database.url': databaseUrl,
      'store.url': bench.url,
      'store.workspace': WORKSPACE,
      'definitions.base_currency': BASE_CURRENCY,
      'limits.statement_timeout_ms': `${timeoutMs}`,
      'limits.session_memory_mb': `${sessionMemoryMb}`,
      'clock.now': NOW,
      'cache.mode': cache,
    },
  })
  const { engine, store } = composeEngine(config)
  await fillOnce(store)
  const owned = store.inWorkspace?.({ name: WORKSPACE, source_ids: [] })
  if (owned === undefined) throw new Error('the store has no workspaces')
  return { engine, store, owned }
}

async function fillOnce(store: Store): Promise<void> {
  if ((await store.fxRates.list()).length === 0)
    await importFxRates(await readFile(RATES, 'utf8'), store, { maxBytes: 1_000_000 })
}
