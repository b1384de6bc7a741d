import { composeEngine, loadConfig, prepareSampleData, processInputs } from 'plumbline'

/** MRR of the sample data. The program works on a copy, which it deletes at the end. */
export async function askSample() {
  const sample = await prepareSampleData()
  const options = {
    'database.url': sample.databaseUrl,
    'store.url': sample.storeUrl,
    'connector.tenant': sample.tenant,
    'clock.now': sample.now,
  }
  const { engine } = composeEngine(loadConfig({ ...processInputs(), config: null, options }))
  try {
    return (await engine.query('mrr')).data
  } finally {
    await engine.close()
    await sample.dispose()
  }
}
