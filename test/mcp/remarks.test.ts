import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GuardedService, openGuardedService } from '../support/product/guarded-service.ts'

let service: GuardedService
let keys: { readonly writer: string; readonly numbers: string }
beforeAll(async () => {
  service = await openGuardedService()
  keys = { writer: (await service.makeKey(['write'])).secret, numbers: (await service.makeKey(['read:aggregate'])).secret }
})
afterAll(() => service.close())

async function send(path: string, body: unknown, secret: string) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` }
  const response = await service.app.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

async function call(given: object, secret = keys.writer, name = 'query_metric'): Promise<string> {
  const params = { name, arguments: given }
  const { body } = await send('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, secret)
  expect(body.result.isError, JSON.stringify(body)).not.toBe(true)
  return String(body.result.content[0].text)
}

const OCTOBER = { start: '2026-10-01', end: '2026-10-31' }
const isRemark = (line: string) => /^(Note|Goal) ?/.test(line)
const numbersOf = (text: string) => text.split('\n').filter((line) => !isRemark(line))
const remarksOf = (text: string) => text.split('\n').filter(isRemark)

it('answers mention the notes and goals of their days, after numbers that are the same', async () => {
  const questions = [
    [{ metric: 'mrr', ...OCTOBER, interval: 'month' }],
    [{ metric: 'mrr', at: '2026-10-31' }],
    [{ metric: 'churn', ...OCTOBER }],
    [{ end: '2026-10-31' }, 'summary'],
  ] as const
  const ask = () => Promise.all(questions.map(([given, name]) => call(given, keys.writer, name)))
  const before = await ask()
  expect(before.flatMap(remarksOf)).toEqual([])
  for (const note of [
    { day: '2026-10-05', text: 'New "><script> prices', metric: 'mrr' },
    { day: '2026-10-31', text: 'Halloween' },
    { day: '2026-11-01', text: 'Later' },
  ])
    expect((await send('/api/notes', note, keys.writer)).status).toBe(201)
  for (const goal of [
    { metric: 'mrr', period: '2026-10', value: 5_000_000 },
    { metric: 'mrr', period: '2026-11', value: 6_000_000 },
    { metric: 'mrr', period: '2026-10', value: 1_000_000, filter: ['currency=EUR'] },
    { metric: 'churn', period: '2026-10', value: 0.02 },
  ])
    expect((await send('/api/goals', goal, keys.writer)).status).toBe(201)
  const after = await ask()
  expect(after.map(numbersOf)).toEqual(before.map(numbersOf))
  const [series, day, churn, summary] = after.map(remarksOf)
  expect(series).toEqual([
    'Note 2026-10-05: New "><script> prices (mrr)',
    'Note 2026-10-31: Halloween',
    'Goal: MRR, goal of 2026-10: 50000.00 USD.',
  ])
  expect(day).toEqual([
    'Note 2026-10-31: Halloween',
    expect.stringMatching(/^Goal: MRR, \d+% of the goal of 2026-10: 50000\.00 USD\.$/),
  ])
  expect(churn).toEqual(['Note 2026-10-31: Halloween', 'Goal: Logo churn, goal of 2026-10: 2%.'])
  expect(summary).toEqual(expect.arrayContaining(['Note 2026-10-31: Halloween', expect.stringMatching(/^Goal: MRR/)]))
})

it('a goal for some customers is mentioned only with their filter', async () => {
  const narrowed = remarksOf(await call({ metric: 'mrr', ...OCTOBER, filter: { currency: 'EUR' } }))
  expect(narrowed.filter((line) => line.startsWith('Goal'))).toEqual(['Goal: MRR, goal of 2026-10: 10000.00 USD.'])
  const operator = remarksOf(await call({ metric: 'mrr', ...OCTOBER, filter: { currency: { '!=': 'EUR' } } }))
  expect(operator.filter((line) => line.startsWith('Goal'))).toEqual([])
})

it('a caller with read:aggregate gets no notes, because they can name customers', async () => {
  const text = await call({ metric: 'mrr', ...OCTOBER }, keys.numbers)
  expect(remarksOf(text)).toEqual(['Goal: MRR, goal of 2026-10: 50000.00 USD.'])
  const headers = { authorization: `Bearer ${keys.numbers}` }
  expect((await service.app.request('/api/notes', { headers })).status).toBe(403)
  const goals = JSON.parse(await (await service.app.request('/api/goals', { headers })).text())
  expect(goals.map(({ filter, created_by }: Record<string, unknown>) => [filter, created_by])).toEqual(
    Array.from({ length: 3 }, () => [[], null]),
  )
  for (const [path, body] of [
    ['/api/notes', { day: '2026-10-05', text: 'x' }],
    ['/api/goals', { metric: 'mrr', period: '2026-12', value: 1 }],
  ] as const)
    expect((await send(path, body, keys.numbers)).status).toBe(403)
})

it('who wrote them is kept, and the audit log has each change', async () => {
  const { secret, id } = await service.makeKey(['write'])
  const { body: note } = await send('/api/notes', { day: '2025-01-05', text: 'x' }, secret)
  const { body: goal } = await send('/api/goals', { metric: 'arr', period: '2025-01', value: 1 }, secret)
  expect([note.created_by, goal.created_by]).toEqual([`key:${id}`, `key:${id}`])
  await service.engine.auth.flush()
  const { rows } = await service.engine.auth.audit({ actor_id: `key:${id}`, limit: '10' })
  expect(rows.map(({ action, target, outcome }) => [action, target, outcome])).toEqual([
    ['goal.create', goal.id, 'ok'],
    ['note.create', note.id, 'ok'],
  ])
})
