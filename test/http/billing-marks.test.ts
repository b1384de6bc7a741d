import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { HOSTILE_TEXTS, NOT_STORABLE } from '../support/data/hostile-texts.ts'
import { type GuardedService, openGuardedService } from '../support/product/guarded-service.ts'

const MARKS = '/api/billing-health/marks'
const ANY_ID = '00000000-0000-4000-8000-000000000001'

/** Bodies that are refused, with the place of the fault and a part of the message. */
const WRONG: readonly (readonly [body: unknown, where: string, says: string])[] = [
  [{ subscription_id: 'S', state: 'seen' }, 'body.kind', 'double_billed'],
  [{ kind: 'healthy', state: 'seen' }, 'body.kind', 'mrr_at_risk'],
  [{ kind: 'not_billed' }, 'body.state', 'seen or no_error'],
  [{ kind: 'not_billed', state: 'none' }, 'body.state', '"none"'],
  [{ kind: 'overdue_block', state: 'no_error' }, 'body.state', 'overdue_block'],
  [{ kind: 'not_billed', state: 'seen', class: 'x' }, 'body.class', 'subscription_id'],
  [{ kind: 'not_billed', state: 'seen', subscription_id: '' }, 'body.subscription_id', '1 to 255'],
  [{ kind: 'not_billed', state: 'seen', customer_id: 7 }, 'body.customer_id', 'text'],
  [{ kind: 'not_billed', state: 'seen', note: 'x'.repeat(201) }, 'body.note', 'up to 200'],
  [{ kind: 'not_billed', state: 'seen', note: 'two\nlines' }, 'body.note', 'line breaks'],
  [{ kind: 'not_billed', state: 'seen', note: '\u001b[2J' }, 'body.note', 'control'],
  [{ kind: 'not_billed', state: 'seen', note: '\u0085' }, 'body.note', 'control'],
  [{ kind: 'not_billed', state: 'seen', note: '\ud800' }, 'body.note', 'text'],
  [{ kind: 'not_billed', state: 'seen', note: ['x'] }, 'body.note', 'text'],
  [[], 'body', 'object'],
]

let service: GuardedService
let writer: { readonly secret: string; readonly id: string }
let finding: { readonly kind: string; readonly source_id: string; readonly subscription_id: string }
let sent = 0

beforeAll(async () => {
  service = await openGuardedService()
  writer = await service.makeKey(['write'], { name: 'billing' })
  const [row] = (await ask('GET', '/api/billing-health/findings?limit=1')).body.rows
  finding = { kind: row.class, source_id: row.source_id, subscription_id: row.subscription_id }
})
afterEach(async () => {
  for (const { id } of (await ask('GET', MARKS)).body) await ask('DELETE', `${MARKS}/${id}`)
})
afterAll(() => service.close())

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}, secret = writer.secret) {
  const request_id = `mark-${sent++}`
  const response = await service.app.request(path, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      'x-request-id': request_id,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever a test expects it to be
  return { status: response.status, request_id, headers: response.headers, body: (text === '' ? null : JSON.parse(text)) as any }
}

it('a mark has an author, and making and removing it is recorded', async () => {
  const made = await ask('POST', MARKS, { ...finding, state: 'seen', note: 'asked the customer' })
  expect(made).toMatchObject({
    status: 201,
    body: { ...finding, state: 'seen', note: 'asked the customer', author: `key:${writer.id}`, invoice_id: null },
  })
  expect((await ask('GET', MARKS)).body).toEqual([made.body])
  const removed = await ask('DELETE', `${MARKS}/${made.body.id}`)
  expect(removed).toMatchObject({ status: 200, body: { status: 'deleted' } })
  expect(await ask('DELETE', `${MARKS}/${made.body.id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  await service.engine.auth.flush()
  const { rows } = await service.engine.auth.audit({ limit: '1000' })
  const deedOf = (request_id: string) =>
    rows.filter((row) => row.request_id === request_id).map(({ action, target, outcome }) => [action, target, outcome])
  expect(deedOf(made.request_id)).toEqual([['billing_mark.create', made.body.id, 'ok']])
  expect(deedOf(removed.request_id)).toEqual([['billing_mark.delete', made.body.id, 'ok']])
})

it('reading needs `read`, and writing `write`', async () => {
  const scopes = ['read:aggregate', 'read'] as const
  const [numbers, reader] = await Promise.all(scopes.map((scope) => service.makeKey([scope], { name: scope })))
  const statuses = async (secret = '') => [
    (await ask('GET', MARKS, undefined, {}, secret)).status,
    (await ask('POST', MARKS, { ...finding, state: 'seen' }, {}, secret)).status,
    (await ask('DELETE', `${MARKS}/${ANY_ID}`, undefined, {}, secret)).status,
  ]
  expect(await statuses(numbers?.secret)).toEqual([403, 403, 403])
  expect(await statuses(reader?.secret)).toEqual([200, 403, 403])
  expect((await ask('GET', MARKS)).body).toEqual([])
})

it.each(WRONG)('%j is refused', async (body, where, says) => {
  const { status, body: refusal } = await ask('POST', MARKS, body)
  expect([status, refusal.code]).toEqual([422, 'validation_failed'])
  const issue = refusal.issues.find((one: { readonly where: string }) => one.where === where)
  expect(issue?.message, JSON.stringify(refusal.issues)).toContain(says)
  expect((await ask('GET', MARKS)).body).toEqual([])
})

it('a finding that is not there cannot be marked, and neither can several at once', async () => {
  const missing = await ask('POST', MARKS, { ...finding, subscription_id: ANY_ID, state: 'seen' })
  expect(missing).toMatchObject({ status: 404, body: { code: 'not_found' } })
  const several = await ask('POST', MARKS, { kind: finding.kind, state: 'seen' })
  expect(several).toMatchObject({ status: 409, body: { code: 'conflict', detail: expect.stringContaining('subscription_id') } })
  expect((await ask('GET', MARKS)).body).toEqual([])
})

it('notes and ids are kept or refused, and never become a statement', async () => {
  for (const text of [...HOSTILE_TEXTS, ...NOT_STORABLE]) {
    const isNote = [...text].length <= 200 && !/\p{Cc}/u.test(text)
    const made = await ask('POST', MARKS, { ...finding, state: 'seen', note: text })
    expect([text, made.status, made.body.note]).toEqual([text, isNote ? 201 : 422, isNote ? text : undefined])
    if (isNote) {
      const { rows } = (await ask('GET', '/api/billing-health/findings?mark=seen')).body
      expect(rows.map((row: { readonly mark: { readonly note: string } }) => row.mark.note)).toEqual([text])
    }
    for (const id of ['source_id', 'customer_id', 'subscription_id', 'invoice_id']) {
      const { status } = await ask('POST', MARKS, { ...finding, [id]: text, state: 'seen' })
      expect([404, 422], `${id} ${text}`).toContain(status)
    }
    expect((await ask('DELETE', `${MARKS}/${encodeURIComponent(text)}`)).status, text).toBe(404)
  }
})

it.each(['/api/billing-health', '/api/billing-health/findings?limit=5', '/api/billing-health?format=csv'])(
  'the answer of %s and its ETag follow a mark at once',
  async (path) => {
    const tagOf = async () => {
      const response = await service.app.request(path, { headers: { authorization: `Bearer ${writer.secret}` } })
      const text = await response.text()
      const tag = response.headers.get('etag') ?? ''
      const again = await service.app.request(path, {
        headers: { authorization: `Bearer ${writer.secret}`, 'if-none-match': tag },
      })
      expect(again.status).toBe(304)
      return { tag, text }
    }
    const before = await tagOf()
    const { body: mark } = await ask('POST', MARKS, { ...finding, state: 'no_error' })
    const marked = await tagOf()
    expect(marked.tag).not.toBe(before.tag)
    expect(marked.text).not.toBe(before.text)
    await ask('POST', MARKS, { ...finding, state: 'seen' })
    const seen = await tagOf()
    expect(new Set([before.tag, marked.tag, seen.tag]).size).toBe(3)
    await ask('DELETE', `${MARKS}/${mark.id}`)
    expect(await tagOf()).toEqual(before)
  },
)

it.each(['/api/billing-health', '/api/billing-health/findings', '/api/billing-health/notices'])(
  '%s refuses another mark by name',
  async (path) => {
    const { status, body } = await ask('GET', `${path}?mark=gone`)
    expect([status, body.code]).toEqual([400, 'invalid_value'])
    expect(body.available).toEqual(['none', 'seen', 'no_error'])
  },
)
