import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Store } from '../../src/ports/store.ts'
import { importFxRates } from '../../src/workspace/exchange-rates/import/csv.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { copyOfReal } from '../support/data/killbill/recorded-database.ts'
import { sampleOf } from '../support/databases/rotation.ts'
import { type StorePlace, storePlace } from '../support/databases/store-places.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

const SCHEMA = 'side_by_side'
const RATES = readFileSync(join(packageRoot(), 'fixtures', 'killbill', 'real', 'expected', 'fx.csv'), 'utf8')

describeTargets(
  'a store that the billing database can read',
  (target) => {
    let database: TestDatabase
    let place: StorePlace | undefined
    let url: string
    const stores: Store[] = []
    const storeAt = (at: string, colocated: boolean) => {
      const store = createStore({ url: at, schema: SCHEMA, baseDirectory: '/', colocated })
      stores.push(store)
      return store
    }

    beforeAll(async () => {
      database = await copyOfReal(target)
      place = target.name === 'postgres' ? undefined : await storePlace(target.name)
      url = place?.url ?? database.url
      await importFxRates(RATES, storeAt(url, false), { maxBytes: 1_000_000 })
    })
    afterAll(async () => {
      await Promise.all(stores.map((store) => store.close()))
      await place?.remove()
    })

    it('gives the same figures as one whose values travel with the statement', async () => {
      const engines = await Promise.all([false, true].map((colocated) => engineOver(database, options(storeAt(url, colocated)))))
      const [apart, beside] = engines
      if (apart === undefined || beside === undefined) throw new Error('two engines are needed')
      const csv = ['external,text,seats,is_big,since']
      for (let number = 1; number <= 60; number++) {
        const day = String((number % 28) + 1).padStart(2, '0')
        csv.push(
          `alpha-acc-${String(number).padStart(4, '0')},"t${number % 3} ",${number / 4},${number % 2 === 0},2024-02-${day}`,
        )
      }
      await apart.attributes.import(toPieces(csv.join('\n')), {})
      const narrowed = [
        { 'attr.text': 't1 ' },
        { 'attr.text': 't1' },
        { 'attr.seats': { '>': '7.25' } },
        { 'attr.is_big': true },
        { 'attr.since': { between: ['2024-02-03', '2024-02-09'] } },
        { 'attr.seats': { is_empty: null } },
        { 'attr.text': { 'not in': ['t1 '] }, 'attr.is_big': false },
      ]
      for (const filters of sampleOf(target, narrowed, { first: 2, others: 3 })) {
        const [one, other] = await Promise.all(engines.map((engine) => mrr(engine, filters)))
        expect(other, JSON.stringify(filters)).toBe(one)
      }
      const cuts = [['attr.text', 'attr.is_big'], ['attr.seats'], ['attr.since', 'currency']]
      for (const dimensions of sampleOf(target, cuts, { first: 2, others: 3 })) {
        const params = { query_type: 'breakdown', start: '2026-01-01', end: '2026-10-31' }
        const [one, other] = await Promise.all(engines.map((engine) => engine.query('mrr', params, { dimensions })))
        expect(other?.data, String(dimensions)).toEqual(one?.data)
        expect(Array.isArray(one?.data) ? one.data.length : 0).toBeGreaterThan(10)
      }
      expect(await mrr(beside, { 'attr.text': 't1 ' })).toBeGreaterThan(0)
      expect(await mrr(beside, { 'attr.text': 't1' })).toBe(0)
      const statements = await beside.compile('mrr', { at: '2026-10-31' }, { filters: { 'attr.seats': '1' } })
      expect(statements.map(({ text }) => text).join()).toContain('attribute_value')
    })

    it('is refused when the billing database shows another one', async () => {
      const store = storeAt(url, true)
      const engine = await engineOver(
        database,
        options({ ...store, colocated: { schema: schemaOf(url), identity: async () => 'x' } }),
      )
      await expect(mrr(engine, { 'attr.seats': '1' })).rejects.toMatchObject({ code: 'connector_unavailable' })
    })

    const schemaOf = (at: string) => (target.name === 'postgres' ? SCHEMA : new URL(at).pathname.slice(1))
    const options = (store: Store) => ({ tenant: ['alpha'], store })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

async function mrr(engine: Engine, filters: Readonly<Record<string, unknown>>): Promise<unknown> {
  return (await engine.query('mrr', { at: '2026-10-31' }, { filters })).data
}

async function* toPieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
