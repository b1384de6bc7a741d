import { type ConfigInputs, composeEngine, loadConfig } from 'plumbline'
import { region } from './region.js'

/** MRR by region, and the MRR of Europe by plan. */
export async function askRegions(inputs: ConfigInputs) {
  const { engine } = composeEngine(loadConfig(inputs), { dimensions: [region] })
  try {
    const mrr = await engine.query('mrr', {}, { dimensions: ['region'] })
    const europe = await engine.query('mrr', {}, { dimensions: ['plan_id'], filters: { region: 'europe' } })
    return { mrr: mrr.data, europe: europe.data }
  } finally {
    await engine.close()
  }
}
