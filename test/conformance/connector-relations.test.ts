import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { loadCatalog } from '../../src/compiler/catalog.ts'
import { checkConformance } from '../../src/connector-kit/conformance.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { ratesByDay } from '../../src/query/fx-rates.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { realRates } from '../support/data/recorded/recorded-tables.ts'
import { everyEngine, sampleOf } from '../support/databases/rotation.ts'
import { isFirst, type TestDatabase } from '../support/databases/targets.ts'
import { END_OF_RECORDING } from '../support/product/recorded-engine.ts'

everyEngine('the relations of the Kill Bill connector on the recording', (target) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await sharedReal(target)
  })

  // The relations are the same templates for whichever tenant: each engine is asked about one in turn, the first about another than the others.
  const tenants = sampleOf(target, ['alpha', 'beta', 'all'], { first: 3, others: 3, shift: isFirst(target) ? 1 : 0 })
  it.each(tenants)('%s: every relation keeps its contract', async (tenant) => {
    const connector = createKillbillConnector({ tenant: [tenant], catalog: [] })
    const findings = await checkConformance({
      connector,
      executor: database.executor({ statementTimeoutMs: 120_000 }),
      catalog: loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [connector.relationsDirectory] }),
      now: END_OF_RECORDING,
      definitions: { ...definitionsSchema.parse({}), base_currency: 'USD' },
      rates: ratesByDay([...realRates], { base: 'USD', currencies: ['EUR', 'GBP', 'JPY'], through: END_OF_RECORDING }),
    })
    expect(findings).toEqual([])
  })
})
