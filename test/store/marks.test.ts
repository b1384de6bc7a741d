import { afterEach, describe, expect, it } from 'vitest'
import { type FindingMark, MOST_MARKS } from '../../src/core/finding-mark.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { ownedIn, type StorePlace, storePlaces } from '../support/databases/store-places.ts'

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

const FINDING: FindingMark = {
  id: id(1),
  source_id: 's1',
  kind: 'not_billed',
  customer_id: 'C',
  subscription_id: 'S',
  invoice_id: null,
  state: 'no_error',
  note: 'it\'s \\ "agreed" 🙂 until \'26; drop table finding_mark --',
  author: 'key:1',
  created_at: '2026-01-02T03:04:05.678Z',
  base_currency: 'USD',
  monthly_base_cents: 9_007_199_254_740_991,
  amount_base_cents: 0,
}
const NOTICE: FindingMark = {
  ...FINDING,
  id: id(2),
  kind: 'mrr_at_risk',
  subscription_id: null,
  state: 'seen',
  note: null,
  author: null,
  created_at: '2026-01-03T00:00:00.000Z',
  monthly_base_cents: null,
  amount_base_cents: -5,
}

let place: StorePlace | undefined
afterEach(async () => {
  await place?.remove()
})

describe.each(storePlaces(['postgres', 'mariadb', 'mysql', 'sqlite']))('marks in a store on %s', (_, makePlace) => {
  it('are kept as they were made, one for each finding, and apart for each workspace', async () => {
    place = await makePlace()
    const options = { url: place.url, schema: 'side', baseDirectory: place.baseDirectory }
    const store = createStore(options)
    const own = ownedIn(store).marks
    const others = ownedIn(store, { name: 'other', source_ids: ['s1'] }).marks
    expect(await own.list()).toEqual([])
    const states = [await store.fingerprint()]
    expect(await own.put(FINDING)).toEqual(FINDING)
    states.push(await store.fingerprint())
    expect(await own.put(NOTICE)).toEqual(NOTICE)
    expect(await own.list()).toEqual([NOTICE, FINDING])
    expect(await others.list()).toEqual([])

    // A later mark of the same finding takes its place. Ids that differ in case or blanks are others.
    const again = { ...FINDING, id: id(3), state: 'seen', note: null, created_at: '2026-01-04T00:00:00.000Z' } as const
    expect(await own.put(again)).toEqual({ ...again, id: FINDING.id })
    const near = ['s', 'S '].map((subscription_id, at) => ({ ...FINDING, id: id(4 + at), subscription_id }))
    for (const mark of near) expect(await own.put(mark)).toEqual(mark)
    expect(await own.list()).toEqual([{ ...again, id: FINDING.id }, NOTICE, ...near])
    states.push(await store.fingerprint())

    expect(await others.put(FINDING)).toEqual(FINDING)
    expect(await others.delete(NOTICE.id)).toBe(false)
    expect(await others.delete(FINDING.id)).toBe(true)
    expect(await own.delete(id(9))).toBe(false)
    expect(await own.delete(NOTICE.id)).toBe(true)
    states.push(await store.fingerprint())
    expect(new Set(states).size).toBe(states.length)
    await store.close()

    const later = createStore(options)
    expect(await ownedIn(later).marks.list()).toEqual([{ ...again, id: FINDING.id }, ...near])
    await later.close()
  })
})

describe('a store with as many marks as it may have', () => {
  it('refuses one more, but replaces one of them', async () => {
    const [[, makePlace] = []] = storePlaces(['sqlite'])
    place = await makePlace?.()
    const store = createStore({ url: place?.url ?? '', schema: 'side', baseDirectory: place?.baseDirectory ?? '' })
    const { marks } = ownedIn(store)
    for (let at = 0; at < MOST_MARKS; at += 1) await marks.put({ ...FINDING, id: id(at), subscription_id: `S${at}` })
    await expect(marks.put(FINDING)).rejects.toMatchObject({ code: 'validation_failed', context: { limit: MOST_MARKS } })
    expect((await marks.put({ ...FINDING, subscription_id: 'S7', state: 'seen' })).id).toBe(id(7))
    expect(await marks.list()).toHaveLength(MOST_MARKS)
    await store.close()
  }, 120_000)
})
