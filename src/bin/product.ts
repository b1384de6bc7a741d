import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenDemo, OpenOptions, OpenProduct, Product } from '../cli/product.ts'
import { composeEngine, startService } from '../compose.ts'
import { type Config, type ConfigInputs, loadConfig, loadStoreConfig, processInputs } from '../config.ts'
import { packageRoot } from '../core/package-root.ts'
import { prepareSampleData } from '../demo/sample-data.ts'
import { initialise } from './initialise.ts'
import { openStore } from './open-store.ts'

type ProcessInputs = Pick<ConfigInputs, 'environment' | 'cwd' | 'home'>

/** The real product behind the command line, configured from the process unless told otherwise. */
export function createProduct(inputs: ProcessInputs = processInputs()): Product {
  const version = packageVersion()
  return {
    version,
    open: async ({ config, host, port }) =>
      openConfigured(loadConfig({ ...inputs, config, options: { 'server.host': host, 'server.port': port } }), version),
    openStore: async ({ config }) => openStore(loadStoreConfig({ ...inputs, config })),
    openDemo: (options) => openDemo(options, version),
    init: ({ config, force }) => initialise({ ...inputs, config, force }),
  }
}

async function openDemo({ host, port }: OpenOptions, version: string): Promise<OpenDemo> {
  const data = await prepareSampleData()
  // Neither the user's file nor the environment: the demo must not reach a real database.
  const options = {
    'database.url': data.databaseUrl,
    'store.url': data.storeUrl,
    'connector.tenant': data.tenant,
    'clock.now': data.now,
    'server.host': host,
    'server.port': port,
  }
  try {
    const opened = openConfigured(loadConfig({ environment: {}, cwd: packageRoot(), home: undefined, options }), version)
    const close = () => opened.close().finally(() => data.dispose())
    return { ...opened, today: data.now.slice(0, 10), close }
  } catch (error) {
    await data.dispose()
    throw error
  }
}

function openConfigured(config: Config, version: string): OpenProduct {
  const composed = composeEngine(config)
  const { engine } = composed
  return { engine, serve: () => startService(config, composed, version), close: () => engine.close() }
}

function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : 'unknown'
}
