import { afterAll, beforeAll, expect, it } from 'vitest'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { type RealService, realService } from '../support/product/recorded-service.ts'

/** Of the small tenant, which is as good: nothing here depends on many customers. */
const [A, B] = ['beta-acc-0001', 'beta-acc-0002']
const MOST_KEYS = 5

oneEngineInRotation('limits of stored attributes', (target) => {
  let service: RealService
  beforeAll(async () => {
    service = await realService(target, { tenant: ['beta'], attributeKeys: MOST_KEYS })
  })
  afterAll(() => service.close())

  const named = (count: number, prefix: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 'x']))
  const set = (attributes: unknown) => service.ask('POST', `customers/${A}/attributes`, { attributes })
  const stored = async () =>
    (await service.ask('GET', 'attributes')).body.filter((each: { editable: boolean }) => each.editable).length

  it('a call of more than two hundred keys is refused by their number', async () => {
    const { status, body } = await set(named(900, 'many_'))
    expect([status, body.code, body.limit, body.issues_total]).toEqual([422, 'validation_failed', 200, 1])
    expect(body.issues[0]).toMatchObject({ where: 'body.attributes', message: expect.stringContaining('900') })
    expect(await stored()).toBe(0)
  })

  it('a file of more than two hundred attributes is refused by their number', async () => {
    const columns = Array.from({ length: 201 }, (_, index) => `column_${index}`)
    const { status, body } = await service.upload(`external,${columns.join(',')}\n${A},1\n`)
    expect([status, body.code, body.limit]).toEqual([400, 'invalid_csv', 200])
    expect(await stored()).toBe(0)
  })

  it('the store takes no more keys than it may hold, by none of the ways in, and nothing of a call that would', async () => {
    expect((await set(named(MOST_KEYS - 1, 'kept_'))).status).toBe(200)
    const refused = [await set(named(2, 'new_')), await service.upload(`external,kept_0,new_1,new_2\n${A},y,1,\n${B},y,,1\n`)]
    for (const { status, body } of refused) {
      expect([status, body.code, body.limit]).toEqual([422, 'validation_failed', MOST_KEYS])
      expect(body.detail).toContain('limits.attribute_keys')
    }
    expect(await stored()).toBe(MOST_KEYS - 1)
    expect((await service.ask('GET', `customers/${A}`)).body.attributes.kept_0).toBe('x')
    expect((await service.ask('POST', 'attributes', { key: 'last', type: 'number' })).status).toBe(201)
    expect((await service.ask('POST', 'attributes', { key: 'further', type: 'number' })).status).toBe(422)
  })

  it('keys that are there can be set, declared and described at the limit', async () => {
    expect((await set({ kept_0: 'z', last: 7 })).body).toEqual({ upserted: 2, unchanged: 0, keys_created: [] })
    expect((await service.ask('POST', 'attributes', { key: 'last', type: 'number', label: 'Last' })).status).toBe(200)
    expect((await service.ask('PUT', 'attributes/kept_1', { label: 'Kept' })).status).toBe(200)
  })
})
