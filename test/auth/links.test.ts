import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digestOf } from '../../src/auth/api-key.ts'
import { createLinkToken } from '../../src/auth/link-token.ts'
import { createApp } from '../../src/facades/http/app.ts'
import type { StoredLink } from '../../src/ports/link-store.ts'
import { type GuardedService, guardedOperations, openGuardedService, requestFor } from '../support/product/guarded-service.ts'
import { chartsOfAllFigures, type KeptChart } from '../support/product/saved-charts.ts'

type Row = Readonly<Record<string, unknown>>

let service: GuardedService
let keys: Readonly<Record<'aggregate' | 'read' | 'write' | 'other' | 'admin', string>>
beforeAll(async () => {
  service = await openGuardedService()
  const keyOf = async (scope: 'read:aggregate' | 'read' | 'write' | 'admin') => (await service.makeKey([scope])).secret
  keys = {
    aggregate: await keyOf('read:aggregate'),
    read: await keyOf('read'),
    write: await keyOf('write'),
    other: await keyOf('write'),
    admin: await keyOf('admin'),
  }
})
afterAll(() => service.close())

async function ask(
  credential: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await service.app.request(path, {
    method,
    headers: {
      ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever a test expects it to be
  const parsed: any = response.headers.get('content-type')?.startsWith('application/json') === true ? JSON.parse(text) : text
  return { status: response.status, body: parsed, headers: response.headers }
}

/** A dashboard of the writer with these charts, and their ids. */
async function dashboardWith(charts: readonly { readonly name: string; readonly config: unknown }[], visibility = 'private') {
  const { body: board } = await ask(keys.write, 'POST', '/api/dashboards', { name: 'Board of directors', visibility })
  const { body: section } = await ask(keys.write, 'POST', `/api/dashboards/${board.id}/sections`, { title: 'one' })
  const ids: string[] = []
  for (const [position, chart] of charts.entries()) {
    const { body: saved } = await ask(keys.write, 'POST', '/api/charts', chart)
    await ask(keys.write, 'POST', `/api/dashboards/${board.id}/charts`, {
      saved_chart_id: saved.id,
      section_id: section.id,
      position,
    })
    ids.push(saved.id)
  }
  return { id: board.id as string, charts: ids }
}

const linkTo = async (body: unknown, key = keys.write) => {
  const made = await ask(key, 'POST', '/api/links', body)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body as { readonly id: string; readonly token: string; readonly path: string; readonly expires_at: string }
}
const open = (token: string | undefined, headers: Record<string, string> = {}) =>
  ask(token, 'GET', '/api/shared', undefined, headers)

const GONE = { status: 404, body: { code: 'not_found', detail: 'This link does not exist, has expired or was revoked.' } }
const [NUMBER] = chartsOfAllFigures().filter(({ config }) => config.form === 'number') as [KeptChart]
const [SERIES] = chartsOfAllFigures() as [KeptChart]

describe('a link to a dashboard', () => {
  it('is made by writers, and opens the dashboard with the numbers of the API', async () => {
    const { id: dashboard_id } = await dashboardWith([NUMBER, SERIES])
    for (const key of [keys.aggregate, keys.read])
      expect(await ask(key, 'POST', '/api/links', { dashboard_id })).toMatchObject({
        status: 403,
        body: { required_scope: 'write' },
      })
    const made = await ask(keys.write, 'POST', '/api/links', { dashboard_id })
    const { token, path, ...link } = made.body
    expect(token).toMatch(/^pll_[\w-]{43}$/)
    expect(path).toBe(`/shared#${token}`)
    expect(link).toMatchObject({
      kind: 'page',
      dashboard_id,
      name: 'Board of directors',
      moment: 'live',
      names: false,
      is_own: true,
    })
    const days = (Date.parse(link.expires_at) - Date.parse(link.created_at)) / 86_400_000
    expect(days).toBeCloseTo(30, 5)

    const { status, body } = await open(token)
    expect([status, Object.keys(body).sort()]).toEqual([200, ['as_of', 'briefing', 'expires_at', 'moment']])
    const { body: mrr } = await ask(keys.read, 'GET', '/api/metrics/mrr?at=2026-11-20&compare_to=previous')
    const { body: months } = await ask(keys.read, 'GET', '/api/metrics/mrr?range=last-12-months&interval=month')
    expect(body.briefing.blocks).toMatchObject([
      { figures: [{ value: mrr.value, change: mrr.change }] },
      { rows: months.map(({ period, mrr: value }: Row) => [period, value]) },
    ])
    expect(mrr.value).toBeGreaterThan(0)
    const listed = (await ask(keys.write, 'GET', '/api/links')).body.find(({ id }: Row) => id === link.id)
    expect(listed).toMatchObject({ ...link, opened_at: listed.opened_at })
    expect(JSON.stringify(listed)).not.toContain(token)
  })

  it('says when it was opened last, and the log has each step, with openings as one', async () => {
    const { id: dashboard_id } = await dashboardWith([NUMBER])
    const { id, token } = await linkTo({ dashboard_id })
    for (let times = 0; times < 5; times++) expect((await open(token)).status).toBe(200)
    await expect
      .poll(async () => (await ask(keys.write, 'GET', '/api/links')).body.find((link: Row) => link['id'] === id).opened_at)
      .not.toBeNull()
    expect((await ask(keys.write, 'DELETE', `/api/links/${id}`)).body).toEqual({ status: 'revoked' })
    await service.engine.auth.flush()
    const { rows } = (await ask(keys.admin, 'GET', '/api/audit?limit=50')).body
    const own = rows
      .filter(({ target }: Row) => target === id)
      .map(({ action, actor_id, count }: Row) => [action, actor_id, count])
    const writer = rows.find(({ action }: Row) => action === 'link.create').actor_id
    // Further openings of the minute are counted when it is over.
    expect(own).toEqual([
      ['link.revoke', writer, 1],
      ['link.open', `link:${id}`, 1],
      ['link.create', writer, 1],
    ])
  })

  it('opens nothing after its expiry, its revocation, and the end of its dashboard', async () => {
    const board = await dashboardWith([NUMBER], 'workspace')
    const links = service.store.inWorkspace?.({ name: service.workspace, source_ids: [] }).links
    const stored = async (change: Partial<StoredLink>) => {
      const token = createLinkToken()
      const [own] = (await links?.list()) ?? []
      const [kind, moment, names] = ['page', 'live', false] as const
      const base = { kind, moment, names, dashboard_id: board.id, chart_id: null, creator: own?.creator as StoredLink['creator'] }
      const dates = {
        created_at: '2026-01-01T00:00:00.000Z',
        expires_at: '2999-01-01T00:00:00.000Z',
        revoked_at: null,
        opened_at: null,
      }
      await links?.create(
        { id: crypto.randomUUID(), ...base, ...dates, ...change },
        { digest: digestOf(token), kept: null },
        1_000,
      )
      return token
    }
    await linkTo({ dashboard_id: board.id })
    expect((await open(await stored({}))).status).toBe(200)
    expect(await open(await stored({ expires_at: new Date(Date.now() - 1).toISOString() }))).toMatchObject(GONE)
    expect(await open(await stored({ dashboard_id: crypto.randomUUID() }))).toMatchObject(GONE)
    for (const token of [createLinkToken(), 'pll_', '', keys.admin, keys.read])
      expect(await open(token)).toMatchObject({ status: 404 })
    expect((await open(undefined)).status).toBe(404)

    const [revoked, foreign, withdrawn, deleted] = [
      await linkTo({ dashboard_id: board.id }),
      await linkTo({ dashboard_id: board.id }, keys.other),
      await linkTo({ dashboard_id: board.id }, keys.other),
      await linkTo({ dashboard_id: board.id }),
    ]
    // Nobody revokes the link of somebody else, but an administrator does.
    expect((await ask(keys.write, 'DELETE', `/api/links/${foreign.id}`)).status).toBe(404)
    expect((await ask(keys.write, 'GET', '/api/links')).body.map(({ id }: Row) => id)).not.toContain(foreign.id)
    expect((await ask(keys.admin, 'GET', '/api/links')).body.map(({ id }: Row) => id)).toContain(foreign.id)
    expect((await ask(keys.admin, 'DELETE', `/api/links/${foreign.id}`)).status).toBe(200)
    expect((await ask(keys.write, 'DELETE', `/api/links/${revoked.id}`)).status).toBe(200)
    expect((await ask(keys.write, 'DELETE', `/api/links/${revoked.id}`)).status).toBe(404)
    for (const { token } of [revoked, foreign]) expect(await open(token)).toMatchObject(GONE)
    // A dashboard that its owner withdraws is gone for the links of others.
    expect((await open(withdrawn.token)).status).toBe(200)
    await ask(keys.write, 'PUT', `/api/dashboards/${board.id}`, { visibility: 'private' })
    expect(await open(withdrawn.token)).toMatchObject(GONE)
    expect((await open(deleted.token)).status).toBe(200)
    await ask(keys.write, 'DELETE', `/api/dashboards/${board.id}`)
    expect(await open(deleted.token)).toMatchObject(GONE)
    expect((await ask(keys.write, 'GET', '/api/links')).body.find(({ id }: Row) => id === deleted.id).name).toBeNull()
  })

  it('is refused by every other operation of the document', async () => {
    const { id: dashboard_id } = await dashboardWith([NUMBER])
    const { token } = await linkTo({ dashboard_id })
    const operations = (await guardedOperations(service)).filter(({ needs }) => needs !== 'public')
    expect(operations.length).toBeGreaterThan(90)
    for (const operation of operations) {
      const { url, init } = requestFor(operation)
      const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` }
      const response = await service.app.request(url, { ...init, headers })
      expect(response.status, `${operation.method} ${url}`).toBe(401)
      expect(await response.json()).toMatchObject({ code: 'unauthorized', reason: 'malformed' })
    }
    // Nor does the shared page take anything that would change what it shows.
    for (const query of ['?range=last-month', '?filter=customer_id=1', '?dashboard_id=x', '?format=csv'])
      expect(await ask(token, 'GET', `/api/shared${query}`), query).toMatchObject({
        status: 400,
        body: { code: 'invalid_value' },
      })
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await ask(token, method, '/api/shared', {})).status).toBe(401)
  })

  it('names no customer unless names were chosen', async () => {
    const { rows } = (await ask(keys.read, 'GET', '/api/customers?limit=1000')).body
    const known: readonly string[] = rows
      .flatMap((row: Row) => [row['customer_id'], row['name'], row['external_key']])
      .filter(Boolean)
    const [customer] = rows
    const one = { name: customer.name, config: { ...NUMBER.config, query: { filter: [`customer_id=${customer.customer_id}`] } } }
    const by = chartsOfAllFigures('last-12-months', 'customer_name').slice(0, 6)
    const { id: dashboard_id } = await dashboardWith([NUMBER, one, ...by])
    const plain = await open((await linkTo({ dashboard_id })).token)
    const text = JSON.stringify(plain.body)
    expect(known.filter((name) => text.includes(JSON.stringify(name).slice(1, -1)))).toEqual([])
    const { left_out, blocks } = plain.body.briefing
    expect(left_out[0]).toEqual({
      title: 'A chart of customers',
      reason: 'It shows or singles out customers, which this audience does not see.',
    })
    expect(blocks.length).toBeGreaterThan(1)
    const named = JSON.stringify((await open((await linkTo({ dashboard_id, names: true })).token)).body)
    expect(known.filter((name) => named.includes(name)).length).toBeGreaterThan(5)
  })

  it('keeps the numbers of its creation if it is fixed, without customers and within a limit', async () => {
    const by = chartsOfAllFigures('last-12-months', 'customer_name')[1] as KeptChart
    const { id: dashboard_id, charts } = await dashboardWith([NUMBER, by])
    const fixed = await linkTo({ dashboard_id, moment: 'fixed' })
    const first = (await open(fixed.token)).body
    expect(first).toMatchObject({
      moment: 'fixed',
      briefing: { blocks: [{ title: 'MRR' }], left_out: [{ title: 'A chart of customers' }] },
    })
    await ask(keys.write, 'PUT', `/api/charts/${charts[0]}`, { name: 'Renamed' })
    expect((await open(fixed.token)).body).toEqual(first)
    const live = (await open((await linkTo({ dashboard_id })).token)).body
    expect(live.briefing.blocks).toMatchObject([{ title: 'Renamed' }])
    expect(await ask(keys.write, 'POST', '/api/links', { dashboard_id, moment: 'fixed', names: true })).toMatchObject({
      status: 422,
      body: { issues: [{ where: 'body.names' }] },
    })
    const many = await dashboardWith(
      Array.from({ length: 70 }, (_, n) => ({
        ...SERIES,
        name: `${n} ${'x'.repeat(190)}`,
        config: {
          ...SERIES.config,
          query: { range: 'last-24-months', interval: 'month', dimensions: ['plan_id'] },
          groups: ['plan_id'],
        },
      })),
    )
    const refused = await ask(keys.write, 'POST', '/api/links', { dashboard_id: many.id, moment: 'fixed' })
    expect(refused).toMatchObject({
      status: 422,
      body: { issues: [{ where: 'body.moment', message: expect.stringContaining('65536 bytes') }] },
    })
  })

  it.each([
    [{}, 'body.dashboard_id'],
    [{ dashboard_id: 'x', chart_id: 'y' }, 'body.chart_id'],
    [{ kind: 'feed', dashboard_id: 'x' }, 'body.chart_id'],
    [{ kind: 'feed', chart_id: 'x', names: true }, 'body.names'],
    [{ kind: 'feed', chart_id: 'x', moment: 'fixed' }, 'body.moment'],
    [{ dashboard_id: 'x', expires_at: '2020-01-01' }, 'body.expires_at'],
    [{ dashboard_id: 'x', expires_at: '2999-01-01' }, 'body.expires_at'],
    [{ dashboard_id: 'x', names: 'yes' }, 'body.names'],
    [{ dashboard_id: 'x', token: 'mine' }, 'body.token'],
  ])('refuses %o', async (body, where) => {
    const { status, body: refusal } = await ask(keys.write, 'POST', '/api/links', body)
    expect([status, refusal.code]).toEqual([422, 'validation_failed'])
    expect(refusal.issues.map((issue: Row) => issue['where'])).toContain(where)
  })

  it('is made only of what its creator sees', async () => {
    const board = await dashboardWith([NUMBER])
    expect((await ask(keys.other, 'POST', '/api/links', { dashboard_id: board.id })).status).toBe(404)
    expect((await ask(keys.other, 'POST', '/api/links', { kind: 'feed', chart_id: board.charts[0] })).status).toBe(404)
    expect((await ask(keys.write, 'POST', '/api/links', { dashboard_id: crypto.randomUUID() })).status).toBe(404)
  })

  it('opens nothing in another workspace of the same store', async () => {
    const { id: dashboard_id } = await dashboardWith([NUMBER])
    const { token } = await linkTo({ dashboard_id })
    const elsewhere = service.store.inWorkspace?.({ name: 'elsewhere', source_ids: [] }).links
    expect(await elsewhere?.find(digestOf(token))).toBeUndefined()
    expect(await elsewhere?.list()).toEqual([])
    expect(await elsewhere?.revoke((await elsewhere.list())[0]?.id ?? dashboard_id, new Date().toISOString())).toBe(false)
    expect((await open(token)).status).toBe(200)
  })

  it('answers 60 times a minute', async () => {
    const { id: dashboard_id } = await dashboardWith([NUMBER])
    const { token } = await linkTo({ dashboard_id })
    const statuses = []
    for (let times = 0; times < 62; times++) statuses.push((await open(token)).status)
    expect(statuses).toEqual([...Array(60).fill(200), 503, 503])
    const refused = await open(token)
    expect(refused.body.detail).toContain('60 times a minute')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('the page of a link', () => {
  it.each([
    [[], "frame-ancestors 'none'", 'DENY'],
    [
      ['https://intranet.example.com', 'https://wiki.example.com'],
      'frame-ancestors https://intranet.example.com https://wiki.example.com',
      null,
    ],
  ] as const)('may be embedded by the pages of %j alone', async (embedOrigins, policy, older) => {
    const web = { page: '<p>', shared: '<base href="/"><p>', assets: new Map() }
    const settings = { version: '0', corsOrigins: [], limits: { body_bytes: 1_000 }, log: () => {}, basePath: '/plumbline' }
    const app = createApp({ engine: service.engine, ...settings, embedOrigins, web })
    const response = await app.request('/plumbline/shared')
    expect(await response.text()).toBe('<base href="/plumbline/"><p>')
    expect(response.headers.get('content-security-policy')?.endsWith(policy)).toBe(true)
    expect(response.headers.get('x-frame-options')).toBe(older)
    // The other pages are embedded nowhere.
    const { headers } = await app.request('/plumbline/', { headers: { accept: 'text/html' } })
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})

describe('a feed', () => {
  const feed = (token: string, ending: string, headers: Record<string, string> = {}) =>
    ask(undefined, 'GET', `/feed/${token}.${ending}`, undefined, headers)

  it('has the rows of the API as CSV and as JSON, and says if nothing has changed', async () => {
    const charts = chartsOfAllFigures()
      .filter(({ config }) => config.form !== 'number')
      .slice(0, 12)
    const { charts: ids } = await dashboardWith(charts)
    for (const [place, chart_id] of ids.entries()) {
      const { config, name } = charts[place] as KeptChart
      const { token, path } = await linkTo({ kind: 'feed', chart_id })
      expect(path).toBe(`/feed/${token}.csv`)
      const search = new URLSearchParams()
      const level = config.isLevel === true ? { at: '2026-11-20' } : {}
      for (const [key, value] of Object.entries({ ...config.query, ...level }))
        for (const one of [value].flat()) search.append(key, String(one))
      const asked = `${config.path}?${search}`
      const [csv, json] = [await feed(token, 'csv'), await feed(token, 'json')]
      expect(csv.body, name).toBe((await ask(keys.read, 'GET', `${asked}&format=csv`)).body)
      expect(json.body, name).toEqual((await ask(keys.read, 'GET', asked)).body)
      expect(csv.headers.get('content-disposition')).toBe('attachment; filename="feed.csv"')
      const tag = csv.headers.get('etag') ?? ''
      expect((await feed(token, 'csv', { 'if-none-match': tag })).status).toBe(304)
    }
  })

  it('is refused where it would show customers, and takes no parameters', async () => {
    const [series, by] = chartsOfAllFigures('last-12-months', 'customer_name') as [KeptChart, KeptChart]
    const { charts } = await dashboardWith([series, by])
    const refused = await ask(keys.write, 'POST', '/api/links', { kind: 'feed', chart_id: charts[1] })
    expect(refused).toMatchObject({ status: 422, body: { code: 'unsupported_by_connector' } })
    expect(refused.body.detail).toContain('It shows or singles out customers')
    const { token } = await linkTo({ kind: 'feed', chart_id: charts[0] })
    expect((await ask(undefined, 'GET', `/feed/${token}.csv?range=last-month`)).status).toBe(400)
    // A chart that shows customers since then gives no rows.
    expect((await feed(token, 'csv')).status).toBe(200)
    await ask(keys.write, 'PUT', `/api/charts/${charts[0]}`, { config: by.config })
    expect((await feed(token, 'csv')).status).toBe(422)
  })

  it('is no page, and a page is no feed', async () => {
    const { id: dashboard_id, charts } = await dashboardWith([SERIES])
    const [page, rows] = [await linkTo({ dashboard_id }), await linkTo({ kind: 'feed', chart_id: charts[0] })]
    expect(await open(rows.token)).toMatchObject(GONE)
    expect(await feed(page.token, 'csv')).toMatchObject({ status: 404 })
    expect(await feed(rows.token, 'xlsx')).toMatchObject({ status: 404 })
    await ask(keys.write, 'DELETE', `/api/charts/${charts[0]}`)
    expect(await feed(rows.token, 'csv')).toMatchObject(GONE)
    const lines = service.logged.join('\n')
    for (const { token } of [page, rows]) expect(lines).not.toContain(token)
  })
})
