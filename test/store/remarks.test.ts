import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GoalRecord, type GoalStore, MOST_GOALS } from '../../src/ports/goal-store.ts'
import { MOST_NOTES, type NoteRecord, type NoteStore } from '../../src/ports/note-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { ownedIn, type StorePlace, storePlaces } from '../support/databases/store-places.ts'

const AT = '2026-01-01T00:00:00.000Z'
const LATER = '2026-01-02T00:00:00.000Z'
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const note = (number: number, fields: Partial<NoteRecord> = {}): NoteRecord => ({
  ...{
    id: id(number),
    day: '2026-10-05',
    text: 'New prices',
    metric: null,
    tenant: null,
    created_by: null,
    created_at: AT,
    updated_at: AT,
  },
  ...fields,
})
const goal = (number: number, fields: Partial<GoalRecord> = {}): GoalRecord => ({
  ...{ id: id(number), metric: 'mrr', query_type: 'series', measure: 'mrr', filter: [], period: '2026-10', value: 5_000_000 },
  ...{ currency: 'USD', created_by: 'key:a ', created_at: AT, updated_at: AT },
  ...fields,
})

describe.each(storePlaces(['sqlite', 'postgres', 'mariadb', 'mysql']))('notes and goals on %s', (_kind, makePlace) => {
  let place: StorePlace
  let store: Store
  let other: Store
  let notes: NoteStore
  let goals: GoalStore
  let foreign: { readonly notes: NoteStore; readonly goals: GoalStore }
  let workspaces = 0
  beforeAll(async () => {
    place = await makePlace()
    ;[store, other] = [1, 2].map(() => createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })) as [
      Store,
      Store,
    ]
  })
  beforeEach(() => {
    const workspace = { name: `w${workspaces++}`, source_ids: [] }
    ;({ notes, goals } = ownedIn(store, workspace))
    foreign = ownedIn(other, { name: `w${workspaces++}`, source_ids: [] })
  })
  afterAll(async () => {
    await store.close()
    await other.close()
    await place.remove()
  })

  it('keeps notes as they were written, in the order of their days, and only in their workspace', async () => {
    const hostile = `"><script> =HYPERLINK( <!channel> 😀 \\ % ' ${'ü'.repeat(100)}`
    const written = [
      note(1, { day: '2026-10-07', text: hostile, tenant: 'a '.repeat(200) }),
      note(2, { metric: 'mrr', created_by: 'oidc:x ' }),
      note(3),
    ]
    for (const each of written) await notes.create(each)
    expect(await notes.list()).toEqual([written[1], written[2], written[0]])
    expect(await notes.get(id(1))).toEqual(written[0])
    expect(await foreign.notes.list()).toEqual([])
    expect(await foreign.notes.get(id(1))).toBeUndefined()
    expect(await foreign.notes.update(id(1), { text: 'x' }, LATER)).toBeUndefined()
    expect(await foreign.notes.delete(id(1))).toBe(false)
    expect(await notes.get(id(1))).toEqual(written[0])
    // The same note again, as after a lost connection.
    await notes.create(note(3))
    expect(await notes.list()).toHaveLength(3)
  })

  it('selects notes by day, both ends included, and by metric with those of all metrics', async () => {
    const days = ['2026-09-30', '2026-10-01', '2026-10-31', '2026-11-01']
    for (const [at, day] of days.entries()) await notes.create(note(at, { day }))
    await notes.create(note(8, { metric: 'mrr' }))
    await notes.create(note(9, { metric: 'churn' }))
    const of = async (selection: Parameters<NoteStore['list']>[0]) => (await notes.list(selection)).map((each) => each.id)
    expect(await of({ start: '2026-10-01', end: '2026-10-31', metrics: ['mrr'] })).toEqual([id(1), id(8), id(2)])
    expect(await of({ end: '2026-09-30' })).toEqual([id(0)])
    expect(await of({ start: '2026-11-01', metrics: ['MRR'] })).toEqual([id(3)])
  })

  it('changes and deletes notes, without a new counter of writes', async () => {
    await notes.create(note(1))
    const version = await store.version()
    expect(await notes.update(id(1), { text: 'Other', metric: 'mrr' }, LATER)).toEqual(
      note(1, { text: 'Other', metric: 'mrr', updated_at: LATER }),
    )
    expect(await notes.update(id(1), {}, '2026-01-03T00:00:00.000Z')).toMatchObject({ updated_at: LATER })
    expect(await notes.delete(id(1))).toBe(true)
    expect(await notes.delete(id(1))).toBe(false)
    await goals.create(goal(1))
    expect(await store.version()).toBe(version)
  })

  it('keeps goals with their exact values, one for a number and a period', async () => {
    const written = [
      goal(1),
      goal(2, { filter: ['tenant=b'] }),
      goal(3, { measure: 'x', value: 0.123456, currency: null, period: '2026-Q4' }),
    ]
    for (const each of written) await goals.create(each)
    expect(await goals.list()).toEqual(written)
    await expect(goals.create(goal(4))).rejects.toMatchObject({ code: 'conflict' })
    await goals.create(goal(1))
    expect(await goals.list()).toEqual(written)
    await foreign.goals.create(goal(1))
    expect(await foreign.goals.delete(id(2))).toBe(false)
    expect(await goals.update(id(1), { value: Number.MAX_SAFE_INTEGER, currency: 'EUR' }, LATER)).toEqual(
      goal(1, { value: Number.MAX_SAFE_INTEGER, currency: 'EUR', updated_at: LATER }),
    )
    expect(await goals.get(id(1))).toMatchObject({ value: Number.MAX_SAFE_INTEGER })
    expect(await foreign.goals.list()).toEqual([goal(1)])
  })

  it('makes one goal when two processes set it at once', async () => {
    const workspace = { name: `w${workspaces++}`, source_ids: [] }
    const both = [ownedIn(store, workspace).goals, ownedIn(other, workspace).goals]
    const done = await Promise.allSettled(both.map((each, at) => each.create(goal(at + 1))))
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await both[0]?.list()).toHaveLength(1)
  })

  it('puts many goals at once, tells what changes, and writes nothing in a dry run', async () => {
    await goals.create(goal(1))
    const many = [goal(5), goal(6, { period: '2026-11' }), goal(7, { period: '2026-12' })]
    expect(await goals.put(many, false)).toEqual({ created: 2, changed: 0, unchanged: 1 })
    expect(await goals.list()).toEqual([goal(1)])
    expect(await goals.put([goal(5, { value: 6, updated_at: LATER }), ...many.slice(1)], true)).toEqual({
      created: 2,
      changed: 1,
      unchanged: 0,
    })
    expect(await goals.list()).toEqual([goal(1, { value: 6, updated_at: LATER }), many[1], many[2]])
    expect(await goals.put(many.slice(1), true)).toEqual({ created: 0, changed: 0, unchanged: 2 })
  })

  it('refuses more than its limits', async () => {
    const months = Array.from({ length: MOST_GOALS + 1 }, (_, at) => goal(at, { measure: `m${at}` }))
    await expect(goals.put(months, true)).rejects.toMatchObject({ code: 'validation_failed', context: { limit: MOST_GOALS } })
    expect(await goals.list()).toEqual([])
    expect(MOST_NOTES).toBe(5_000)
  })
})
