import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { metricExamples } from '../support/product/examples/metric-examples.ts'
import { type GuardedService, openGuardedService } from '../support/product/guarded-service.ts'

const ONE_CUSTOMER = JSON.stringify({
  root: { op: 'and', conditions: [{ field: 'customer.email', op: 'contains', value: 'x' }] },
})
const MONTHS = { start: '2026-08-01', end: '2026-10-31' }

let service: GuardedService
let headers: { readonly authorization: string; readonly 'content-type': string }
/** Ids, names, e-mail addresses and keys of all customers, subscriptions, bundles and vendors. */
let names: readonly string[]

beforeAll(async () => {
  service = await openGuardedService()
  headers = {
    authorization: `Bearer ${(await service.makeKey(['read:aggregate'])).secret}`,
    'content-type': 'application/json',
  }
  const { engine } = service
  const customers = await rowsOf(engine.list('customers', { limit: '1000' }))
  const subscriptions = await rowsOf(engine.list('subscriptions', { limit: '1000' }))
  names = [
    ...customers.flatMap(({ id, external_key, name, email }) => [id, external_key, name, email]),
    ...subscriptions.flatMap(({ id, bundle_id }) => [id, bundle_id]),
  ].filter((text): text is string => typeof text === 'string' && text.length > 3)
  expect(customers.length).toBeGreaterThan(100)
})
afterAll(() => service.close())

async function rowsOf(answer: Promise<{ readonly data: unknown }>): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return ((await answer).data as { rows: readonly Readonly<Record<string, unknown>>[] }).rows
}

interface Asked {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever a test expects it to be
  readonly body: any
}

async function ask(path: string, body?: unknown): Promise<Asked> {
  const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) }
  const response = await service.app.request(path, init)
  const text = await response.text()
  return { status: response.status, text, body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : null }
}

function disclosed(text: string): readonly string[] {
  return names.filter((name) => text.includes(name))
}

const queryOf = (values: object) =>
  new URLSearchParams(Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]))

describe('a caller with read:aggregate', () => {
  it('reads every path of metrics that has no customers in it, and is refused the others', async () => {
    const answers: Record<string, number> = {}
    for (const name of service.engine.metrics())
      for (const route of service.engine.metric(name)?.routes ?? []) {
        const definition = service.engine.metric(name)
        const [example] = definition === undefined ? [] : metricExamples(definition, route, new Date(service.now))
        const hasDays = example?.query !== undefined && ('at' in example.query || 'period' in example.query)
        const days = hasDays ? {} : MONTHS
        const { status, text } = await ask(`/api/metrics/${route.path}?${queryOf({ ...days, ...example?.query })}`)
        answers[route.path] = status
        expect(disclosed(text), route.path).toEqual([])
      }
    const refused = Object.keys(answers).filter((path) => answers[path] === 403)
    expect(refused.sort()).toEqual([
      'churn/customers',
      'churn/revenue-events',
      'expenses/by_vendor',
      'mrr/why',
      'usage-revenue/by-customer',
    ])
    // The sample has no books.
    const others = Object.entries(answers).filter(([path]) => !refused.includes(path) && !path.startsWith('expenses'))
    expect(others.filter(([, status]) => status !== 200)).toEqual([])
    expect(others.length).toBeGreaterThan(12)
    const { status, text } = await ask('/api/metrics/summary')
    expect([status, disclosed(text)]).toEqual([200, []])
  })

  it('groups and filters by what tells no customer from another, and by nothing else', async () => {
    const open: string[] = []
    const closed: string[] = []
    const { data } = await service.engine.fields('mrr')
    for (const { key } of data.dimensions) {
      const { status, text, body } = await ask(`/api/metrics/mrr?dimensions=${key}`)
      expect(disclosed(text), key).toEqual([])
      if (status === 403) expect(body).toMatchObject({ code: 'forbidden', required_scope: 'read', fields: [key] })
      // A type of movement is a dimension of a series only.
      else expect([key, status]).toEqual([key, key === 'movement_type' ? 400 : 200])
      ;(status === 403 ? closed : open).push(key)
    }
    expect(closed.sort()).toEqual(['bundle_id', 'customer_id', 'customer_name'])
    expect(open).toEqual(expect.arrayContaining(['plan_id', 'currency', 'customer_country', 'cohort_month']))
    const singling = data.filters.filter(({ key }) => !open.includes(key) && key !== 'occurred_at')
    expect(singling.map(({ key }) => key)).toEqual(expect.arrayContaining(['customer_id', 'customer.email', 'customer.name']))
    const values = { string: 'x', number: 1, boolean: true, date: '2026-01-01', timestamp: '2026-01-01' } as const
    for (const { key, type } of singling) {
      const { status } = await ask('/api/metrics/mrr', { spec: { filters: { [key]: values[type] } } })
      expect([key, status]).toEqual([key, 403])
    }
  })

  it.each([
    ['a list of customers by another name', { params: { query_type: 'detail', ...MONTHS } }, 'churn'],
    ['the same of events', { params: { query_type: 'revenue_events', ...MONTHS } }, 'churn'],
    ['reasons with names', { params: { query_type: 'why', ...MONTHS } }, 'mrr'],
    ['customers of usage', { params: { query_type: 'by_customer', ...MONTHS } }, 'usage_revenue'],
    ['one customer', { spec: { filters: { customer_id: 'x' } } }, 'mrr'],
    ['one customer by a segment that is written into the question', { params: { segment: ONE_CUSTOMER } }, 'mrr'],
    ['who has an address', { spec: { filters: { 'customer.email': { contains: '@' } } } }, 'mrr'],
    ['an attribute', { spec: { filters: { 'attr.tier': 'gold' } } }, 'mrr'],
    ['values of an attribute', { spec: { dimensions: ['attr.tier'] } }, 'mrr'],
    ['customers beside another question', { spec: { dimensions: ['plan_id', 'customer_name'] } }, 'mrr'],
  ])('asks for %s in a body and is refused', async (_, body, metric) => {
    const { status, body: refused } = await ask(`/api/metrics/${metric}`, body)
    expect([status, refused.code, refused.required_scope]).toEqual([403, 'forbidden', 'read'])
  })

  it('is refused what others are answered at the same moment', async () => {
    const reader = { ...headers, authorization: `Bearer ${(await service.makeKey(['read'])).secret}` }
    await service.app.request('/api/attributes', {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${(await service.makeKey(['write'])).secret}` },
      body: JSON.stringify({ key: 'rank', type: 'string' }),
    })
    const path = '/api/metrics/mrr?dimensions=attr.rank'
    const both = await Promise.all([service.app.request(path, { headers: reader }), service.app.request(path, { headers })])
    expect(both.map(({ status }) => status)).toEqual([200, 403])
  })

  it('sees segments by name, and figures of them, without what they are made of', async () => {
    const [customer] = await rowsOf(service.engine.list('customers', { limit: '1' }))
    const definition = { root: { op: 'and', conditions: [{ field: 'customer.id', op: '=', value: customer?.['id'] }] } }
    const { id } = await service.engine.segments.create({ name: 'Key account', definition })
    const { status, body, text } = await ask('/api/segments')
    expect([status, body.map((each: { name: string }) => each.name)]).toEqual([200, expect.arrayContaining(['Key account'])])
    expect(disclosed(text)).toEqual([])
    expect((await ask(`/api/segments/${id}`)).status).toBe(403)
    expect((await ask(`/api/metrics/mrr?segment=${id}`)).status).toBe(200)
  })

  it('gets the usual errors for a wrong question', async () => {
    expect(await ask('/api/metrics/mrr?dimensions=plan')).toMatchObject({ status: 400, body: { code: 'unknown_dimension' } })
    expect(await ask('/api/metrics/mmr/fields')).toMatchObject({ status: 404, body: { code: 'unknown_metric' } })
  })
})
