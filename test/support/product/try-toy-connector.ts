import { type ConfigInputs, checkConnector, composeEngine, loadConfig } from '../../../src/index.ts'
import { toy } from './toy-connector/index.ts'

/** Findings of the conformance kit, and a first number. */
export async function tryToy(inputs: ConfigInputs) {
  const connectors = [toy]
  const config = loadConfig(inputs, connectors)
  const findings = await checkConnector(config, { connectors })
  const { engine } = composeEngine(config, { connectors })
  try {
    const { data } = await engine.query('mrr', { at: '2025-05-31' }, { dimensions: ['currency'] })
    return { findings, mrr: data }
  } finally {
    await engine.close()
  }
}
