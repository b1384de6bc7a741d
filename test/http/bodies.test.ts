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

/** Why a body that the document allows may be refused: by operation, the code and the place of the issues. */
const INEXPRESSIBLE: Readonly<Record<string, readonly (readonly [code: string, where: RegExp, reason: string])[]>> = {
  all: [
    ['not_found', /^$/, 'the body names an id that does not exist'],
    ['conflict', /^$/, 'the name is taken, or there are as many as there may be'],
  ],
  create_segment: [['validation_failed', /^body\.definition$/, 'operators and values depend on the type of the field']],
  update_segment: [['validation_failed', /^body\.definition$/, 'operators and values depend on the type of the field']],
  validate_segment: [['unknown_metric', /^/, 'the metric does not exist']],
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
  let ids: Readonly<Record<string, string>>

  const send = async (method: string, path: string, body: unknown): Promise<Reply> => {
    const response = await service.app.request(path, { method, headers: JSON_BODY, body: JSON.stringify(body) })
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
      saved_chart_id: [ids['chart']],
      section_id: [ids['sid']],
      type: ['toy'],
      field: ['currency', 'customer.name'],
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
    return { segment: segment.id, customer: rows[0].id }
  }
  const pathOf = (path: string) => {
    const id = path.startsWith('/api/segments')
      ? ids['segment']
      : path.startsWith('/api/customers')
        ? ids['customer']
        : ids['dashboard']
    return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'id' ? id : ids[name]) ?? 'x')
  }

  it('that the document allows is accepted', async () => {
    for (const { id, method, path, schema } of operations.filter(isDone)) {
      let accepted = 0
      const drawn = fc.sample(fittingBody(schema, { ...drawing, isFull: false }), { numRuns: RUNS, seed: SEED })
      for (const body of drawn) {
        const reply = await send(method, pathOf(path), body)
        const what = `${id} ${JSON.stringify(body).slice(0, 500)}\n${reply.text.slice(0, 500)}`
        if (reply.status < 400) accepted += 1
        else expect(isExcused(id, reply), what).toBe(true)
      }
      expect(accepted, id).toBeGreaterThan(RUNS / 5)
    }
  }, 600_000)

  it('that the document does not allow is refused with its place', async () => {
    for (const { id, method, path, schema } of operations.filter(isDone)) {
      const samples = fc.sample(fittingBody(schema, { ...drawing, isFull: true }), { numRuns: 4, seed: SEED })
      const broken = new Map<string, BrokenBody>()
      for (const sample of samples)
        for (const each of brokenBodies(schema, sample, { ...drawing, isFull: true })) broken.set(each.constraint, each)
      expect(broken.size, id).toBeGreaterThan(3)
      for (const { body, constraint, unknown } of broken.values()) {
        const reply = await send(method, pathOf(path), body)
        const what = `${id}: ${constraint}\n${JSON.stringify(body).slice(0, 500)}\n${reply.status} ${reply.text.slice(0, 500)}`
        if (JUDGES[id]?.test(reply.text) === true) continue
        expect([400, 422], what).toContain(reply.status)
        expect(reply.issues.map(({ where }) => where).join(' '), what).toMatch(/^body/)
        if (unknown !== undefined) expect(reply.text, what).toContain(unknown)
      }
    }
  }, 600_000)
})

const isDone = ({ id }: { readonly id: string }) => /segment/.test(id)

interface Described {
  readonly operationId: string
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

function isExcused(id: string, { code, issues }: Reply): boolean {
  const excuses = [...(INEXPRESSIBLE['all'] ?? []), ...(INEXPRESSIBLE[id] ?? [])]
  const places = issues.length === 0 ? [''] : issues.map(({ where }) => where)
  return excuses.some(([known, where]) => known === code && places.every((place) => where.test(place)))
}
