import { afterAll, beforeAll, expect, it } from 'vitest'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { type RealService, realService } from '../support/product/recorded-service.ts'

const definition = (field: string, value: unknown) => ({
  version: 1,
  root: { op: 'and', conditions: [{ field, op: '=', value }] },
})

oneEngineInRotation('saved segments', (target) => {
  let service: RealService
  beforeAll(async () => {
    service = await realService(target)
  })
  afterAll(() => service.close())

  const create = (name: string, given: unknown = definition('currency', 'EUR'), more: object = {}) =>
    service.ask('POST', 'segments', { name, definition: given, ...more })

  it('are kept as they were sent', async () => {
    const given = { root: { conditions: [{ value: '🙂 \\ " \' %', op: '=', field: 'customer.name' }], op: 'or' } }
    const { status, body } = await create('kept 🙂', given, { description: 'what' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'kept 🙂',
      description: 'what',
      definition: given,
      created_by: null,
      created_at: '2026-11-21T00:00:00.000Z',
      updated_at: '2026-11-21T00:00:00.000Z',
      warnings: [],
    })
    const read = await service.ask('GET', `segments/${body.id}`)
    expect(read).toEqual({ status: 200, body })
    expect(JSON.stringify(read.body.definition)).toBe(JSON.stringify(given))
  })

  it('change in part', async () => {
    const { id } = (await create('changing', undefined, { description: 'x' })).body
    const path = `segments/${id}`
    expect((await service.ask('PUT', path, { name: 'changed' })).body).toMatchObject({
      status: 'updated',
      id,
      name: 'changed',
      description: 'x',
    })
    expect((await service.ask('PUT', path, { description: null })).body).toMatchObject({ name: 'changed', description: null })
    expect(
      (await service.ask('PUT', path, { definition: definition('currency', 'USD') })).body.definition.root.conditions[0].value,
    ).toBe('USD')
    expect((await service.ask('PUT', path, {})).body).toMatchObject({ status: 'updated', name: 'changed' })
    expect((await service.ask('PUT', path, { name: null, definition: null })).body.issues).toHaveLength(2)
    expect(await service.ask('DELETE', path)).toEqual({ status: 200, body: { status: 'deleted' } })
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await service.ask(method, path, method === 'PUT' ? {} : undefined)).status).toBe(404)
    expect((await service.ask('GET', "segments/' or 1=1")).status).toBe(404)
  })

  it('have distinct names, also when two are made at once', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => create('only one')))
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
    expect((await create('Only one')).status).toBe(201)
    const { id } = (await create('another')).body
    expect(await service.ask('PUT', `segments/${id}`, { name: 'only one' })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    expect((await service.ask('PUT', `segments/${id}`, { name: 'another' })).status).toBe(200)
  })

  it.each([
    ['no body', undefined, 2],
    ['a list', [], 2],
    ['no name', { definition: definition('currency', 'EUR') }, 1],
    ['a long name', { name: 'n'.repeat(201), definition: definition('currency', 'EUR') }, 1],
    ['blanks around', { name: ' n', definition: definition('currency', 'EUR') }, 1],
    ['no definition', { name: 'x1' }, 1],
    ['a wrong definition', { name: 'x2', definition: { root: { op: 'xor', conditions: [{ field: 'currency', op: '~' }] } } }, 2],
    ['a wrong value', { name: 'x3', definition: definition('computed.tenure_months', 'many') }, 1],
  ])('are refused with everything wrong at once: %s', async (_what, body, count) => {
    const reply = await service.ask('POST', 'segments', body)
    expect([reply.status, reply.body.code, reply.body.issues.length]).toEqual([422, 'validation_failed', count])
  })

  it('are refused with a field that does not exist', async () => {
    expect(await create('x4', undefined, { descripton: 'what' })).toMatchObject({
      status: 422,
      body: {
        code: 'validation_failed',
        issues: [
          {
            where: 'body.descripton',
            message: 'Unknown field "descripton"; known fields are name, description, definition.',
            did_you_mean: ['description'],
          },
        ],
      },
    })
    expect(
      await service.ask('POST', 'segments/validate', { definition: definition('currency', 'EUR'), metrics: 'mrr' }),
    ).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', issues: [{ where: 'body.metrics', did_you_mean: ['metric'] }] },
    })
  })

  it('name what nobody has with a warning until somebody has it', async () => {
    const { status, body } = await create('early', definition('attr.quota_of_2026', 'x'))
    expect([status, body.warnings]).toEqual([201, ['root.conditions[0]: unknown attribute "quota_of_2026"']])
    const refused = await service.ask('GET', `metrics/mrr?at=2026-10-31&segment=${body.id}`)
    expect(refused).toMatchObject({ status: 400, body: { code: 'unknown_attribute', segment_id: body.id } })
    await service.ask('POST', 'customers/alpha-acc-0001/attributes', { attributes: { quota_of_2026: 'x' } })
    expect((await service.ask('GET', `segments/${body.id}`)).body.warnings).toEqual([])
    expect((await service.ask('GET', `metrics/mrr?at=2026-10-31&segment=${body.id}`)).body).toBeGreaterThan(0)
  })

  it('say which fields there are, with values that are nobody in particular', async () => {
    const given = [
      { colour: 'red', level: 2.5, contact_email: 'one@example.test', note: 'of one only' },
      { colour: 'red', level: 2.5, contact_email: 'one@example.test' },
      { colour: 'red ', level: 7, note: 'see two@example.test' },
      { colour: 'red ', level: 3, note: 'see two@example.test' },
      { colour: 'red', level: 7, seen: '2026-01-02' },
    ]
    for (const [index, attributes] of given.entries()) {
      await service.ask('POST', `customers/alpha-acc-000${index + 1}/attributes`, { attributes })
    }
    const { status, body } = await service.ask('GET', 'segments/fields')
    expect(status).toBe(200)
    const fields = body as readonly { field: string; type: string; operators: string[]; examples: unknown[]; metrics: string[] }[]
    const of = (name: string) => fields.find(({ field }) => field === name)
    expect(of('attr.colour')).toEqual({
      field: 'attr.colour',
      label: 'colour',
      type: 'string',
      operators: expect.arrayContaining(['=', 'contains', 'is_empty']),
      examples: ['red', 'red '],
      metrics: ['churn', 'involuntary_churn', 'ledger', 'ltv', 'mrr', 'retention', 'trials', 'usage_revenue'],
    })
    const examples = (...names: string[]) => names.map((name) => of(name)?.examples)
    expect(examples('attr.level', 'attr.seen', 'attr.contact_email', 'attr.note')).toEqual([[2.5, 7], [], [], []])
    expect(examples('attr.tier', 'attr.tag.vip', 'currency', 'source', 'subscription.status', 'mrr_band')).toEqual([
      expect.arrayContaining(['free', 'growth', 'enterprise']),
      [true, false],
      expect.arrayContaining(['USD', 'EUR']),
      ['killbill'],
      ['trialing', 'active', 'paused'],
      ['Free', '<$100', '$100-$500', '$500-$1000', '$1000-$5000', '$5000+'],
    ])
    expect(of('subscription.plan_id')?.examples.length).toBeGreaterThan(3)
    expect(of('attr.nobody_has_it')).toBeUndefined()

    // Whatever is named is a field with these operators and values.
    const conditions = fields.flatMap(({ field, examples: [value], operators }) => [
      { field, op: operators.includes('in') ? 'is_not_empty' : 'is_empty' },
      ...(value === undefined ? [] : [{ field, op: '=', value }]),
    ])
    const verdict = await service.ask('POST', 'segments/validate', { root: { op: 'and', conditions } })
    expect(verdict.body).toMatchObject({ valid: true, errors: [] })
    const { rows } = (await service.ask('GET', 'customers?limit=1000')).body
    const shown = new Set(fields.flatMap((field) => field.examples))
    for (const { id, name, email, external_key } of rows) {
      for (const personal of [id, name, email, external_key])
        expect(personal !== null && shown.has(personal), personal).toBe(false)
    }
  })

  it('are listed', async () => {
    const { status, body } = await service.ask('GET', 'segments')
    const ids = body.map(({ id }: { id: string }) => id)
    expect(status).toBe(200)
    expect(ids).toEqual([...ids].sort())
  })
})
