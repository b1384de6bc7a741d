import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { type RealService, realService } from '../support/product/recorded-service.ts'

const FIRST = 'alpha-acc-0001'
const HOSTILE = [
  `it's "so"`,
  '100%_',
  'back\\slash',
  'emoji 🙂',
  'a b',
  'a_b',
  'a/b?c#d',
  '__proto__',
  'constructor',
  'k'.repeat(128),
]

oneEngineInRotation('attributes over HTTP', (target) => {
  let service: RealService
  beforeAll(async () => {
    service = await realService(target)
  })
  afterAll(() => service.close())

  const set = (attributes: unknown, customer = FIRST) => service.ask('POST', `customers/${customer}/attributes`, { attributes })
  const listed = async (key: string) =>
    (await service.ask('GET', 'attributes')).body.find((each: { key: string }) => each.key === key)
  const attributesOf = async (customer: string) => (await service.ask('GET', `customers/${customer}`)).body.attributes
  const mrr = async (filter: string) =>
    (await service.ask('GET', `metrics/mrr?at=2026-10-31&filter=${encodeURIComponent(filter)}`)).body

  describe('of the billing engine', () => {
    it('are listed with the type of their oldest value, and computed ones with them', async () => {
      const { status, body } = await service.ask('GET', 'attributes')
      expect(status).toBe(200)
      expect(body.map(({ key, type, source }: Record<string, string>) => [key, type, source])).toEqual([
        ['computed.arr_band', 'string', 'computed'],
        ['computed.cohort_month', 'timestamp', 'computed'],
        ['computed.customer_created_month', 'timestamp', 'computed'],
        ['computed.mrr_band', 'string', 'computed'],
        ['computed.tenure_months', 'number', 'computed'],
        ['employees', 'number', 'killbill'],
        ['health', 'number', 'killbill'],
        ['onboarded', 'boolean', 'killbill'],
        ['signed_at', 'timestamp', 'killbill'],
        ['tag.AUTO_INVOICING_OFF', 'boolean', 'killbill'],
        ['tag.__PARK__', 'boolean', 'killbill'],
        ['tag.vip', 'boolean', 'killbill'],
        ['tier', 'string', 'killbill'],
      ])
    })

    it('filter the figures: the values of a key and those without add up', async () => {
      const tiers = (await service.ask('GET', 'attributes/tier/values')).body.values as string[]
      const parts = await Promise.all(tiers.map((tier) => mrr(`attr.tier=${tier}`)))
      const without = (
        await service.ask('POST', 'metrics/mrr', {
          params: { at: '2026-10-31' },
          spec: { filters: { 'attr.tier': { is_empty: null } } },
        })
      ).body
      const total = (await service.ask('GET', 'metrics/mrr?at=2026-10-31')).body
      expect(parts.length).toBeGreaterThan(2)
      expect([...parts, without].reduce((sum, part) => sum + part, 0)).toBe(total)
    })

    it('are read only, by every way in', async () => {
      expect(await set({ tier: 'x', 'computed.mrr_band': 'y', fine: 1 })).toMatchObject({
        status: 409,
        body: { code: 'read_only_attribute', keys: ['computed.mrr_band', 'tier'] },
      })
      expect(await service.ask('DELETE', `customers/${FIRST}/attributes/tier`)).toMatchObject({
        status: 409,
        body: { code: 'read_only_attribute', keys: ['tier'] },
      })
      expect(await service.upload(`external,tier\n${FIRST},x\n`)).toMatchObject({ status: 409, body: { keys: ['tier'] } })
      expect(await listed('fine')).toBeUndefined()
    })

    it('keep what is said of them, and can have their type pinned', async () => {
      const label = { label: 'Staff', description: 'how many' }
      expect((await service.ask('PUT', 'attributes/employees', label)).body).toMatchObject({
        status: 'updated',
        ...label,
        type: 'number',
      })
      expect((await service.ask('PUT', 'attributes/employees', { label: null })).body).toMatchObject({
        label: 'employees',
        description: 'how many',
      })
      expect((await service.ask('POST', 'attributes', { key: 'employees', type: 'string' })).status).toBe(201)
      expect((await service.ask('POST', 'attributes', { key: 'employees', type: 'string' })).status).toBe(200)
      expect(await service.ask('POST', 'attributes', { key: 'employees', type: 'number' })).toMatchObject({
        status: 409,
        body: { code: 'conflict' },
      })
      expect((await service.ask('POST', 'attributes', { key: 'tag.vip', type: 'string' })).status).toBe(409)
      expect(await listed('employees')).toMatchObject({ type: 'string', editable: false, source: 'killbill' })
      expect(await mrr('attr.employees=140')).toBeGreaterThan(0)
    })

    it('with values that do not fit the type are null, and nobody is found by them', async () => {
      expect((await service.ask('POST', 'attributes', { key: 'health', type: 'boolean' })).status).toBe(201)
      const { body } = await service.ask('GET', 'customer-attributes?key=health&limit=1000')
      expect(body.total).toBeGreaterThan(0)
      expect(new Set(body.rows.map((row: { value: unknown }) => row.value))).toEqual(new Set([null]))
      expect((await service.ask('GET', 'attributes/health/values')).body).toMatchObject({ type: 'boolean', values: [] })
    })
  })

  describe('that are set', () => {
    it('get the type of their first value and keep it', async () => {
      const given = { seats: 10, vat: '7.50', is_big: 'true', since: '2024-02-29', note: 'text' }
      expect(await set(given)).toEqual({
        status: 200,
        body: { upserted: 5, unchanged: 0, keys_created: ['is_big', 'note', 'seats', 'since', 'vat'] },
      })
      const { body } = await service.ask('GET', 'attributes')
      const typeOf = (key: string) => body.find((each: { key: string }) => each.key === key)?.type
      expect(Object.keys(given).map(typeOf)).toEqual(['number', 'number', 'boolean', 'timestamp', 'string'])
      expect(await set({ ...given, seats: '10.0', note: 'other' })).toMatchObject({
        body: { upserted: 5, unchanged: 4, keys_created: [] },
      })
      expect(await attributesOf(FIRST)).toMatchObject({
        seats: 10,
        vat: 7.5,
        is_big: true,
        since: '2024-02-29T00:00:00.000Z',
        note: 'other',
      })
    })

    it('are all refused when one does not fit', async () => {
      const { status, body } = await set({ seats: 'many', untold: null, list: [1], object: {}, note: 5, good: 1 })
      expect(status).toBe(400)
      expect(body.code).toBe('invalid_value')
      expect(body.issues.map((issue: { where: string }) => issue.where)).toEqual(
        ['seats', 'untold', 'list', 'object', 'note'].map((key) => `body.attributes.${key}`),
      )
      expect(await listed('good')).toBeUndefined()
    })

    it('refuse keys that cannot be', async () => {
      const { status, body } = await set({ 'a=b': 1, ' a': 1, 'a\u0000': 1, ['k'.repeat(129)]: 1, '': 1 })
      expect(status).toBe(422)
      expect(body.issues).toHaveLength(5)
    })

    it.each([
      [{}, 422],
      [[], 422],
      ['x', 422],
      [{ attributes: null }, 422],
      [{ attributes: {} }, 200],
    ])('body %j: %i', async (body, status) => {
      expect((await service.ask('POST', `customers/${FIRST}/attributes`, body)).status).toBe(status)
    })

    it('take hostile keys and values, and find customers by them', async () => {
      for (const key of HOSTILE) {
        expect(await set(Object.fromEntries([[key, key]])), key).toMatchObject({
          status: 200,
          body: { upserted: 1, keys_created: [key] },
        })
      }
      const kept = await attributesOf(FIRST)
      for (const key of HOSTILE) expect(Object.getOwnPropertyDescriptor(kept, key)?.value, key).toBe(key)
      const one = await mrr(`attr.a b=a b`)
      // All of them at once, of which none may fail to find the customer.
      const filters = Object.fromEntries(HOSTILE.map((key) => [`attr.${key}`, key]))
      const body = { params: { at: '2026-10-31' }, spec: { filters } }
      expect(await service.ask('POST', 'metrics/mrr', body)).toEqual({ status: 200, body: one })
      for (const key of sampleOf(target, HOSTILE)) expect(await mrr(`attr.${key}=${key}`), key).toBe(one)
      for (const key of sampleOf(target, HOSTILE, { first: 2 })) {
        expect((await service.ask('GET', `attributes/${encodeURIComponent(key)}/values`)).body.values, key).toEqual([key])
      }
      expect(one).toBeGreaterThan(0)
      expect(await mrr('attr.a b=a_b')).toBe(0)
    })

    it('refuse text with a zero byte, half a pair or more than there is room for, and say what there is room for', async () => {
      for (const text of ['a\u0000b', '\ud800', 'x'.repeat(16_001)]) {
        for (const key of ['note', 'never seen']) {
          const { status, body } = await set({ [key]: text })
          expect([status, body.code, body.detail]).toEqual([
            400,
            'invalid_value',
            expect.stringContaining('at most 16000 characters'),
          ])
        }
      }
      expect((await set({ 'never seen': 1e18 })).body.detail).toContain('at most 18 digits')
    })

    it('hold a text as long as there is room for, counted in characters', async () => {
      const longest = '😀'.repeat(16_000)
      expect((await set({ mark: 1, longest })).status).toBe(200)
      expect((await attributesOf(FIRST))['longest']).toBe(longest)
      const body = { params: { at: '2026-10-31' }, spec: { filters: { 'attr.longest': longest } } }
      expect(await service.ask('POST', 'metrics/mrr', body)).toEqual({ status: 200, body: await mrr('attr.mark=1') })
      expect((await service.ask('DELETE', `customers/${FIRST}/attributes/longest`)).status).toBe(200)
    })

    it('are found by every number that can be set', async () => {
      await set({ mark: 1 })
      const one = await mrr('attr.mark=1')
      expect(one).toBeGreaterThan(0)
      const numbers = [1e-7, 0.000000000001, 0.1 + 0.2, 1e17, -1.5e-3].map((number, index) => [`exact ${index}`, number] as const)
      expect((await set(Object.fromEntries(numbers))).status).toBe(200)
      // All of them at once, of which none may fail to find the customer.
      const filters = Object.fromEntries(numbers.map(([key, number]) => [`attr.${key}`, number]))
      const body = { params: { at: '2026-10-31' }, spec: { filters } }
      expect(await service.ask('POST', 'metrics/mrr', body)).toEqual({ status: 200, body: one })
    })

    it('are deleted one by one', async () => {
      await set({ passing: 'x' })
      expect(await service.ask('DELETE', `customers/${FIRST}/attributes/passing`)).toEqual({
        status: 200,
        body: { status: 'deleted' },
      })
      expect((await service.ask('DELETE', `customers/${FIRST}/attributes/passing`)).status).toBe(404)
      expect((await service.ask('DELETE', 'customers/nobody/attributes/passing')).status).toBe(404)
    })

    it('belong to a test account too, which lists leave out', async () => {
      const [test] = await testAccounts()
      expect((await set({ quiet: 'yes' }, test)).status).toBe(200)
      expect(await attributesOf(test ?? '')).toMatchObject({ quiet: 'yes' })
      expect((await service.ask('GET', 'customer-attributes?key=quiet')).body.total).toBe(0)
    })
  })

  it('are declared once, with one type', async () => {
    const declared = { key: 'plan code', type: 'string', label: 'Plan', description: null }
    expect(await service.ask('POST', 'attributes', declared)).toMatchObject({
      status: 201,
      body: { ...declared, source: 'api', editable: true },
    })
    expect(await service.ask('POST', 'attributes', { key: 'plan code', type: 'string', label: 'Code' })).toMatchObject({
      status: 200,
      body: { label: 'Code' },
    })
    expect((await service.ask('POST', 'attributes', { key: 'plan code', type: 'number' })).status).toBe(409)
    expect((await service.ask('POST', 'attributes', { key: 'computed.mrr_band', type: 'string' })).status).toBe(409)
    expect((await service.ask('PUT', 'attributes/nothing', {})).status).toBe(404)
    const { status, body } = await service.ask('POST', 'attributes', { key: ' ', type: 'date', label: '' })
    expect([status, body.issues.length]).toEqual([422, 3])
  })

  it('are paged by customer and key, for any customer', async () => {
    const all = (await service.ask('GET', 'customer-attributes?limit=1000')).body
    expect(all.rows).toHaveLength(all.total)
    const names = all.rows.map((row: Record<string, string>) => `${row['customer_id']} ${row['key']}`)
    expect(names).toEqual([...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
    const paged: unknown[] = []
    for (let offset = 0; offset < all.total; offset += 97) {
      paged.push(...(await service.ask('GET', `customer-attributes?limit=97&offset=${offset}`)).body.rows)
    }
    expect(paged).toEqual(all.rows)
    const searched = (await service.ask('GET', 'customer-attributes?search=ACC-0001&key=seats')).body
    expect(searched).toMatchObject({ total: 1, rows: [{ customer_external_id: FIRST, key: 'seats', value: 10, origin: 'api' }] })
    expect((await service.ask('GET', 'customer-attributes?limit=0&offset=-1&x=1')).body.issues).toHaveLength(3)
    expect((await service.ask('GET', 'customer-attributes?key=nothing')).body).toMatchObject({ total: 0, rows: [] })
  })

  async function testAccounts(): Promise<readonly string[]> {
    const listedKeys = new Set<string>()
    const { body } = await service.ask('GET', 'customers?limit=1000')
    for (const row of body.rows) listedKeys.add(row.external_key)
    const possible = Array.from({ length: 60 }, (_, index) => `alpha-acc-${String(index + 1).padStart(4, '0')}`)
    return possible.filter((key) => !listedKeys.has(key))
  }
})
