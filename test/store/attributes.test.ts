import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AttributeEntry } from '../../src/core/attribute.ts'
import { AppError } from '../../src/core/errors.ts'
import type { AttributeStore } from '../../src/ports/attribute-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { ownedIn, STORE_SERVERS, type StorePlace, storePlaces } from '../support/databases/store-places.ts'

const AT = '2026-01-02T03:04:05.678Z'
const LATER = '2026-02-03T04:05:06.000Z'
const HOSTILE = [`it's "so"`, '100%_', 'back\\slash', 'emoji 🙂', '{{x}}', '$1 ?', 'a b', 'a_b', 'ä'.repeat(128)]

describe.each(storePlaces([...STORE_SERVERS, 'sqlite']))('attributes in a store on %s', (_kind, makePlace) => {
  let place: StorePlace
  let store: Store
  let attributes: AttributeStore

  beforeAll(async () => {
    place = await makePlace()
    store = createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
    attributes = ownedIn(store).attributes
  })

  afterAll(async () => {
    await store.close()
    await place.remove()
  })

  const entry = (key: string, customer_id: string, value: string | boolean, type: AttributeEntry['type'] = 'string') => ({
    key,
    type,
    source_id: 's1',
    customer_id,
    value,
  })
  const define = (key: string, type: AttributeEntry['type']) =>
    attributes.change((writer) =>
      writer.define({ key, type, label: key, source: 'api', description: null, created_at: AT, updated_at: AT }),
    )
  const put = (entries: readonly AttributeEntry[], at = AT) => attributes.change((writer) => writer.put(entries, 'api', at))

  it('turns the numbers of one key into the text that they were', async () => {
    const texts = [
      '0',
      '-1.5',
      '90210',
      '0.000001',
      '123456789012345678',
      ...Array.from({ length: 1_200 }, (_, at) => String(at + 2)),
    ]
    const numbers = (key: string) => texts.map((text, at) => entry(key, `c${at}`, text, 'number'))
    await define('codes', 'number')
    await define('amounts', 'number')
    await put([...numbers('codes'), ...numbers('amounts')])
    for (const _twice of [1, 2]) await attributes.change((writer) => writer.numbersToText('codes', 'csv', LATER))
    await define('codes', 'string')
    await put([entry('codes', 'new', '01234')])
    const values = async (key: string) => (await attributes.values(key)).map(({ value }) => value).sort()
    expect(await values('codes')).toEqual([...texts, '01234'].sort())
    expect(await values('amounts')).toEqual([...texts].sort())
    const [kept] = await attributes.entriesOf([{ source_id: 's1', customer_id: 'c2' }], 'codes')
    expect(kept).toMatchObject({ type: 'string', value: '90210', origin: 'csv', updated_at: LATER })
  })

  it('keeps definitions with their dates, and replaces them', async () => {
    await define('kept', 'number')
    const changed = { key: 'kept', type: 'number', label: 'Kept', source: 'csv', description: 'what' } as const
    await attributes.change((writer) => writer.define({ ...changed, created_at: AT, updated_at: LATER }))
    expect((await attributes.definitions()).filter(({ key }) => key === 'kept')).toEqual([
      { ...changed, created_at: AT, updated_at: LATER },
    ])
  })

  it.each([
    ['string', ['x', 'x ', 'X', ''], ['', 'X', 'x', 'x ']],
    ['number', ['10', '9', '-1.5', '123456789012345678.123456789012'], ['-1.5', '9', '10', '123456789012345678.123456789012']],
    ['boolean', [true, false, true, false], [false, true]],
    [
      'timestamp',
      ['2024-02-29 23:59:59', '0001-01-01 00:00:00', '9999-12-31 23:59:59', '2024-02-29 23:59:59'],
      ['0001-01-01 00:00:00', '2024-02-29 23:59:59', '9999-12-31 23:59:59'],
    ],
  ] as const)('returns values of type %s exactly, and the different ones in order', async (type, values, different) => {
    const key = `typed ${type}`
    await define(key, type)
    await put(values.map((value, index) => entry(key, `c${index}`, value, type)))
    const read = [...(await attributes.values(key))].sort((a, b) => (a.customer_id < b.customer_id ? -1 : 1))
    expect(read).toEqual(values.map((value, index) => ({ source_id: 's1', customer_id: `c${index}`, value })))
    expect(await attributes.distinctValues({ key, type }, 100)).toEqual(different)
    expect(await attributes.distinctValues({ key, type }, 1)).toEqual(different.slice(0, 1))
  })

  it('leaves what is there already untouched', async () => {
    await define('same', 'string')
    await put([entry('same', 'c1', 'one'), entry('same', 'c2', 'two')])
    expect(await put([entry('same', 'c1', 'one'), entry('same', 'c2', 'zwei'), entry('same', 'c3', 'three')], LATER)).toBe(2)
    const dates = (
      await attributes.entriesOf(
        ['c1', 'c2', 'c3'].map((customer_id) => ({ source_id: 's1', customer_id })),
        'same',
      )
    )
      .map(({ customer_id, value, updated_at }) => [customer_id, value, updated_at])
      .sort()
    expect(dates).toEqual([
      ['c1', 'one', AT],
      ['c2', 'zwei', LATER],
      ['c3', 'three', LATER],
    ])
  })

  it('takes the later of two values for one customer', async () => {
    await define('twice', 'string')
    expect(await put([entry('twice', 'c1', 'first'), entry('twice', 'c1', 'second')])).toBe(1)
    expect((await attributes.values('twice')).map(({ value }) => value)).toEqual(['second'])
  })

  it('keeps hostile keys and values apart', async () => {
    for (const key of HOSTILE) await define(key, 'string')
    await put(HOSTILE.map((key) => entry(key, 'hostile', key)))
    const kept = await attributes.entriesOf([{ source_id: 's1', customer_id: 'hostile' }], undefined)
    expect(kept.map(({ key, value }) => [key, value]).sort()).toEqual(HOSTILE.map((key) => [key, key]).sort())
    for (const key of HOSTILE) expect((await attributes.values(key)).map(({ value }) => value)).toEqual([key])
  })

  it('counts by customer and removes one value', async () => {
    const customer = { source_id: 's1', customer_id: 'counted' }
    await define('n1', 'string')
    await define('n2', 'string')
    await put([entry('n1', 'counted', 'a'), entry('n2', 'counted', 'b')])
    const countOf = async (key?: string) => (await attributes.counts(key)).find(({ customer_id }) => customer_id === 'counted')
    expect(await countOf()).toEqual({ ...customer, count: 2 })
    expect(await countOf('n1')).toEqual({ ...customer, count: 1 })
    expect(await attributes.change((writer) => writer.remove(customer, 'n1'))).toBe(true)
    expect(await attributes.change((writer) => writer.remove(customer, 'n1'))).toBe(false)
    expect(await countOf()).toEqual({ ...customer, count: 1 })
  })

  it('writes nothing when the work fails, and hands the error on', async () => {
    const refused = new AppError('invalid_csv', 'broken')
    const failing = attributes.change(async (writer) => {
      await writer.define({
        key: 'undone',
        type: 'string',
        label: 'x',
        source: 'csv',
        description: null,
        created_at: AT,
        updated_at: AT,
      })
      throw refused
    })
    await expect(failing).rejects.toBe(refused)
    expect((await attributes.definitions()).map(({ key }) => key)).not.toContain('undone')
  })

  it('lets writers take turns: no update is lost', async () => {
    await define('raced', 'number')
    const raise = () =>
      attributes.change(async (writer) => {
        const [known] = (await writer.definitions()).values()
        await writer.put([entry('raced', `c${Math.random()}`, '1', 'number')], 'api', AT)
        return known
      })
    await Promise.all(Array.from({ length: 8 }, raise))
    expect(await attributes.values('raced')).toHaveLength(8)
  })
})
