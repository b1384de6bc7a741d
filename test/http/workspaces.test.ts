import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { importFxRates } from '../../src/workspace/exchange-rates/import/csv.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { copyOfReal, sharedReal } from '../support/data/killbill/recorded-database.ts'
import { type StorePlace, storePlace, storePlacesInTurn } from '../support/databases/store-places.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { type EngineOptions, engineOver } from '../support/product/recorded-engine.ts'

const RATES = readFileSync(join(packageRoot(), 'fixtures', 'killbill', 'real', 'expected', 'fx.csv'), 'utf8')
const [A, B] = ['alpha-acc-0001', 'beta-acc-0001']

interface Service {
  readonly engine: Engine
  ask(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }>
}

function serviceOf(engine: Engine): Service {
  const limits = { body_bytes: 100_000, csv_bytes: 100_000 }
  const app = createApp({ engine, version: '0', corsOrigins: [], limits, log: () => {} })
  return {
    engine,
    async ask(method, path, body) {
      const response = await app.request(`/api/${path}`, {
        method,
        headers: JSON_BODY,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: await response.json() }
    },
  }
}

describeTargets(
  'services with different tenants',
  (target) => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await sharedReal(target)
    })

    describe.each(storePlacesInTurn(['postgres', 'mariadb', 'mysql', 'sqlite']))(
      'that share a store on %s',
      (_kind, makePlace) => {
        let place: StorePlace
        const services: Service[] = []
        const start = async (tenant: readonly string[], options: EngineOptions = {}): Promise<Service> => {
          const store = createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
          const service = serviceOf(await engineOver(database, { tenant, store, ...options }))
          services.push(service)
          return service
        }
        const filters = { filters: { 'attr.own_tier': 'gold' } }
        let alpha: Service
        let beta: Service

        beforeAll(async () => {
          place = await makePlace()
          const store = createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
          await importFxRates(RATES, store, { maxBytes: 1_000_000 })
          await store.close()
          alpha = await start(['alpha'])
          beta = await start(['beta'])
        })
        afterAll(async () => {
          await Promise.all(services.map(({ engine }) => engine.close()))
          await place.remove()
        })

        it('see no definition, note, value or count of each other', async () => {
          const set = await alpha.ask('POST', `customers/${A}/attributes`, {
            attributes: { own_tier: 'gold', secret: 'of alpha' },
          })
          expect(set.status).toBe(200)
          expect((await alpha.ask('PUT', 'attributes/tier', { label: 'of alpha' })).status).toBe(200)
          expect(await alpha.ask('GET', 'attributes/own_tier/values')).toMatchObject({ body: { values: ['gold'] } })
          expect((await beta.ask('GET', 'attributes/own_tier/values')).status).toBe(404)
          expect(JSON.stringify((await beta.ask('GET', 'attributes')).body)).not.toMatch(/of alpha|"own_tier"|"secret"/)

          // The same key with another type, and a value for a customer of this workspace.
          expect((await beta.ask('POST', `customers/${B}/attributes`, { attributes: { own_tier: 7 } })).status).toBe(200)
          expect(await beta.ask('GET', 'attributes/own_tier/values')).toMatchObject({ body: { type: 'number', values: [7] } })
          expect(await alpha.ask('GET', 'attributes/own_tier/values')).toMatchObject({
            body: { type: 'string', values: ['gold'] },
          })
          const pages = await Promise.all([alpha, beta].map((service) => service.ask('GET', 'customer-attributes?key=own_tier')))
          expect(pages.map(({ body }) => body)).toMatchObject([
            { total: 1, rows: [{ value: 'gold' }] },
            { total: 1, rows: [{ value: 7 }] },
          ])
          expect(await alpha.engine.query('mrr', { query_type: 'current' }, filters)).toMatchObject({ data: expect.any(Number) })
          expect((await beta.ask('DELETE', `customers/${B}/attributes/secret`)).status).toBe(404)
          expect(await alpha.ask('GET', 'attributes/secret/values')).toMatchObject({ body: { values: ['of alpha'] } })
        })

        it('see no segment of each other, and may use one name', async () => {
          const definition = { version: 1, root: { op: 'and', conditions: [{ field: 'plan_id', op: 'in', value: ['x'] }] } }
          const made = await alpha.ask('POST', 'segments', { name: 'Ours', definition })
          const { id } = made.body as { readonly id: string }
          expect(made.status).toBe(201)
          expect(await beta.ask('GET', 'segments')).toEqual({ status: 200, body: [] })
          expect((await beta.ask('GET', `segments/${id}`)).status).toBe(404)
          expect((await beta.ask('PUT', `segments/${id}`, { name: 'Taken' })).status).toBe(404)
          expect((await beta.ask('DELETE', `segments/${id}`)).status).toBe(404)
          expect((await beta.ask('GET', `metrics/mrr?segment=${id}`)).status).toBe(404)
          expect((await beta.ask('POST', 'segments', { name: 'Ours', definition })).status).toBe(201)
          expect((await alpha.ask('POST', 'segments', { name: 'Ours', definition })).status).toBe(409)
          expect((await alpha.ask('GET', `metrics/mrr?segment=${id}`)).status).toBe(200)
        })

        it('find their own again after a restart, and share rates', async () => {
          const again = await start(['alpha'])
          expect(await again.ask('GET', 'attributes/own_tier/values')).toMatchObject({ body: { values: ['gold'] } })
          expect((await again.ask('GET', 'segments')).body).toHaveLength(1)
        })

        it('of which one serves both keep apart all the same', async () => {
          for (const tenant of [['all'], ['alpha', 'beta']]) {
            const both = await start(tenant)
            expect((await both.ask('GET', 'attributes/own_tier/values')).status).toBe(404)
            expect(await both.ask('GET', 'segments')).toEqual({ status: 200, body: [] })
          }
          const [one, other] = [await start(['alpha', 'beta']), await start(['beta', 'alpha'])]
          await one.ask('POST', `customers/${A}/attributes`, { attributes: { of_both: 'yes' } })
          expect(await other.ask('GET', 'attributes/of_both/values')).toMatchObject({ body: { values: ['yes'] } })
        })

        it('share what a configured workspace holds, but values of own customers only', async () => {
          const [first, second] = [await start(['alpha'], { workspace: 'team' }), await start(['beta'], { workspace: 'team' })]
          await first.ask('POST', `customers/${A}/attributes`, { attributes: { shared: 'a' } })
          await second.ask('POST', `customers/${B}/attributes`, { attributes: { shared: 'b' } })
          expect(await first.ask('GET', 'attributes/shared/values')).toMatchObject({ body: { values: ['a'] } })
          expect(await second.ask('GET', 'attributes/shared/values')).toMatchObject({ body: { values: ['b'] } })
        })
      },
    )
  },
  { only: ['postgres'] },
)

describeTargets(
  'a colocated store of two services',
  (target) => {
    it('joins the values of the one that asks', async () => {
      const database = await copyOfReal(target)
      const place = target.name === 'postgres' ? undefined : await storePlace(target.name)
      const options = { url: place?.url ?? database.url, schema: 'side_of_two', baseDirectory: '/', colocated: true }
      const start = (workspace: string) => engineOver(database, { tenant: ['beta'], workspace, store: createStore(options) })
      const rates = createStore(options)
      await importFxRates(RATES, rates, { maxBytes: 1_000_000 })
      await rates.close()
      const engines = [await start('one'), await start('two')]
      const current = async (engine: Engine | undefined, filters = {}) =>
        (await engine?.query('mrr', { query_type: 'current' }, { filters }))?.data
      await Promise.all(engines.map((engine, index) => engine.attributes.import(csv(index), {})))
      const [all, ...counted] = await Promise.all([
        current(engines[0]),
        ...engines.map((engine) => current(engine, { 'attr.half': { is_not_empty: null } })),
      ])
      expect(counted.every((amount) => Number(amount) > 0)).toBe(true)
      expect(Number(counted[0]) + Number(counted[1])).toBe(all)
      const statements = await engines[0]?.compile('mrr', { query_type: 'current' }, { filters: { 'attr.half': 'x' } })
      expect(statements?.map(({ text }) => text).join()).toContain('attribute_value')
      await Promise.all(engines.map((engine) => engine.close()))
      await place?.remove()
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

/** A value for every customer whose number leaves this rest. */
async function* csv(rest: number): AsyncGenerator<Uint8Array> {
  const rows = Array.from({ length: 40 }, (_, index) => index + 1).filter((number) => number % 2 === rest)
  yield Buffer.from(`external,half\n${rows.map((number) => `beta-acc-${String(number).padStart(4, '0')},x`).join('\n')}\n`)
}
