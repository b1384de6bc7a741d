import type { OpenDemo, OpenOptions, OpenProduct, OpenStore } from '../../facades/cli/product.ts'
import { composeEngine, startService } from '../compose.ts'
import { type Config, type ConfigInputs, loadConfig, loadStoreConfig } from '../config/config.ts'
import { sampleConfig } from '../demo/sample-config.ts'
import { openStore } from './open-store.ts'

export { BUILT_IN_METRICS } from '../../metrics/built-in.ts'
export { grants } from './grants.ts'
export { initialise } from './initialise.ts'

type ProcessInputs = Pick<ConfigInputs, 'environment' | 'cwd' | 'home'>

/** The product on the configured billing database. ConfigurationError for bad configuration. */
export async function open(inputs: ProcessInputs, { config, host, port }: OpenOptions, version: string): Promise<OpenProduct> {
  const options = { 'server.host': host, 'server.port': port }
  return openConfigured(loadConfig({ ...inputs, config, options }), version)
}

/** The side store of the configuration alone. */
export async function openConfiguredStore(inputs: ProcessInputs, config: string | undefined): Promise<OpenStore> {
  return openStore(loadStoreConfig({ ...inputs, config }))
}

/** The product on a copy of the sample data. */
export async function openDemo(listen: OpenOptions, version: string): Promise<OpenDemo> {
  const data = await sampleData()
  try {
    const opened = openConfigured(sampleConfig(data, listen), version)
    const close = () => opened.close().finally(() => data.dispose())
    return { ...opened, today: data.now.slice(0, 10), close }
  } catch (error) {
    await data.dispose()
    throw error
  }
}

/** The side store of a copy of the sample data. */
export async function openDemoStore(): Promise<OpenStore> {
  const data = await sampleData()
  const opened = openStore(sampleConfig(data))
  return { ...opened, close: () => opened.close().finally(() => data.dispose()) }
}

// Loaded when it is wanted: it brings an embedded PostgreSQL along.
async function sampleData() {
  const { prepareSampleData } = await import('../demo/sample-data.ts')
  return prepareSampleData()
}

function openConfigured(config: Config, version: string): OpenProduct {
  const composed = composeEngine(config)
  const { engine } = composed
  return {
    engine,
    mostIssues: config.limits.issues,
    serve: () => startService(config, composed, version),
    close: () => engine.close(),
  }
}
