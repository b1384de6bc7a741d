import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Inbox, SourceNotification } from '../../src/ports/source-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { ownedIn, type StorePlace, storePlaces } from '../support/databases/store-places.ts'

const AT = '2026-01-01T00:00:00.000Z'
const LATER = '2026-01-01T00:01:00.000Z'
const MUCH_LATER = '2026-01-02T00:00:00.000Z'
const TYPES = ['toy']

const bill = (entity_id: string, operation = 'update', source_id = 'a'): SourceNotification => ({
  source_id,
  entity: 'Bill',
  entity_id,
  operation,
})

describe.each(storePlaces(['sqlite', 'postgres', 'mariadb']))('inbox on %s', (_kind, makePlace) => {
  let place: StorePlace
  let store: Store
  let second: Store
  let inbox: Inbox
  let beside: Inbox
  let workspaces = 0

  beforeAll(async () => {
    place = await makePlace()
    const open = () => createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
    store = open()
    second = open()
  })
  beforeEach(async () => {
    const workspace = { name: `w${workspaces++}`, source_ids: [] }
    const owned = ownedIn(store, workspace)
    inbox = owned.inbox
    beside = ownedIn(second, workspace).inbox
    const source = { name: 'a', config: {}, status: 'connected', created_at: AT, last_synced_at: null, cursor: null } as const
    await owned.sources.create({ id: 'a', type: 'toy', ...source })
    await owned.sources.create({ id: 'other', type: 'another', ...source })
    await owned.sources.create({ id: 'off', type: 'toy', ...source, status: 'needs_reconnect' })
  })
  afterAll(async () => {
    await store.close()
    await second.close()
    await place.remove()
  })

  it('gives each entry to one process only, however many ask at once', async () => {
    await inbox.add(
      Array.from({ length: 60 }, (_, index) => bill(String(index))),
      AT,
    )
    const taken = await Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? inbox : beside).take(TYPES, AT, LATER, 7)),
    )
    const rest = await inbox.take(TYPES, AT, LATER, 100)
    const ids = [...taken.flat(), ...rest].map(({ entity_id }) => Number(entity_id))
    expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index))
  })

  it('gives the entries of a process that has died to the next one, and takes nothing from whom it overtook', async () => {
    await inbox.add([bill('1')], AT)
    const [first] = await inbox.take(TYPES, AT, LATER, 10)
    expect(await beside.take(TYPES, '2026-01-01T00:00:59.000Z', MUCH_LATER, 10)).toEqual([])
    const [again] = await beside.take(TYPES, LATER, MUCH_LATER, 10)
    if (first === undefined || again === undefined) throw new Error('nothing was taken')
    expect(again.id).toBe(first.id)
    await inbox.finish(first, { kind: 'done' }, LATER)
    expect(await inbox.nextDue(TYPES)).toBe(MUCH_LATER)
    await beside.finish(again, { kind: 'done' }, LATER)
    expect(await inbox.nextDue(TYPES)).toBeNull()
  })

  it('keeps equal notifications once while they wait, but not with one that is being worked on', async () => {
    await inbox.add([bill('1'), bill('1'), bill('1', 'delete')], AT)
    await inbox.add([bill('1'), bill('2')], AT)
    await inbox.add([], AT)
    expect(await inbox.counts()).toEqual(new Map([['a', { waiting: 3, dead: 0 }]]))
    await inbox.take(TYPES, AT, LATER, 10)
    await inbox.add([bill('1')], AT)
    expect((await inbox.take(TYPES, AT, LATER, 10)).map(({ entity_id }) => entity_id)).toEqual(['1'])
  })

  it('takes in what comes at once in few transactions, each once', async () => {
    const ids = Array.from({ length: 120 }, (_, index) => String(index % 40))
    await Promise.all(ids.map((id, index) => (index % 2 === 0 ? inbox : beside).add([bill(id), bill(`x${id}`)], AT)))
    const taken = await inbox.take(TYPES, AT, LATER, 1_000)
    expect(new Set(taken.map(({ entity_id }) => entity_id)).size).toBe(80)
    await Promise.all(taken.map((entry) => inbox.finish(entry, { kind: 'done' }, AT)))
    expect(await inbox.counts()).toEqual(new Map())
  })

  it('leaves what has to wait: for its time, for a source to be reconnected, for who reads such sources', async () => {
    await inbox.add([bill('1')], AT)
    await inbox.add([bill('2', 'update', 'off')], AT)
    await inbox.add([bill('3', 'update', 'other')], AT)
    const [entry] = await inbox.take(TYPES, AT, LATER, 10)
    if (entry === undefined) throw new Error('nothing was taken')
    await inbox.finish(entry, { kind: 'later', at: MUCH_LATER, error: 'no answer' }, AT)
    expect(await inbox.take(TYPES, LATER, MUCH_LATER, 10)).toEqual([])
    expect(await inbox.nextDue(TYPES)).toBe(MUCH_LATER)
    expect((await inbox.take(['another'], LATER, MUCH_LATER, 10)).map(({ entity_id }) => entity_id)).toEqual(['3'])
    const [again] = await inbox.take(TYPES, MUCH_LATER, MUCH_LATER, 10)
    expect(again).toMatchObject({ entity_id: '1', attempts: 1, error: 'no answer' })
  })

  it('makes one that backs off due at once when it is notified again, and still is one entry', async () => {
    await inbox.add([bill('1'), bill('2')], AT)
    for (const entry of await inbox.take(TYPES, AT, LATER, 10))
      await inbox.finish(entry, { kind: 'later', at: MUCH_LATER, error: 'no answer' }, AT)
    await Promise.all([inbox.add([bill('1'), bill('1')], LATER), beside.add([bill('1')], LATER)])
    expect(await inbox.take(TYPES, LATER, MUCH_LATER, 10)).toMatchObject([{ entity_id: '1', attempts: 0, received_at: AT }])
    expect(await inbox.counts()).toEqual(new Map([['a', { waiting: 2, dead: 0 }]]))
  })

  it('keeps dead letters, lists them in pages, tries them again and drops them', async () => {
    await inbox.add(
      ['1', '2', '3'].map((id) => bill(id)),
      AT,
    )
    for (const entry of await inbox.take(TYPES, AT, LATER, 10)) await inbox.finish(entry, { kind: 'dead', error: 'gone' }, AT)
    expect(await inbox.nextDue(TYPES)).toBeNull()
    expect(await inbox.counts()).toEqual(new Map([['a', { waiting: 0, dead: 3 }]]))
    const page = await inbox.deadLetters('a', { limit: 2, offset: 1 })
    expect(page).toMatchObject({ total: 3, rows: [{ error: 'gone', attempts: 1, next_attempt_at: null }, { error: 'gone' }] })
    expect(await inbox.deadLetters('off', { limit: 2, offset: 0 })).toEqual({ total: 0, rows: [] })
    const [dropped, retried] = page.rows.map(({ id }) => id)
    expect(await inbox.drop('off', dropped ?? '')).toBe(false)
    expect(await inbox.drop('a', dropped ?? '')).toBe(true)
    expect(await inbox.drop('a', dropped ?? '')).toBe(false)
    expect(await inbox.retry('a', [retried ?? '', 'unknown'], AT)).toBe(1)
    expect(await inbox.take(TYPES, AT, LATER, 10)).toMatchObject([{ id: retried, attempts: 0 }])
    expect(await inbox.retry('a', 'all', AT)).toBe(1)
    expect(await inbox.counts()).toEqual(new Map([['a', { waiting: 2, dead: 0 }]]))
  })

  it('frees what was not tried without counting an attempt', async () => {
    await inbox.add([bill('1')], AT)
    const [entry] = await inbox.take(TYPES, AT, MUCH_LATER, 10)
    if (entry === undefined) throw new Error('nothing was taken')
    await inbox.finish(entry, { kind: 'released' }, AT)
    expect(await beside.take(TYPES, AT, LATER, 10)).toMatchObject([{ id: entry.id, attempts: 0, error: null }])
  })
})
