import { fileURLToPath } from 'node:url'
import {
  AppError,
  builtInRegistry,
  type ConfigInputs,
  checkConnector,
  composeCatalog,
  composeConnector,
  composeEngine,
  composeExecutor,
  createEngine,
  type Engine,
  type Extensions,
  loadConfig,
  prepareSampleData,
  startService,
  systemClock,
} from 'plumbline'
import { askSample } from './ask-sample.js'
import { askUnits } from './ask-units.js'
import { ledger } from './ledger.js'
import { askOverHttp } from './over-http.js'
import { region } from './region.js'
import { askRegions } from './regions.js'
import { units } from './units.js'

const folder = (path: string) => fileURLToPath(new URL(`../sql/${path}`, import.meta.url))
const metrics = [{ definition: units, sqlDirectory: folder('units') }]
const WEEK = { start: '2026-11-14', end: '2026-11-20' }

/** The sample data with an added metric and dimension: in process and over HTTP. */
async function askSamples() {
  const data = await prepareSampleData()
  const inputs: ConfigInputs = {
    environment: {},
    cwd: '/',
    home: undefined,
    options: {
      'database.url': data.databaseUrl,
      'store.url': data.storeUrl,
      'connector.tenant': data.tenant,
      'clock.now': data.now,
      'server.port': '0',
    },
  }
  try {
    return {
      ...(await askServed(inputs)),
      regions: await askRegions(inputs),
      units_asked: await askUnits(inputs),
      embedded: await askSample(),
    }
  } finally {
    await data.dispose()
  }
}

async function askServed(inputs: ConfigInputs) {
  const config = loadConfig(inputs)
  const composed = composeEngine(config, { metrics, dimensions: [region] })
  const { engine } = composed
  const service = await startService(config, composed, '1')
  const ask = async (path: string): Promise<unknown> => (await fetch(`${service.url}/api/metrics/${path}`)).json()
  const week = `start=${WEEK.start}&end=${WEEK.end}`
  try {
    return {
      mrr: (await engine.query('mrr')).data,
      units: (await engine.query('units', WEEK)).data,
      units_by_plan: (await engine.query('units', WEEK, { dimensions: ['plan_id'] })).data,
      units_by_region: (await engine.query('units', WEEK, { dimensions: ['region'] })).data,
      served: await ask(`units?${week}&dimensions=plan_id`),
      summary_of_europe: await ask('summary?filter=region=europe'),
      mistyped: await ask('mrr?dimensions=regoin'),
      over_http: await askOverHttp(service.url),
      metrics: engine.metrics(),
    }
  } finally {
    await service.stop()
    await engine.close()
  }
}

/** An engine put together by hand over a new connector, and the findings of the conformance kit. */
async function askLedger() {
  const url = `pglite:${fileURLToPath(new URL('../ledger-data', import.meta.url))}`
  const options = { 'database.url': url, 'store.url': 'none', 'connector.type': 'ledger', 'connector.books': 'books' }
  const customer = { customer_key: 1, source_id: 'books', customer_id: 'c-1', created_at: '2025-01-05 12:00:00' }
  const extensionsOver = (customers: readonly (typeof customer)[]): Extensions => ({
    metrics,
    connectors: [ledger(folder('ledger'), customers)],
  })
  const good = extensionsOver([customer])
  const config = loadConfig({ environment: {}, cwd: '/', home: undefined, options }, good.connectors)
  const connector = composeConnector(config, good)
  const engine = createEngine({
    executor: composeExecutor(config),
    connector,
    registry: builtInRegistry([units], [region]),
    store: null,
    clock: systemClock,
    definitions: config.definitions,
    limits: config.limits,
    replica: config.replica,
    catalog: composeCatalog(connector, good),
  })
  const customers = await engine.rows.getCustomers()
  const refused = await engine.query('units', WEEK).catch((error: unknown) => (error instanceof AppError ? error.code : error))
  await engine.close()
  const conformance = await checkConnector(config, good)
  const broken = await checkConnector(config, extensionsOver([customer, customer]))
  return { customers, refused, conformance, broken: broken.map(({ check }) => check) }
}

/** The package has types: were they lost, this would compile. */
export function askByNumber(engine: Engine): unknown {
  // @ts-expect-error A metric is asked by its name.
  return engine.query(1)
}

process.stdout.write(JSON.stringify({ samples: await askSamples(), ledger: await askLedger() }))
