import { beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/facades/http/app.ts'
import { loadRecordScenario, SCENARIO_NOW } from '../support/data/record-scenario.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

oneEngineInRotation('the data endpoints over a real database', (target) => {
  let app: ReturnType<typeof createApp>
  let linked: ReturnType<typeof createApp>
  let misled: ReturnType<typeof createApp>
  beforeAll(async () => {
    const database = await target.createDatabase()
    await loadRecordScenario(database)
    const store = await ratesOnly('date,from,to,rate\n2025-01-01,GBP,USD,1.3\n')
    const serving = async (kauiUrl?: string) => {
      const kaui = kauiUrl === undefined ? {} : { kauiUrl }
      const engine = await engineOver(database, { tenant: ['all'], now: SCENARIO_NOW, store, ...kaui })
      return createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 1000 }, log: () => {} })
    }
    app = await serving()
    linked = await serving('https://kaui.example.com/kaui/')
    misled = await serving('ftp://kaui.example.com')
  })
  const get = async (path: string) => {
    const response = await app.request(path)
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown> & { issues: { where: string }[] },
    }
  }

  it('answers pages, one customer and the summary', async () => {
    const page = await get('/api/subscriptions?limit=2&offset=1&filter=status=active')
    expect(page).toMatchObject({
      status: 200,
      body: { total: 3, limit: 2, offset: 1, rows: [{ id: 'ghost' }, { id: 'leaving' }] },
    })
    expect(page.headers.get('x-data-through')).toBe('2026-01-10T00:00:00.000Z')
    expect(await get('/api/customers/acme')).toMatchObject({ status: 200, body: { id: 'A', attributes: {} } })
    const summary = await get('/api/metrics/summary?filter=customer_id=A')
    expect(summary).toMatchObject({ status: 200, body: { mrr: 3000, active_customers: 1, as_of: '2026-01-10', unsupported: [] } })
  })

  it('links one customer to the admin pages of the engine, if their address is known', async () => {
    const customer = async (from: typeof app, name: string) => (await from.request(`/api/customers/${name}`)).json()
    const admin_url = 'https://kaui.example.com/kaui/accounts/A'
    expect(await customer(linked, 'A')).toEqual({ ...((await customer(app, 'A')) as object), admin_url })
    expect(await customer(linked, 'acme')).toMatchObject({ id: 'A', admin_url })
    expect(await customer(app, 'A')).toMatchObject({ admin_url: null })
    const csv = await (await linked.request('/api/customers/A?format=csv')).text()
    expect(csv.split('\r\n')[0]?.split(',')).toContain('admin_url')
    expect(csv).toContain(admin_url)
  })

  it('hands out no link of another kind than http and https, should a connector write one', async () => {
    const response = await misled.request('/api/customers/A')
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('ftp:')
  })

  it('a list never fails for a price or rate that is missing, the summary does', async () => {
    expect((await get('/api/customers')).status).toBe(200)
    expect(await get('/api/metrics/summary')).toMatchObject({ status: 422, body: { code: 'missing_fx_rate' } })
    expect(await get('/api/metrics/summary?filter=customer_id=D')).toMatchObject({
      status: 422,
      body: { code: 'unpriced_plan', plans: [{ plan_id: 'ghost', currency: 'USD', count: 1 }] },
    })
  })

  it.each([
    ['limit=0', 'query.limit'],
    ['limit=1001', 'query.limit'],
    ['limit=-1', 'query.limit'],
    ['limit=1.5', 'query.limit'],
    ['limit=1e2', 'query.limit'],
    ['limit=ten', 'query.limit'],
    ['limit=1&limit=2', 'query.limit'],
    ['offset=-1', 'query.offset'],
    ['offset=99999999999999999999', 'query.offset'],
    ['limits=3', 'query.limits'],
    ['search=a%00b', 'query.search'],
    ['search=a&search=b', 'query.search'],
    ['filter=status=activ', 'query.filter'],
    ['filter=status', 'query.filter'],
    ['explain=true', 'query.explain'],
    ['query_type=mrr', 'query.query_type'],
    ['format=xml', 'query.format'],
    ['at=yesterday', 'query.at'],
  ])('?%s is invalid_value', async (query, where) => {
    for (const path of ['/api/customers', '/api/subscriptions', '/api/invoices']) {
      expect(await get(`${path}?${query}`), path).toMatchObject({
        status: 400,
        body: { code: 'invalid_value', issues: [{ where }] },
      })
    }
  })

  it('names what there is, and reports everything at once', async () => {
    const refused = await get('/api/customers?filter=plan=x')
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'unknown_filter', issues: [{ did_you_mean: expect.arrayContaining(['plan_id']) }] },
    })
    expect(refused.body['available_filters']).toEqual(expect.arrayContaining(['country', 'currency', 'status', 'plan_id']))
    expect(await get('/api/invoices?filter=status=pad')).toMatchObject({
      body: { available: ['draft', 'void', 'paid', 'uncollectible', 'open'], issues: [{ did_you_mean: ['paid'] }] },
    })
    const { body } = await get(
      '/api/invoices?limit=0&offset=x&dimensions=plan_id&granularity=month&start=2025-02-01&end=2025-01-01',
    )
    expect(body['code']).toBe('unknown_dimension')
    expect(body.issues.map((issue) => issue.where).sort()).toEqual([
      'query.dimensions',
      'query.granularity',
      'query.limit',
      'query.offset',
      'query.start',
    ])
    expect(await get('/api/customers?customer_id=A')).toMatchObject({ status: 400, body: { code: 'invalid_value' } })
    expect(await get('/api/customers/A?limit=3')).toMatchObject({ status: 400, body: { code: 'invalid_value' } })
  })

  it('warns about common parameters without effect', async () => {
    const { status, headers } = await get('/api/customers?at=2025-01-01&interval=month&start=2025-01-01')
    expect([status, headers.get('x-warnings')]).toEqual([200, 'unused_parameter'])
    expect((await get('/api/invoices?start=2025-01-01')).headers.get('x-warnings')).toBeNull()
  })

  it('unknown customers are 404, an ambiguous key 409', async () => {
    expect(await get('/api/customers/nobody')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await get('/api/customers/%00')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await get('/api/customers/same')).toMatchObject({ status: 409, body: { code: 'conflict', source_ids: ['T1', 'T2'] } })
    expect(await get('/api/customers/same?source_id=T2')).toMatchObject({ status: 200, body: { id: 'D2' } })
  })

  describe('CSV', () => {
    it.each([
      ['/api/customers?format=csv&limit=1', 'id,source_id,tenant,external_key,name,email,country,currency,status,created_at'],
      ['/api/invoices?format=csv&search=nothing', 'id,source_id,tenant,number,customer_id,customer_name,subscription_ids,status'],
      [
        '/api/metrics/summary?format=csv&filter=customer_id=A',
        'mrr,arr,arpu,active_customers,active_subscriptions,nrr_12_months,grr_12_months',
      ],
    ])('%s', async (path, header) => {
      const response = await app.request(path)
      expect(response.headers.get('content-type')).toContain('text/csv')
      expect((await response.text()).startsWith(header)).toBe(true)
    })
  })
})
