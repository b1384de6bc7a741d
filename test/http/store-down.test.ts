import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import type { Store } from '../../src/ports/store.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { held, trap } from '../support/data/catalogs/trap-catalog.ts'
import type { Scenario } from '../support/data/scenario-tables.ts'
import { type StallingProxy, startStallingProxy } from '../support/databases/proxies.ts'
import { firstEngineAndOneOther, sampleOf } from '../support/databases/rotation.ts'
import { type StorePlace, storePlace } from '../support/databases/store-places.ts'
import { appOver } from '../support/product/app-over-engine.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { trapEngines } from '../support/product/trap-engines.ts'

const AUTO_PAY_OFF = { tag_definition_id: '00000000-0000-0000-0000-000000000001', object_type: 'ACCOUNT', object_id: 'A' }
const SUBSCRIBED = { subscriptions: { S: held('gold', '2025-01-10') }, tags: [{ ...AUTO_PAY_OFF, account_record_id: 1 }] }

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  dollars: trap(SUBSCRIBED),
  'and euros': trap({
    ...SUBSCRIBED,
    accounts: { A: {}, E: { currency: 'EUR' } },
    subscriptions: { ...SUBSCRIBED.subscriptions, E: { ...held('gold', '2025-01-10'), account: 'E' } },
  }),
}

const MONTH = 'start=2025-03-01&end=2025-03-31'

/** Requests that need no segment, no stored attribute and no rate. */
const WORKING = [
  'api/metrics',
  'api/metrics/mrr?at=2025-03-31',
  'api/metrics/mrr?at=2025-03-31&dimensions=plan_id,currency&format=csv',
  'api/metrics/mrr?at=2025-03-31&filter=customer.external_key=A',
  `api/metrics/mrr?${MONTH}`,
  'api/metrics/arr',
  'api/metrics/mrr/components',
  `api/metrics/mrr/breakdown?${MONTH}`,
  `api/metrics/mrr/waterfall?${MONTH}`,
  `api/metrics/churn?${MONTH}`,
  `api/metrics/churn/customers?${MONTH}`,
  `api/metrics/churn/revenue_events?${MONTH}`,
  `api/metrics/retention?${MONTH}`,
  `api/metrics/retention?query_type=nrr&${MONTH}`,
  `api/metrics/ltv?${MONTH}`,
  'api/metrics/ltv/arpu',
  `api/metrics/ltv/cohort?${MONTH}`,
  `api/metrics/trials?${MONTH}`,
  `api/metrics/trials/funnel?${MONTH}`,
  `api/metrics/usage_revenue?${MONTH}`,
  `api/metrics/usage_revenue/by_customer?${MONTH}`,
  'api/metrics/summary',
  'api/customers',
  'api/customers?search=A&filter=status=active',
  'api/subscriptions',
  'api/invoices',
  'api/attributes/computed.cohort_month/values',
  'healthz',
  'openapi.json',
]

const ANY_ID = '00000000-0000-4000-8000-000000000001'

/** Requests that a segment or a stored attribute decides. A stored key may hide the engine's, so no name of an attribute is sure. */
const REFUSED: readonly { readonly method: string; readonly path: string; readonly body?: unknown }[] = [
  { method: 'GET', path: 'metrics/mrr?filter=attr.tier=gold' },
  { method: 'GET', path: 'metrics/mrr?filter=attr.tag.AUTO_PAY_OFF=true' },
  { method: 'GET', path: `metrics/mrr?segment=${ANY_ID}` },
  { method: 'GET', path: `metrics/churn?${MONTH}&compare_segments=${ANY_ID}` },
  { method: 'GET', path: `metrics/summary?segment=${ANY_ID}` },
  { method: 'GET', path: `customers?segment=${ANY_ID}` },
  { method: 'POST', path: 'metrics/mrr', body: { spec: { compare: [ANY_ID] } } },
  { method: 'GET', path: 'attributes' },
  { method: 'GET', path: 'attributes/tier/values' },
  { method: 'GET', path: 'customer-attributes' },
  { method: 'POST', path: 'attributes', body: { key: 'new', type: 'string' } },
  { method: 'PUT', path: 'attributes/tier', body: { label: 'Tier' } },
  { method: 'POST', path: 'customers/A/attributes', body: { attributes: { tier: 'silver' } } },
  { method: 'DELETE', path: 'customers/A/attributes/tier' },
  { method: 'GET', path: 'billing-health?mark=none' },
  { method: 'GET', path: 'billing-health/findings?mark=no_error' },
  { method: 'GET', path: 'billing-health/notices?filter=mark=seen' },
  { method: 'GET', path: 'billing-health/marks' },
  { method: 'POST', path: 'billing-health/marks', body: { kind: 'not_billed', state: 'seen' } },
  { method: 'DELETE', path: `billing-health/marks/${ANY_ID}` },
  { method: 'GET', path: 'segments' },
  { method: 'GET', path: `segments/${ANY_ID}` },
  { method: 'POST', path: 'segments', body: { name: 'x', definition: { root: { op: 'and', conditions: [] } } } },
  { method: 'PUT', path: `segments/${ANY_ID}`, body: { name: 'y' } },
  { method: 'DELETE', path: `segments/${ANY_ID}` },
  {
    method: 'POST',
    path: 'segments/validate',
    body: { root: { op: 'and', conditions: [{ field: 'attr.tier', op: '=', value: 'gold' }] } },
  },
]

firstEngineAndOneOther(
  'while the store is down',
  (target) => {
    let place: StorePlace
    let proxy: StallingProxy
    let store: Store
    let dollars: Engine
    let euros: Engine
    beforeAll(async () => {
      place = await storePlace(target.name)
      proxy = await startStallingProxy(place.url)
      store = createStore({ url: proxy.url, schema: 'side', baseDirectory: '/' })
      const engineOf = await trapEngines(target, SCENARIOS)
      dollars = await engineOf('dollars', store)
      euros = await engineOf('and euros', store)
      expect((await ask('POST', 'customers/A/attributes', { attributes: { tier: 'gold' } })).status).toBe(200)
      expect(await (await request('GET', 'api/customers/A')).json()).toMatchObject({
        attributes: { tier: 'gold', 'tag.AUTO_PAY_OFF': true },
      })
      await proxy.close()
    })
    afterAll(async () => {
      await store.close()
      await place.remove()
    })

    const request = async (method: string, path: string, body?: unknown, over = dollars) =>
      appOver(over).request(`/${path}`, {
        method,
        headers: JSON_BODY,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    const ask = async (method: string, path: string, body?: unknown, over = dollars) => {
      const response = await request(method, `api/${path}`, body, over)
      return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> }
    }

    it.each(sampleOf(target, WORKING, { first: 1, others: 3 }))('%s works', async (path) => {
      const response = await request('GET', path)
      expect(`${response.status} ${await response.text()}`).toMatch(/^200 ./)
      expect(response.headers.get('x-warnings') ?? '').not.toContain('partial')
    })

    it('figures are what they are', async () => {
      expect((await ask('GET', 'metrics/mrr?at=2025-03-31')).body).toBe(3000)
    })

    it.each(REFUSED)('$method $path says that the store cannot be reached', async ({ method, path, body }) => {
      expect(await ask(method, path, body)).toMatchObject({
        status: 503,
        body: { code: 'connector_unavailable', detail: expect.stringContaining('store') },
      })
    })

    it('an import of attributes says so too', async () => {
      const form = new FormData()
      form.set('file', new Blob(['customer_id,tier\nA,gold\n']), 'a.csv')
      expect((await appOver(dollars).request('/api/attributes/import', { method: 'POST', body: form })).status).toBe(503)
    })

    it('discovery and a customer are answered without what is stored, with a warning', async () => {
      const fields = await request('GET', 'api/metrics/mrr/fields')
      expect([fields.status, fields.headers.get('x-warnings')]).toEqual([200, 'partial'])
      const { attributes, filters } = (await fields.json()) as Record<string, { key: string }[]>
      expect(attributes).toEqual([expect.objectContaining({ key: 'attr.tag.AUTO_PAY_OFF', type: 'boolean' })])
      expect(filters?.map(({ key }) => key)).toContain('attr.tag.AUTO_PAY_OFF')

      const customer = await request('GET', 'api/customers/A')
      expect([customer.status, customer.headers.get('x-warnings')]).toEqual([200, 'partial'])
      expect(await customer.json()).toMatchObject({
        external_key: 'A',
        mrr_base_cents: 3000,
        subscriptions: [{ status: 'active' }],
        attributes: { 'tag.AUTO_PAY_OFF': true },
      })
    })

    it('billing health counts as without marks, with a warning', async () => {
      for (const path of ['billing-health', 'billing-health/findings', 'billing-health/notices']) {
        const response = await request('GET', `api/${path}`)
        expect([path, response.status, response.headers.get('x-warnings')]).toEqual([path, 200, 'partial'])
      }
      const { body } = await ask('GET', 'billing-health')
      expect(body).toMatchObject({ seen: 0, marked: { findings: 0 }, classes: [{ class: 'not_billed', findings: 1 }] })
    })

    it('a segment without attributes is judged all the same', async () => {
      const definition = { root: { op: 'and', conditions: [{ field: 'plan_id', op: '=', value: 'gold' }] } }
      expect(await ask('POST', 'segments/validate', definition)).toMatchObject({ status: 200, body: { valid: true } })
    })

    it('answers that need a rate fail, amounts in their own currency do not', async () => {
      for (const path of ['metrics/mrr', 'metrics/summary', 'customers', 'customers/A', 'subscriptions']) {
        expect(await ask('GET', path, undefined, euros), path).toMatchObject({ status: 503 })
      }
      const { body } = await ask('GET', 'metrics/mrr?at=2025-03-31&dimensions=currency', undefined, euros)
      expect(body).toEqual([
        { currency: 'EUR', mrr: expect.any(Number) },
        { currency: 'USD', mrr: 3000 },
      ])
    })

    it('readiness names the store, and check fails for it alone', async () => {
      const ready = await request('GET', 'readyz')
      expect(ready.status).toBe(503)
      expect(await ready.json()).toMatchObject({ status: 'unavailable', checks: { replica: { ok: true }, store: { ok: false } } })
      const failures = (await dollars.check()).filter(({ level }) => level === 'failure')
      expect(failures.map(({ name }) => name)).toEqual(['store'])
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)
