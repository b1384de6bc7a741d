import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createApp } from '../../src/facades/http/app.ts'
import { isInTurn, oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { type RealService, realService } from '../support/product/recorded-service.ts'
import { sendingOver } from '../support/product/sending.ts'

/** Segments of a path as they travel: text that no database holds, bytes that are no text, and lengths beyond any name. */
const SEGMENTS = [
  '%00',
  'a%00b',
  '%00%00',
  `${'a'.repeat(3_000)}%00`,
  '%ED%A0%80',
  'a%ED%B0%80',
  '%F0%9F',
  '%FF%FE',
  '%',
  'a%',
  '%zz',
  '%2',
  '%u0000',
  '%25',
  '%2500',
  'x'.repeat(20_000),
  '%F0%9F%99%82'.repeat(2_000),
  '..%2f..%2fetc%2fpasswd',
  '%0d%0ax-injected:%201',
  '__proto__',
]

interface Operation {
  readonly method: string
  readonly path: string
}

oneEngineInRotation('a hostile segment of a path', (target) => {
  let service: RealService
  let app: ReturnType<typeof createApp>
  let operations: readonly Operation[]
  const logged: string[] = []

  beforeAll(async () => {
    // The small tenant is as good: nothing here depends on many rows.
    service = await realService(target, { tenant: ['beta'] })
    const { engine } = service
    const { deliveries } = sendingOver(engine, { channels: undefined })
    app = createApp({
      engine,
      deliveries,
      version: '0',
      corsOrigins: [],
      limits: { body_bytes: 100_000 },
      log: (line) => logged.push(line),
    })
    const document = (await (await app.request('/openapi.json')).json()) as { paths: Record<string, object> }
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).flatMap((method) => (path.includes('{') ? [{ method: method.toUpperCase(), path }] : [])),
    )
  })
  afterAll(() => service.close())
  beforeEach(() => {
    logged.length = 0
  })

  const bodyFor = (method: string, path: string): RequestInit => {
    if (method !== 'POST' && method !== 'PUT') return {}
    const known = {
      '/attributes': { attributes: { a: 'x' } },
      '/attributes/{key}': { label: 'x' },
      '/segments/{id}': { name: 'x' },
    }
    const body = Object.entries(known).find(([end]) => path.endsWith(end))?.[1] ?? {}
    return { headers: JSON_BODY, body: JSON.stringify(body) }
  }
  // As they travel: a URL object would mend some of them.
  const ask = async (method: string, path: string, operation = path) => {
    const response = await app.request(path, { method, ...bodyFor(method, operation) })
    return { status: response.status, text: await response.text() }
  }

  it('is a resource that does not exist, on every path that takes one', async () => {
    expect(operations.length).toBeGreaterThanOrEqual(9)
    for (const [number, { method, path }] of operations.entries()) {
      // Half of them on each path, each path others.
      for (const segment of inTurn(SEGMENTS, number, 2)) {
        const asked = path.replaceAll(/\{[^}]+\}/g, segment)
        const { status, text } = await ask(method, asked, path)
        expect([400, 404], `${method} ${asked.slice(0, 100)}: ${status} ${text.slice(0, 200)} ${logged[0] ?? ''}`).toContain(
          status,
        )
        expect(text.length).toBeLessThan(100_000)
      }
    }
    expect(logged).toEqual([])
  })

  it('of a customer that there is, neither', async () => {
    for (const segment of sampleOf(target, SEGMENTS, { first: 2 })) {
      const { status } = await ask('DELETE', `/api/customers/beta-acc-0001/attributes/${segment}`)
      expect([400, 404], segment.slice(0, 40)).toContain(status)
    }
    expect(logged).toEqual([])
  })

  it('as a value of any parameter is refused or finds nobody', async () => {
    const values = ['%00', 'a%00b', '%ED%A0%80', '%FF', '%']
    for (const value of sampleOf(target, values, { first: 2 })) {
      const paths = [
        `customers?search=${value}`,
        `customers?source_id=${value}`,
        `customers?segment=${value}`,
        `customers/beta-acc-0001?source_id=${value}`,
        `subscriptions?customer_id=${value}`,
        `customer-attributes?key=${value}`,
        `customer-attributes?search=${value}`,
        `attributes/tier/values?limit=${value}`,
        `metrics/mrr?filter=plan_id=${value}`,
        `metrics/mrr?filter=attr.${value}=x`,
        `metrics/mrr?filter=attr.tier=${value}`,
        `metrics/mrr?segment=${value}`,
        `metrics/mrr?compare_segments=${value}`,
        `metrics/summary?filter=customer_name=${value}`,
      ]
      for (const path of paths) {
        const { status, text } = await ask('GET', `/api/${path}`)
        expect(status, `${path}: ${text.slice(0, 200)} ${logged[0] ?? ''}`).toBeLessThan(500)
      }
    }
    expect(logged).toEqual([])
  })

  it('as a text of a body is refused with its place or kept unchanged', async () => {
    for (const text of ['\0', 'a\0b', '\ud800', 'x\udc00']) {
      const bodies: readonly [string, string, unknown][] = [
        ['POST', 'attributes', { key: text, type: 'string' }],
        ['POST', 'attributes', { key: 'k', type: 'string', label: text }],
        ['POST', 'attributes', { key: 'k', type: 'string', description: text }],
        ['PUT', 'attributes/tier', { label: text }],
        ['POST', 'customers/beta-acc-0001/attributes', { attributes: { [text]: 'x' } }],
        ['POST', 'customers/beta-acc-0001/attributes', { attributes: { k: text } }],
        ['POST', 'segments', { name: text, definition: { root: { op: 'and', conditions: [] } } }],
        ['POST', 'segments', { name: 'n', description: text, definition: { root: { op: 'and', conditions: [] } } }],
        ['POST', 'segments', { name: 'n', definition: condition('plan_id', '=', text) }],
        ['POST', 'segments', { name: 'n', definition: condition('customer.email', 'contains', text) }],
        ['POST', 'metrics/mrr', { spec: { filters: { plan_id: text } } }],
        ['POST', 'metrics/mrr', { spec: { filters: { 'attr.tier': { starts_with: text } } } }],
        ['POST', 'metrics/mrr', { spec: { filters: { [`attr.${text}`]: 'x' } } }],
        ['POST', 'metrics/mrr', { spec: { segment: text } }],
        ['POST', 'metrics/mrr', { spec: { compare: [text] } }],
      ]
      for (const [method, path, body] of bodies) {
        const response = await app.request(`/api/${path}`, { method, headers: JSON_BODY, body: JSON.stringify(body) })
        const what = `${method} ${path} ${JSON.stringify(body)}: ${await response.text()} ${logged[0] ?? ''}`
        expect([400, 404, 422], what).toContain(response.status)
      }
      // Names that nothing has yet are stored, and warned about (http-api.md 6.3): so they must be storable.
      const named = await app.request('/api/segments', {
        method: 'POST',
        headers: JSON_BODY,
        body: JSON.stringify({ name: `named ${JSON.stringify(text)}`, definition: condition(`attr.${text}`, '=', text) }),
      })
      expect([201, 422], `${await named.clone().text()} ${logged[0] ?? ''}`).toContain(named.status)
      if (named.status === 201) expect((await app.request('/api/segments')).status).toBe(200)
    }
    expect(logged).toEqual([])
  })

  it.each(['/docs/assets/', '/docs/', '/assets/', '/'])('below %s', async (folder) => {
    for (const segment of SEGMENTS) expect((await ask('GET', `${folder}${segment}`)).status, segment.slice(0, 40)).toBe(404)
    expect(logged).toEqual([])
  })
})

/** Every nth of them, beginning elsewhere for each `number`. */
function inTurn<T>(cases: readonly T[], number: number, share: number): readonly T[] {
  return cases.filter((_, index) => isInTurn(index + number, share))
}

function condition(field: string, op: string, value: string): unknown {
  return { root: { op: 'and', conditions: [{ field, op, value }] } }
}
