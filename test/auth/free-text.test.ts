import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type GuardedOperation,
  type GuardedService,
  guardedOperations,
  openGuardedService,
  requestFor,
} from '../support/product/guarded-service.ts'

/** Texts that people write, each planted once. Keys of attributes are lower-case words. */
const PLANTED = {
  key: 'planted_key',
  lost_key: 'planted_lost_key',
  label: 'Planted label',
  attribute_description: 'Planted attribute description',
  value: 'planted value',
  segment_description: 'Planted segment description',
  condition: 'planted condition',
  class: 'Planted class',
  department: 'Planted department',
  project: 'Planted project',
} as const
const DAYS = 'start=2026-08-01&end=2026-10-31'
const FORMATS = ['json', 'csv', 'xlsx'] as const

let service: GuardedService
let operations: readonly GuardedOperation[]
/** Every text that numbers do not need: what was planted, and what the data has of the kind. */
let texts: readonly string[]
let secrets: Readonly<Record<'read' | 'read:aggregate', string>>
let segments: Readonly<Record<'narrow' | 'broken', string>>

beforeAll(async () => {
  service = await openGuardedService()
  operations = await guardedOperations(service)
  const [numbers, reader, writer] = await Promise.all(
    (['read:aggregate', 'read', 'write'] as const).map((scope) => service.makeKey([scope])),
  )
  secrets = { 'read:aggregate': numbers?.secret ?? '', read: reader?.secret ?? '' }
  const send = async (
    path: string,
    body: string | FormData,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ) => {
    const sent = { method: 'POST', headers: { ...headers, authorization: `Bearer ${writer?.secret}` }, body }
    const response = await service.app.request(path, sent)
    expect(response.status, await response.clone().text()).toBeLessThan(300)
    // biome-ignore lint/suspicious/noExplicitAny: a body is whatever a test expects it to be
    return (await response.json()) as any
  }
  const { key, lost_key, label, attribute_description, value, condition } = PLANTED
  await send('/api/attributes', JSON.stringify({ key, type: 'string', label, description: attribute_description }))
  const [customer] = await rowsOf('customers')
  await send(`/api/customers/${customer?.['id']}/attributes`, JSON.stringify({ attributes: { [key]: value } }))
  const segment = (name: string, field: string) => ({
    name,
    description: PLANTED.segment_description,
    definition: { root: { op: 'and', conditions: [{ field, op: '=', value: condition }] } },
  })
  segments = {
    narrow: (await send('/api/segments', JSON.stringify(segment('Narrow', `attr.${key}`)))).id,
    broken: (await send('/api/segments', JSON.stringify(segment('Broken', `attr.${lost_key}`)))).id,
  }
  const form = new FormData()
  const lines = `id,date,vendor,account,account_type,amount,currency,class,department,project
E1,2026-09-05,Acme,Hosting,cogs,120.5,USD,${PLANTED.class},${PLANTED.department},${PLANTED.project}
`
  form.set('file', new Blob([lines]), 'lines.csv')
  form.set('source', 'bank')
  await send('/api/expenses/import', form, {})
  // A reason of one plain word, such as "other", is a word of descriptions too.
  const reasons = (await rowsOf('subscriptions'))
    .map(({ cancel_reason }) => cancel_reason)
    .filter((text) => /\w[_ ]\w/.test(String(text)))
  texts = [...new Set([...Object.values(PLANTED), ...reasons].filter((text): text is string => typeof text === 'string'))]
  expect(texts.length).toBeGreaterThan(Object.keys(PLANTED).length)
})
afterAll(() => service.close())

async function rowsOf(name: 'customers' | 'subscriptions') {
  const { data } = await service.engine.list(name, { limit: '1000' })
  return (data as { rows: readonly Readonly<Record<string, unknown>>[] }).rows
}

interface Told {
  readonly status: number
  /** Body and headers as text, an archive by its parts. */
  readonly text: string
}

async function ask(scope: keyof typeof secrets, path: string, init: RequestInit = {}): Promise<Told> {
  const headers = { ...(init.headers as object), authorization: `Bearer ${secrets[scope]}` }
  const response = await service.app.request(path, { ...init, headers })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b
  const body = isArchive ? Object.values(unzipSync(bytes)).map((part) => strFromU8(part)) : [strFromU8(bytes)]
  return { status: response.status, text: [JSON.stringify([...response.headers]), ...body].join('\n') }
}

/** The texts that an answer tells beyond what the caller has said. */
const found = ({ text }: Told, said = '') =>
  texts.filter((planted) => !said.includes(planted) && [planted, encodeURIComponent(planted)].some((form) => text.includes(form)))

/** Asks for each path by a credential that sees numbers only. Nothing that people wrote comes back, whatever the status. */
async function expectNone(paths: readonly string[], init: RequestInit = {}): Promise<readonly number[]> {
  const statuses = []
  for (const path of paths) {
    const told = await ask('read:aggregate', path, init)
    expect([path, found(told, `${path} ${init.body}`)]).toEqual([path, []])
    expect(told.status, path).toBeLessThan(500)
    statuses.push(told.status)
  }
  return statuses
}

/** A call of a tool. */
function call(name: string, given: object): RequestInit {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } })
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body }
}

describe('free text', () => {
  it('reaches a credential with the scope read, so that the others miss something', async () => {
    const paths = [
      '/api/segments',
      '/api/attributes',
      '/api/metrics/mrr/fields',
      `/api/attributes/${PLANTED.key}/values`,
      '/api/expenses/lines?start=2026-09-01&end=2026-09-30',
      '/api/subscriptions?limit=1000',
      '/api/metrics/churn?dimensions=cancel_reason&start=2024-12-01&end=2026-10-31',
    ]
    const told = await Promise.all(paths.map((path) => ask('read', path)))
    expect([...new Set(told.flatMap((each) => found(each)))].sort()).toEqual([...texts].sort())
  })

  it('is in no answer of any operation to a credential that sees numbers only', async () => {
    for (const operation of operations.filter(({ needs }) => needs !== 'public')) {
      const { url, init } = requestFor(operation)
      await expectNone([url], init)
    }
  })

  it('is in no field of a metric, and no field that is named is refused', async () => {
    for (const metric of service.engine.metrics()) {
      if (metric === 'summary') continue
      const told = await ask('read:aggregate', `/api/metrics/${metric}/fields`)
      expect([metric, found(told), told.text.includes('attr.')]).toEqual([metric, [], false])
      const { attributes, dimensions, filters } = JSON.parse(told.text.split('\n')[1] ?? '')
      expect(attributes).toEqual([])
      const keys: string[] = [...dimensions, ...filters].map(({ key }: { key: string }) => key)
      for (const closed of ['cancel_reason', 'class', 'department', 'project', 'customer_name'])
        expect(keys).not.toContain(closed)
      const asked = dimensions.map(({ key }: { key: string }) => `/api/metrics/${metric}?${DAYS}&dimensions=${key}`)
      expect(await expectNone(asked)).not.toContain(403)
      const values = await expectNone(keys.map((key) => `/api/metrics/${metric}/fields/${key}/values`))
      expect([metric, ...new Set(values)]).toEqual([metric, 200])
    }
  })

  it.each(FORMATS)('is in no row by any dimension, as %s', async (format) => {
    for (const metric of service.engine.metrics()) {
      if (metric === 'summary') continue
      const { dimensions, attributes } = (await service.engine.fields(metric)).data
      const keys = [...dimensions, ...attributes].map(({ key }) => key)
      await expectNone(keys.map((key) => `/api/metrics/${metric}?${DAYS}&format=${format}&dimensions=${key}`))
    }
  })

  it.each(['cancel_reason', 'class', 'department', 'project', `attr.${PLANTED.key}`])('refuses %s by its name', async (key) => {
    const metric = ['class', 'department', 'project'].includes(key) ? 'expenses' : 'churn'
    for (const path of [`?${DAYS}&dimensions=${key}`, `?${DAYS}&filter=${key}=x`, `/fields/${key}/values`]) {
      const { status, text } = await ask('read:aggregate', `/api/metrics/${metric}${path}`)
      expect([path, status]).toEqual([path, 403])
      expect(text).toContain('"required_scope":"read"')
    }
  })

  it('is in no refusal, near as a name may be', async () => {
    const paths = [
      'mrr?dimensions=attr.planted_ke',
      'mrr?dimensions=planted_key',
      'mrr?dimensions=attr.planted_ke,plann_id',
      'mrr?filter=attr.planted_ke=1',
      'mrr?filter=planted_ke=1',
      `mrr?segment=${encodeURIComponent('{"root":{"op":"and","conditions":[{"field":"attr.planted_ke","op":"=","value":1}]}}')}`,
      `mrr?segment=${segments.broken}`,
      `mrr?compare_segments=${segments.narrow},${segments.broken}`,
      'mrr?segment=Narro',
      `churn/customers?${DAYS}&segment=${segments.broken}`,
      `mrr/why?${DAYS}`,
    ]
    const statuses = await expectNone(paths.map((path) => `/api/metrics/${path}`))
    expect(statuses.filter((status) => status < 400)).toEqual([])
  })

  it('is not shared by two who ask the same at the same moment', async () => {
    const path = '/api/metrics/mrr?dimensions=planted_ke'
    const [reader, numbers] = await Promise.all([ask('read', path), ask('read:aggregate', path)])
    expect([reader.status, numbers.status]).toEqual([400, 400])
    expect([found(reader), found(numbers)]).toEqual([[PLANTED.key], []])
  })

  it.each(FORMATS)('is in no answer for a segment, as %s', async (format) => {
    const statuses = await expectNone([
      `/api/metrics/mrr?segment=${segments.narrow}&format=${format}`,
      `/api/metrics/mrr?compare_segments=${segments.narrow}&format=${format}`,
    ])
    expect(statuses).toEqual([200, 200])
  })

  it('is in no answer of a tool', async () => {
    const calls: readonly (readonly [string, object])[] = [
      ['list_segments', {}],
      ['summary', {}],
      ['list_customers', {}],
      ['metric_fields', { metric: 'mrr' }],
      ['metric_fields', { metric: 'expenses' }],
      ['query_metric', { metric: 'mrr', dimensions: ['attr.planted_ke'] }],
      ['query_metric', { metric: 'mrr', dimensions: ['planted_ke'] }],
      ['query_metric', { metric: 'churn', dimensions: ['cancel_reason'], start: '2026-08-01', end: '2026-10-31' }],
      ['query_metric', { metric: 'mrr', segment: 'Narrow' }],
      ['query_metric', { metric: 'mrr', segment: 'Broken' }],
      ['query_metric', { metric: 'mrr', query_type: 'why', start: '2026-08-01', end: '2026-10-31' }],
    ]
    for (const [name, given] of calls) await expectNone(['/mcp'], call(name, given))
    expect(found(await ask('read', '/mcp', call('list_segments', {})))).toContain(PLANTED.segment_description)
  })
})
