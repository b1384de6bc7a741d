import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import { INTERVALS } from '../../src/core/periods.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { filterableFields, paramsForDays } from '../../src/query/inputs.ts'
import { EXAMPLE_BOOKS } from '../support/data/example-books.ts'
import { HOSTILE_BODIES, HOSTILE_TEXTS, MARK, NOT_STORABLE } from '../support/data/hostile-texts.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { isInTurn, oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { BOOKS, storeWithBooks } from '../support/product/store-with-books.ts'

interface Refusal {
  readonly code: string
  readonly issues?: readonly { readonly code: string; readonly where: string }[]
}

const RATES = join(packageRoot(), 'fixtures', 'killbill', 'real', 'expected', 'fx.csv')
const RANGE = { start: '2026-01-01', end: '2026-02-28' }
const LIMITS = { body_bytes: 1_048_576 }
const OPERATORS_ON_TEXT = ['=', '!=', 'contains', 'not_contains', 'starts_with', 'ends_with']
const ANY_TEXT = [...HOSTILE_TEXTS, ...NOT_STORABLE]

oneEngineInRotation('hostile input', (target) => {
  let engine: Engine
  let app: ReturnType<typeof createApp>
  let books: Awaited<ReturnType<typeof storeWithBooks>>
  const statements: string[] = []
  const logged: string[] = []

  beforeAll(async () => {
    const database = await sharedReal(target)
    // The small tenant is as good: nothing here depends on many rows.
    books = await storeWithBooks(EXAMPLE_BOOKS, readFileSync(RATES, 'utf8'))
    const settings = { onStatement: (text: string) => void statements.push(text) }
    engine = await engineOver(database, { tenant: ['beta'], settings, store: books.store, workspace: BOOKS })
    app = createApp({ engine, version: '0', corsOrigins: [], limits: LIMITS, log: (line) => logged.push(line) })
  })
  afterAll(() => books.remove())
  beforeEach(() => {
    statements.length = 0
    logged.length = 0
  })

  // The rules of every answer: no fault of Plumbline, none in the log, and no text of the caller inside SQL text.
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await app.request(path, init)
    const text = await response.text()
    const what = `${init.method ?? 'GET'} ${path.slice(0, 200)} ${String(init.body ?? '').slice(0, 300)}`
    expect(response.status, `${what}\n${text.slice(0, 300)}\n${logged[0] ?? ''}`).toBeLessThan(500)
    expect(logged, what).toEqual([])
    expect(statements.filter((statement) => statement.includes(MARK)).slice(0, 1), what).toEqual([])
    return { status: response.status, text, body: (): Refusal => JSON.parse(text) as Refusal, what }
  }
  const post = (metric: string, body: unknown) =>
    send(`/api/metrics/${metric}`, { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) })
  const expectRefused = (answer: Awaited<ReturnType<typeof send>>, where: string | RegExp, code?: string) => {
    expect([400, 422], answer.what).toContain(answer.status)
    const issues = answer.body().issues ?? []
    expect(issues.map((issue) => issue.where).join(' '), answer.what).toMatch(
      typeof where === 'string' ? literally(where) : where,
    )
    if (code !== undefined) expect(answer.body().code, answer.what).toBe(code)
  }
  const queries = () =>
    engine.metrics().flatMap((metric) => {
      const definition = engine.metric(metric)
      return definition === undefined
        ? []
        : Object.entries(definition.queries).map(([query_type, query]) => ({ metric, query_type, ...query }))
    })

  it('as a text to filter by is a bound value in every query and on every key', async () => {
    const tests = { in: HOSTILE_TEXTS, 'not in': HOSTILE_TEXTS, is_not_empty: true }
    for (const { metric, query_type, inputs } of sampleOf(target, queries())) {
      const offered = new Set((await engine.fields(metric)).data.filters.map(({ key }) => key))
      const keys = filterableFields(inputs, false).filter(
        ({ key, type, known }) => type === 'string' && known.length === 0 && offered.has(key) && key !== 'tenant',
      )
      const filters = Object.fromEntries(
        keys.map(({ key }, index) => {
          const operator = OPERATORS_ON_TEXT[index % OPERATORS_ON_TEXT.length] ?? '='
          return [key, { ...tests, [operator]: HOSTILE_TEXTS[index % HOSTILE_TEXTS.length] }]
        }),
      )
      const dates = paramsForDays(inputs, RANGE)
      expect((await post(metric, { params: { query_type, ...dates }, spec: { filters } })).status).toBe(200)
    }
    expect(statements.length).toBeGreaterThan(0)
  })

  it('as the name of a tenant is refused before the database is asked', async () => {
    for (const name of HOSTILE_TEXTS) expectRefused(await post('mrr', { spec: { filters: { tenant: name } } }), 'tenant')
    expect((await post('mrr', { spec: { filters: { tenant: { not_contains: HOSTILE_TEXTS[0] } } } })).status).toBe(200)
  })

  it.each(OPERATORS_ON_TEXT)('as a text after %s changes nothing but the rows it meets', async (operator) => {
    const all = await post('mrr', { params: { query_type: 'current' } })
    const isNegative = operator === '!=' || operator === 'not_contains'
    const turn = OPERATORS_ON_TEXT.indexOf(operator)
    const texts = HOSTILE_TEXTS.filter((_, index) => index % 3 === turn % 3)
    for (const text of texts) {
      const answer = await post('mrr', { spec: { filters: { 'customer.id': { [operator]: text } } } })
      expect(answer.text, answer.what).toBe(isNegative ? all.text : '0')
    }
  })

  it('at the limits of the calendar is answered', async () => {
    for (const at of ['0001-01-01', '0099-12-31', '1582-10-10', '9999-12-31']) {
      expect((await send(`/api/metrics/mrr?at=${at}`)).status, at).toBe(200)
      const filters = { occurred_at: { '<=': at, '!=': at }, cohort_month: { '>=': at }, 'customer.created_at': [at] }
      expect((await post('mrr', { params: { query_type: 'breakdown', ...RANGE }, spec: { filters } })).status, at).toBe(200)
    }
    expectRefused(await send('/api/metrics/mrr?at=0000-01-01'), 'query.at', 'invalid_value')
    const years = await send('/api/metrics/mrr?start=0001-01-01&end=2026-01-01&interval=year')
    expect(JSON.parse(years.text)).toHaveLength(2026)
  })

  it('in numbers beyond what a statement carries is refused with the limit', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `${MARK}${index}`)
    const keys = ['plan_id', 'plan_name', 'customer_name']
    const days = Array.from({ length: 10_000 }, (_, index) => `2026-01-${String((index % 28) + 1).padStart(2, '0')}`)
    const breakdown = { query_type: 'breakdown', ...RANGE }
    const refused = { code: 'validation_failed', limit: 10_000 }
    expect((await post('mrr', { spec: { filters: { plan_id: many(10_001) } } })).body()).toMatchObject(refused)
    expect((await post('mrr', { spec: { filters: { plan_id: { 'not in': many(10_001) } } } })).body()).toMatchObject(refused)
    const together = { filters: Object.fromEntries(keys.map((key) => [key, many(9_000)])) }
    expect((await post('mrr', { spec: together })).body()).toMatchObject({ code: 'validation_failed', limit: 20_000 })
    expect(statements).toEqual([])
    const most = { filters: { occurred_at: days, 'customer.created_at': days } }
    expect((await post('mrr', { params: breakdown, spec: most })).status).toBe(200)
  })

  it('in the lists of records is a bound value or refused', async () => {
    for (const text of [...sampleOf(target, HOSTILE_TEXTS), ...NOT_STORABLE]) {
      const isStorable = !NOT_STORABLE.includes(text)
      const given = encodeURIComponent(text)
      for (const list of ['customers', 'subscriptions', 'invoices']) {
        const answer = await send(`/api/${list}?search=${given}&source_id=${given}&filter=currency=${given}`)
        if (isStorable) expect(answer.text, answer.what).toMatch(/^{"total":0,/)
        else expectRefused(answer, /query\.search.*query\.filter/)
        for (const name of ['limit', 'offset', MARK]) expectRefused(await send(`/api/${list}?${name}=${given}`), `query.${name}`)
      }
      const customer = await send(`/api/customers/${given}`)
      expect([400, 404], customer.what).toContain(customer.status)
    }
  })

  it('as a part of a value of a field is a bound value, and as a field is refused', async () => {
    for (const text of [...sampleOf(target, HOSTILE_TEXTS), ...NOT_STORABLE]) {
      const given = encodeURIComponent(text)
      // Values of rows, and fixed ones.
      for (const field of ['customer_country', 'price_list', 'phase_type']) {
        const answer = await send(`/api/metrics/mrr/fields/${field}/values?search=${given}`)
        if (NOT_STORABLE.includes(text)) expectRefused(answer, 'query.search', 'invalid_value')
        else expect(answer.text, answer.what).toBe('{"values":[],"count":0}')
        expectRefused(await send(`/api/metrics/mrr/fields/${field}/values?limit=${given}`), 'query.limit', 'invalid_value')
      }
      const unknown = await send(`/api/metrics/mrr/fields/${given}/values`)
      expect([400, 404], unknown.what).toContain(unknown.status)
      const metric = await send(`/api/metrics/${given}/fields/plan_id/values`)
      expect([400, 404], metric.what).toContain(metric.status)
    }
    const long = await send(`/api/metrics/mrr/fields/price_list/values?search=${'x'.repeat(10_000)}`)
    expect(long.text).toBe('{"values":[],"count":0}')
  })

  it('as a parameter of any metric path is refused by its name', async () => {
    const names = [
      'at',
      'start',
      'end',
      'interval',
      'granularity',
      'format',
      'per_segment',
      'explain',
      'definitions',
      'bogus',
      MARK,
    ]
    let asked = 0
    for (const metric of engine.metrics()) {
      for (const { path } of engine.metric(metric)?.routes ?? []) {
        for (const name of names) {
          // Two of the texts, so that every name meets each of them on some path.
          for (const text of [asked, asked + 1].map((number) => ANY_TEXT[number % ANY_TEXT.length] ?? '')) {
            asked += 1
            const dates = new URLSearchParams({ ...RANGE, [name]: text })
            expectRefused(await send(`/api/metrics/${path}?${dates}`), `query.${name}`)
          }
        }
      }
    }
    expect(statements).toEqual([])
  })

  it('as a name of a dimension, filter, operator, query type or interval is refused by its place', async () => {
    for (const text of [...sampleOf(target, HOSTILE_TEXTS, { shift: 1 }), ...NOT_STORABLE]) {
      const spec = (part: Record<string, unknown>) => post('mrr', { spec: part })
      expectRefused(await spec({ dimensions: [text] }), 'body.spec.dimensions', 'unknown_dimension')
      expectRefused(await spec({ filters: { [text]: 'x' } }), `body.spec.filters.${text}`, 'unknown_filter')
      expectRefused(await spec({ filters: { plan_id: { [text]: 'x' } } }), 'body.spec.filters.plan_id', 'invalid_operator')
      expectRefused(await spec({ granularity: text, time_range: ['2026-01-01', '2026-02-01'] }), 'body.spec.granularity')
      expectRefused(await spec({ time_range: [text, text] }), 'body.spec.time_range', 'invalid_value')
      expectRefused(await post('mrr', { params: { query_type: text } }), 'body.params.query_type', 'invalid_value')
      expectRefused(await send(`/api/metrics/mrr?dimensions=${encodeURIComponent(text)}`), 'query.dimensions')
      expectRefused(await send(`/api/metrics/mrr?filter=${encodeURIComponent(`${text}=x`)}`), 'query.filter')
      const unknown = await send(`/api/metrics/${encodeURIComponent(text)}`, { method: 'POST', headers: JSON_BODY, body: '{}' })
      expect(unknown.body().code, unknown.what).toBe('unknown_metric')
    }
    // Attributes are read, in order to name those that there are; what was sent is not.
    expect(statements.filter((text) => text.includes(MARK))).toEqual([])
  })

  it('as a text that no engine can store is refused by the key', async () => {
    for (const text of NOT_STORABLE) {
      const answer = await post('mrr', { spec: { filters: { customer_name: text, plan_id: { contains: text } } } })
      expectRefused(answer, /body\.spec\.filters\.customer_name .*body\.spec\.filters\.plan_id/, 'invalid_value')
    }
  })

  it('as a value of another type is refused by the key', async () => {
    const wrong = [
      ...ANY_TEXT,
      '1e3',
      '0x10',
      '१२',
      '2026-02-30',
      '0000-12-31',
      {},
      [[]],
      null,
      1e30,
      '9999-12-31T23:59:59-14:00',
    ]
    const offers = new Map<string, ReadonlySet<string>>()
    for (const metric of new Set(queries().map((query) => query.metric))) {
      offers.set(metric, new Set((await engine.fields(metric)).data.filters.map(({ key }) => key)))
    }
    const before = statements.length
    for (const [number, { metric, query_type, inputs }] of queries().entries()) {
      const offered = offers.get(metric) ?? new Set()
      const typed = filterableFields(inputs, false).filter(({ key, type }) => type !== 'string' && offered.has(key))
      for (const value of wrong.filter((_, index) => isInTurn(number + index, 3))) {
        const filters = Object.fromEntries(typed.map(({ key }) => [key, { '=': value }]))
        const answer = await post(metric, { params: { query_type, ...paramsForDays(inputs, RANGE) }, spec: { filters } })
        for (const { key } of typed) expectRefused(answer, `body.spec.filters.${key}`)
      }
    }
    expect(statements.slice(before)).toEqual([])
  })

  it.each(HOSTILE_BODIES)('as a body %.60s is refused by the place', async (body, code, where) => {
    const answer = await send('/api/metrics/mrr', { method: 'POST', headers: JSON_BODY, body })
    expectRefused(answer, where, code)
  })

  it('as a body larger than the limit is refused', async () => {
    const answer = await send('/api/metrics/mrr', { method: 'POST', headers: JSON_BODY, body: ' '.repeat(LIMITS.body_bytes + 1) })
    expect(answer.body()).toMatchObject({ code: 'payload_too_large', limit_bytes: LIMITS.body_bytes })
  })

  it('in headers changes no answer', async () => {
    const plain = await send('/api/metrics/mrr')
    const sendable = HOSTILE_TEXTS.filter((candidate) => /^[\x20-\x7e]*$/.test(candidate))
    for (const text of sampleOf(target, sendable)) {
      const names = ['if-none-match', 'x-request-id', 'content-type', 'x-forwarded-host', 'cookie']
      const answer = await send('/api/metrics/mrr', { headers: Object.fromEntries(names.map((name) => [name, text])) })
      expect([answer.status, answer.text], answer.what).toEqual([plain.status, plain.text])
      // An origin that is none is foreign.
      if (text.trim() !== '') expect((await send('/api/metrics/mrr', { headers: { origin: text } })).status, text).toBe(403)
      const accepted = await send('/api/metrics/mrr', { headers: { accept: text } })
      expect([200, 406], accepted.what).toContain(accepted.status)
    }
  })
})

describe('the texts', () => {
  it('are no words of the contract', () => {
    for (const text of ANY_TEXT) expect([...INTERVALS, 'json', 'csv', '=', 'in']).not.toContain(text)
  })
})

function literally(text: string): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
}
