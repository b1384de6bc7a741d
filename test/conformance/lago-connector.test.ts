import { beforeAll, expect, it } from 'vitest'
import { createLagoConnector } from '../../connectors/lago/index.ts'
import { checkConformance } from '../../src/connector-kit/conformance.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import { ratesByDay } from '../../src/query/fx-rates.ts'
import { copyOfNorth, sharedNorth, sharedNorthAndSouth } from '../support/data/lago/north-database.ts'
import { onPostgres, type TestDatabase } from '../support/databases/targets.ts'
import { END_OF_NORTH, lagoCatalog, lagoEngine, NORTH_RATES } from '../support/product/lago-engine.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]

onPostgres('the relations of the Lago connector', (target) => {
  let north: TestDatabase
  beforeAll(async () => {
    north = await sharedNorth(target)
  })

  it('keep their contracts', async () => {
    const findings = await checkConformance({
      connector: createLagoConnector({ organization: [] }),
      executor: north.executor(),
      catalog: lagoCatalog(),
      now: END_OF_NORTH,
      definitions: { ...definitionsSchema.parse({ allow_unpriced: true }), base_currency: 'USD' },
      rates: ratesByDay([...NORTH_RATES], { base: 'USD', currencies: ['EUR', 'GBP', 'JPY', 'KWD'], through: END_OF_NORTH }),
    })
    expect(findings).toEqual([])
  })

  it('say that the history of prices is inferred', async () => {
    const { meta } = await (await lagoEngine(north)).query('mrr')
    expect(meta.warnings.map(({ code }) => code)).toContain('inferred')
  })

  it('read a change whose values are lost', async () => {
    const database = await copyOfNorth(target)
    try {
      const mrr = (await (await lagoEngine(database)).query('mrr')).data
      await database.adminQuery(`update versions set object_changes = null where item_type = 'FixedCharge'`)
      expect((await (await lagoEngine(database)).query('mrr')).data).toBe(mrr)
    } finally {
      await database.drop()
    }
  })
})

onPostgres('two Lago organizations whose customers have the same external ids', (target) => {
  it('never mix', async () => {
    const both = await sharedNorthAndSouth(target)
    const range = { start: '2025-03-01', end: '2026-10-31' }
    const [alone, north, all] = [
      await lagoEngine(await sharedNorth(target)),
      await lagoEngine(both, { organization: ['North Ltd'] }),
      await lagoEngine(both, { organization: ['all'] }),
    ]
    for (const query_type of ['breakdown', 'waterfall'])
      expect((await north.query('mrr', { query_type, ...range })).data).toEqual(
        (await alone.query('mrr', { query_type, ...range })).data,
      )
    const mrr = (await alone.query('mrr')).data
    expect((await all.query('mrr', {}, { dimensions: ['tenant'] })).data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ tenant: 'North Ltd', mrr }),
        expect.objectContaining({ tenant: 'South Ltd', mrr }),
      ]),
    )
    const usage = (await alone.query('usage_revenue', range)).data
    const byTenant = (await all.query('usage_revenue', range, { dimensions: ['tenant'] })).data as Rows
    expect(byTenant.map((row) => row['revenue'])).toEqual([usage, usage])
  })

  it('must be chosen', async () => {
    const both = await sharedNorthAndSouth(target)
    await expect((await lagoEngine(both)).query('mrr')).rejects.toThrow(/connector.organization must name one of/)
    await expect((await lagoEngine(both, { organization: ['East Ltd'] })).query('mrr')).rejects.toThrow(
      /no organization "East Ltd"; there are "North Ltd", "South Ltd"/,
    )
  })
})
