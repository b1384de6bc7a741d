import { describe, expect, it } from 'vitest'
import { errorFromIssues } from '../../src/core/errors.ts'
import { META, serviceOver } from './recording-engine.ts'

describe('a GET is one call of the engine', () => {
  it.each([
    ['/api/metrics/summary', ['summary', {}, {}]],
    ['/api/metrics/summary/?end=2025-05-31&filter=source%3Dx', ['summary', { end: '2025-05-31' }, { filters: { source: 'x' } }]],
    ['/api/metrics/summary?dimensions=plan_id&granularity=day', ['summary', { granularity: 'day' }, { dimensions: ['plan_id'] }]],
    ['/api/customers', ['list', 'customers', {}, {}]],
    ['/api/customers/?limit=5&offset=2&search=a%25b', ['list', 'customers', { limit: '5', offset: '2', search: 'a%b' }, {}]],
    ['/api/subscriptions?customer_id=c&limit=1&limit=2', ['list', 'subscriptions', { customer_id: 'c', limit: ['1', '2'] }, {}]],
    [
      '/api/invoices?start=a&filter=status=open&filter=status=paid',
      ['list', 'invoices', { start: 'a' }, { filters: { status: ['open', 'paid'] } }],
    ],
    ['/api/customers/acme', ['customer', 'acme', {}, {}]],
    ['/api/customers/a%2Fb%20c?source_id=s', ['customer', 'a/b c', { source_id: 's' }, {}]],
    ['/api/customers/%E4%B8%AD-x_y/', ['customer', '中-x_y', {}, {}]],
  ])('%s', async (path, call) => {
    const { app, calls } = serviceOver()
    const response = await app.request(path)
    expect(response.status).toBe(200)
    expect(calls).toEqual([call])
  })
})

describe('headers and formats', () => {
  it('the summary is a metric answer, a list is not decided by definitions', async () => {
    const { app } = serviceOver()
    const summary = await app.request('/api/metrics/summary')
    expect(summary.headers.get('x-definitions')).toBe(META.definitions)
    for (const path of ['/api/customers', '/api/subscriptions', '/api/invoices', '/api/customers/a']) {
      const { headers } = await app.request(path)
      expect(headers.get('x-data-through')).toBe(META.data_through)
      expect(headers.has('x-definitions')).toBe(false)
      expect(headers.get('cache-control')).toBe('private, no-cache')
      expect(headers.get('etag')).toMatch(/^"/)
    }
  })

  it('an unchanged body is not sent again', async () => {
    const { app } = serviceOver()
    for (const path of ['/api/customers', '/api/metrics/summary', '/api/customers/a']) {
      const etag = (await app.request(path)).headers.get('etag') ?? ''
      const again = await app.request(path, { headers: { 'if-none-match': etag } })
      expect([again.status, await again.text()]).toEqual([304, ''])
      expect(again.headers.get('x-data-through')).toBe(META.data_through)
    }
  })

  it('CSV has the rows of the page, or the object as one row', async () => {
    const { app } = serviceOver()
    const page = await app.request('/api/invoices?format=csv')
    expect(page.headers.get('content-type')).toContain('text/csv')
    expect(await page.text()).toBe('id,subscription_ids,name\r\na,"[""s""]",\r\n')
    const one = await app.request('/api/customers/x', { headers: { accept: 'text/csv' } })
    expect(await one.text()).toBe('id,attributes\r\nx,{}\r\n')
    expect(await (await app.request('/api/metrics/summary?format=csv')).text()).toBe('mrr\r\n17133\r\n')
  })
})

describe('wrong requests', () => {
  it('speaks the words of the query string, the syntax of filters included', async () => {
    const issue = { code: 'invalid_value', where: 'params.limit', value: '0', message: 'No.', did_you_mean: [] } as const
    const { app } = serviceOver({ list: () => Promise.reject(errorFromIssues([issue])) })
    const response = await app.request('/api/customers?limit=0&filter=nothing')
    expect(response.status).toBe(400)
    const { code, issues } = (await response.json()) as { code: string; issues: { where: string }[] }
    expect(code).toBe('invalid_value')
    expect(issues.map((one) => one.where)).toEqual(['query.filter', 'query.limit'])
  })
})
