import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Schema } from '../support/product/api-operations.ts'
import { documentChecks } from '../support/product/document-checks.ts'
import { type BrokenBody, brokenBodies, fittingBody } from '../support/product/drawn-bodies.ts'
import { openSampleService } from '../support/product/examples/sample-service.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { type RatePublisher, startRatePublisher } from '../support/product/rate-publisher.ts'

// biome-ignore lint/style/noProcessEnv: a longer run by hand, no product configuration
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 25)
const SEED = 20_261_129

const unknownName = (code: string) => [code, /^/, 'names and values depend on the metric and its query'] as const

/**
 * Draws that must be accepted, if fewer than two. Few of four ids name one finding, and few of a delivery have parts that go together. Links need
 * sign-in, which this service does not have.
 */
const LEAST_ACCEPTED: Readonly<Record<string, number>> = { create_billing_mark: 1, create_delivery: 1, create_link: 0 }
/** Why a body that the document allows may be refused: by operation, the code and the place of the issues. */
const INEXPRESSIBLE: Readonly<Record<string, readonly (readonly [code: string, where: RegExp, reason: string])[]>> = {
  all: [
    ['not_found', /^$/, 'the body names an id that does not exist'],
    ['conflict', /^$/, 'the name is taken, or there are as many as there may be'],
  ],
  ...Object.fromEntries(
    ['create_delivery', 'update_delivery'].map((id) => [
      id,
      [
        ['validation_failed', /^body\.(briefing|segment|when\.zone)$/, 'the name must exist'],
        ['validation_failed', /^body\.to\.\d+(\.(address|url))?$/, 'the receiver may not get it, or comes twice'],
        ['validation_failed', /^body\.condition\./, 'names and values depend on the metric and its query'],
      ] as const,
    ]),
  ),
  create_segment: [['validation_failed', /^body\.definition$/, 'operators and values depend on the type of the field']],
  update_segment: [['validation_failed', /^body\.definition$/, 'operators and values depend on the type of the field']],
  validate_segment: [['unknown_metric', /^/, 'the metric does not exist']],
  set_attributes: [
    ['invalid_value', /^body\.attributes\./, 'the attribute has another type'],
    ['read_only_attribute', /^/, 'the attribute belongs to the billing engine'],
  ],
  create_billing_mark: [['validation_failed', /^body\.state$/, 'nobody erred where an overdue state stops the service']],
  ...Object.fromEntries(
    ['create_note', 'update_note'].map((id) => [
      id,
      [['validation_failed', /^body\.(metric|tenant)$/, 'the name does not exist']] as const,
    ]),
  ),
  create_goal: [
    [
      'validation_failed',
      /^body\.(metric|query_type|filter|value)/,
      'the unit, the filters and the query types depend on the metric',
    ],
  ],
  update_goal: [['validation_failed', /^body\.value$/, 'the unit depends on the metric']],
  create_key: [['validation_failed', /^body\.expires_at$/, 'the day has passed']],
  create_link: [
    ['validation_failed', /^body\.expires_at$/, 'the day has passed, or is more than a year ahead'],
    ['validation_failed', /^body\.(dashboard_id|chart_id|moment|names)$/, 'the kind decides which of them it takes'],
    ['conflict', /^/, 'sign-in is off'],
  ],
  fetch_fx_rates: [['invalid_csv', /^body$/, 'the bank has no rates of this currency']],
  query_metric: [
    ['validation_failed', /^body\.params\.segment$/, 'an empty segment is refused, other empty parameters are left out'],
    ...['unknown_dimension', 'unknown_filter', 'unknown_attribute', 'unknown_segment', 'invalid_operator'].map(unknownName),
    ...['invalid_value', 'invalid_interval', 'invalid_range', 'too_many_segments'].map(unknownName),
  ],
  add_source: [['validation_failed', /^body\.(type$|config)/, 'the platform is not there, or has other settings']],
}

/** Operations whose answer is what is wrong with the body. */
const JUDGES: Readonly<Record<string, RegExp>> = { validate_segment: /^\{"valid":false/ }

interface Reply {
  readonly status: number
  readonly code: string
  readonly issues: readonly { readonly where: string; readonly message: string; readonly code: string }[]
  readonly text: string
}

type Service = Awaited<ReturnType<typeof openSampleService>>

describe('a JSON body', () => {
  let service: Service
  let publisher: RatePublisher
  let operations: readonly { readonly id: string; readonly method: string; readonly path: string; readonly schema: Schema }[]
  let drawing: Omit<Parameters<typeof fittingBody>[1], 'isFull'>
  let ids: Awaited<ReturnType<typeof makeRecords>>

  const send = async (method: string, path: string, body: unknown): Promise<Reply> => {
    const sent = JSON.stringify(body)
    const headers = { ...JSON_BODY, accept: 'application/json, text/event-stream', 'x-webhook-signature': service.toy.sign(sent) }
    const response = await service.app.request(path, { method, headers, body: sent })
    const text = await response.text()
    expect(
      response.status,
      `${method} ${path} ${JSON.stringify(body).slice(0, 300)}\n${service.logged.at(-1) ?? ''}`,
    ).toBeLessThan(500)
    const { code = '', issues = [] } = text === '' ? {} : JSON.parse(text)
    return { status: response.status, code, issues, text }
  }

  beforeAll(async () => {
    publisher = await startRatePublisher()
    service = await openSampleService({ isCached: false, configure: (config) => ({ ...config, fx: { ecb_url: publisher.url } }) })
    const document = JSON.parse(await (await service.app.request('/openapi.json')).text())
    operations = Object.entries(document.paths as Record<string, Record<string, Described>>).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { operationId: id, requestBody }]) => {
        const schema = requestBody?.content['application/json']?.schema
        return schema === undefined ? [] : [{ id, method: method.toUpperCase(), path, schema }]
      }),
    )
    ids = await makeRecords()
    const existing = {
      saved_chart_id: ids.free,
      section_id: [ids.names['sid']],
      type: ['toy'],
      config: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((company) => ({ company })),
      field: ['currency', 'customer.name'],
      to: ['EUR', 'usd', [{ kind: 'slack' }]],
      params: [{ query_type: 'current' }],
      briefing: ['weekly', 'board'],
      when: [{ every: 'day', hour: 7, zone: 'UTC' }],
      zone: ['Europe/Berlin', 'UTC'],
      address: ['finance@example.com'],
      condition: [null],
      dimensions: [['plan_id']],
      filters: [{ currency: 'EUR' }],
      segment: [ids.segment],
      kind: [ids.finding.class],
      source_id: [ids.finding.source_id],
      customer_id: [ids.finding.customer_id],
      subscription_id: [ids.finding.subscription_id],
      invoice_id: [null],
      compare: [[ids.segment]],
    }
    drawing = { components: document.components.schemas, check: documentChecks(document.components), existing }
  }, 60_000)
  afterAll(async () => {
    await service.close()
    await publisher.close()
  })

  /** Records that the paths name. */
  async function makeRecords() {
    const made = async (method: string, path: string, body: unknown) => JSON.parse((await send(method, path, body)).text)
    const segment = await made('POST', '/api/segments', { name: 'gate', definition: { root: { op: 'and', conditions: [] } } })
    const { rows } = JSON.parse(await (await service.app.request('/api/customers?limit=1')).text())
    await made('POST', '/api/attributes', { key: 'gate', type: 'string' })
    await made('POST', '/api/sources', { type: 'toy', config: { company: 'gate' } })
    const note = await made('POST', '/api/notes', { day: '2026-10-05', text: 'gate' })
    const goal = await made('POST', '/api/goals', { metric: 'arr', period: '2020-10', value: 1 })
    const dashboard = await made('POST', '/api/dashboards', { name: 'gate' })
    const board = `/api/dashboards/${dashboard.id}`
    const section = await made('POST', `${board}/sections`, { title: 'gate' })
    const chart = await made('POST', '/api/charts', { name: 'gate', config: {} })
    const place = await made('POST', `${board}/charts`, { saved_chart_id: chart.id, section_id: section.id })
    const delivery = await made('POST', '/api/deliveries', {
      ...{ name: 'gate', briefing: 'weekly', when: { every: 'day', hour: 7 }, to: [{ kind: 'slack' }] },
    })
    const paths: Readonly<Record<string, string>> = {
      segments: segment.id,
      notes: note.id,
      goals: goal.id,
      customers: rows[0].id,
      dashboards: dashboard.id,
      charts: chart.id,
      deliveries: delivery.id,
      sources: 'toy-gate',
    }
    const names: Readonly<Record<string, string>> = { key: 'gate', sid: section.id, cid: place.id, metric: 'mrr', address: 'toy' }
    const [finding] = JSON.parse(await (await service.app.request('/api/billing-health/findings?limit=1')).text()).rows
    const free: string[] = []
    for (let count = 0; count < 30; count += 1) free.push((await made('POST', '/api/charts', { name: 'free', config: {} })).id)
    const database = JSON.parse(await (await service.app.request('/api/sources')).text())[0].id
    return {
      paths,
      database,
      segment: segment.id,
      free,
      finding,
      names,
    }
  }
  const pathOf = (id: string, path: string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      // A database needs no consent in the browser to be read again.
      if (id === 'backfill_source') return ids.database
      return ids.names[name] ?? ids.paths[path.split('/')[2] ?? ''] ?? 'x'
    })

  /** Bodies of notes and goals name what there is more often, because all their names must exist together. */
  const REMARK = {
    metric: ['mrr', 'churn', 'trials'],
    query_type: ['arr', 'logo', 'conversion_rate'],
    filter: [[]],
    tenant: [null],
    value: [0, 5, 8],
    text: ['x'],
  }
  const drawingFor = (id: string, isFull: boolean) => {
    const existing = /_(note|goal)$/.test(id) ? { ...drawing.existing, ...REMARK } : drawing.existing
    return { ...drawing, existing, isFull }
  }

  it('that the document allows is accepted', async () => {
    for (const { id, method, path, schema } of operations) {
      let accepted = 0
      const drawn = fc.sample(fittingBody(schema, drawingFor(id, false)), { numRuns: RUNS, seed: SEED })
      for (const body of drawn) {
        const reply = await send(method, pathOf(id, path), body)
        const what = `${id} ${JSON.stringify(body).slice(0, 500)}\n${reply.text.slice(0, 500)}`
        if (reply.status < 400) accepted += 1
        else expect(isExcused(id, reply), what).toBe(true)
      }
      expect(accepted, id).toBeGreaterThanOrEqual(LEAST_ACCEPTED[id] ?? 2)
    }
  }, 600_000)

  it('that the document does not allow is refused with its place', async () => {
    for (const { id, method, path, schema } of operations) {
      const samples = fc.sample(fittingBody(schema, drawingFor(id, true)), { numRuns: 4, seed: SEED })
      const broken = new Map<string, BrokenBody>()
      for (const sample of samples)
        for (const each of brokenBodies(schema, sample, drawingFor(id, true))) broken.set(each.constraint, each)
      if (id !== 'webhook') expect(broken.size, id).toBeGreaterThan(3)
      for (const { body, constraint, unknown } of broken.values()) {
        const reply = await send(method, pathOf(id, path), body)
        const what = `${id}: ${constraint}\n${JSON.stringify(body).slice(0, 500)}\n${reply.status} ${reply.text.slice(0, 500)}`
        if (JUDGES[id]?.test(reply.text) === true) continue
        expect([400, 422], what).toContain(reply.status)
        expect(reply.issues.map(({ where }) => where).join(' '), what).toMatch(/^body/)
        // The library of the protocol checks messages of models.
        if (unknown !== undefined && id !== 'mcp') expect(reply.text, what).toContain(unknown)
      }
    }
  }, 600_000)
})

interface Described {
  readonly operationId: string
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

function isExcused(id: string, { code, issues }: Reply): boolean {
  const excuses = [...(INEXPRESSIBLE['all'] ?? []), ...(INEXPRESSIBLE[id] ?? [])]
  const found = issues.length === 0 ? [{ code, where: '' }] : issues
  return found.every((issue) => excuses.some(([known, where]) => known === issue.code && where.test(issue.where)))
}
