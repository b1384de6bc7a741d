import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GuardedService, openGuardedService } from '../support/product/guarded-service.ts'

let service: GuardedService
beforeAll(async () => {
  service = await openGuardedService()
})
afterAll(() => service.close())

const called = (name: string, given: object = {}) => ({
  jsonrpc: '2.0',
  id: name,
  method: 'tools/call',
  params: { name, arguments: given },
})

async function send(message: unknown, secret?: string) {
  const headers = { 'content-type': 'application/json', ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }) }
  const response = await service.app.request('/mcp', { method: 'POST', headers, body: JSON.stringify(message) })
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever a test expects it to be
  const body: any = await response.json()
  return { status: response.status, body }
}

async function call(secret: string, name: string, given: object = {}) {
  const { status, body } = await send(called(name, given), secret)
  expect(status, JSON.stringify(body)).toBe(200)
  const { content, isError } = body.result
  return { text: String(content[0].text), isError: isError === true }
}

/** How often the reading of personal data was recorded for the key. */
async function readings(key: string): Promise<number> {
  const admin = (await service.makeKey(['admin'])).secret
  // Events are written within a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  return (await events(admin)).filter(({ actor_id }) => actor_id === `key:${key}`).length
}

async function events(admin: string) {
  const headers = { authorization: `Bearer ${admin}` }
  const response = await service.app.request('/api/audit?action=personal.read', { headers })
  expect(response.status).toBe(200)
  return ((await response.json()) as { rows: readonly { readonly actor_id: string }[] }).rows
}

it('nobody asks without a credential that is known', async () => {
  expect(await send(called('summary'))).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  expect(await send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, 'pl_unknown')).toMatchObject({ status: 401 })
})

it('a caller with read:aggregate gets numbers, and no tool shows a customer', async () => {
  const { secret, id } = await service.makeKey(['read:aggregate'])
  const days = { start: '2026-10-01', end: '2026-10-31' }
  for (const [name, given] of [
    ['summary', {}],
    ['query_metric', { metric: 'mrr', dimensions: ['plan_id'], filter: { currency: 'EUR' } }],
    ['list_metrics', {}],
    ['metric_fields', { metric: 'mrr' }],
    ['explain_definition', { word: 'nrr' }],
    ['ledger_revenue', days],
    ['receivables', { at: '2026-10-31' }],
    ['trial_balance', { at: '2026-10-31', dimensions: ['currency'] }],
  ] as const)
    expect(await call(secret, name, given), name).toMatchObject({ isError: false })
  const segments = await call(secret, 'list_segments')
  expect(segments.text).toContain('Partners')
  expect(segments.text).not.toContain('"op"')
  for (const [name, given] of [
    ['list_customers', {}],
    ['list_subscriptions', {}],
    ['list_invoices', {}],
    ['get_customer', { id: 'alpha-acc-0001' }],
    ['query_metric', { metric: 'mrr', dimensions: ['customer_name'] }],
    ['query_metric', { metric: 'mrr', filter: { 'customer.email': 'a@example.test' } }],
    ['query_metric', { metric: 'mrr', dimensions: ['attr.tier'] }],
    ['query_metric', { metric: 'mrr', query_type: 'why', ...days }],
    ['query_metric', { metric: 'usage_revenue', query_type: 'by_customer', ...days }],
    ['receivables', { at: '2026-10-31', dimensions: ['customer_name'] }],
  ] as const) {
    const { text, isError } = await call(secret, name, given)
    expect([name, isError, text]).toEqual([name, true, expect.stringContaining('Refused (forbidden)')])
    expect(text).not.toMatch(/alpha customer|alpha-acc-\d{4}@/)
  }
  expect(await readings(id)).toBe(0)
})

it('a caller with read gets it all, and answers with customers are recorded once a message', async () => {
  const { secret, id } = await service.makeKey(['read'])
  expect((await call(secret, 'list_segments')).text).toContain('"op"')
  expect(await call(secret, 'query_metric', { metric: 'mrr' })).toMatchObject({ isError: false })
  expect((await call(secret, 'list_customers', { limit: 1 })).text).toContain('alpha customer')
  expect((await call(secret, 'query_metric', { metric: 'mrr', dimensions: ['customer_name'], limit: 1 })).isError).toBe(false)
  const both = await send([called('get_customer', { id: 'alpha-acc-0001' }), called('list_metrics')], secret)
  expect(both.body).toHaveLength(2)
  expect(await readings(id)).toBe(3)
})

it('a list that cancels what it asks for is answered', async () => {
  const { secret } = await service.makeKey(['read:aggregate'])
  const cancelling = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'summary' } }
  for (const list of [
    [called('summary'), cancelling],
    [cancelling, called('summary')],
  ]) {
    const { status, body } = await send(list, secret)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: 'summary', result: { content: [{ text: expect.stringContaining('mrr: ') }] } })
  }
})
