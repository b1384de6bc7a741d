import { fileURLToPath } from 'node:url'
import { type ConfigInputs, composeEngine, loadConfig } from 'plumbline'
import { units } from './units.js'

/** Units by plan, with the metric `units` and its SQL in `sql/units`. */
export async function askUnits(inputs: ConfigInputs) {
  const sqlDirectory = fileURLToPath(new URL('../sql/units', import.meta.url))
  const { engine } = composeEngine(loadConfig(inputs), { metrics: [{ definition: units, sqlDirectory }] })
  try {
    return (await engine.query('units', { start: '2026-11-14', end: '2026-11-20' }, { dimensions: ['plan_id'] })).data
  } finally {
    await engine.close()
  }
}
