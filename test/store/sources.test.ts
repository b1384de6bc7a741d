import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SourceStore, StoredSource, SyncRun } from '../../src/ports/source-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { ownedIn, type StorePlace, storePlaces } from '../support/databases/store-places.ts'

const AT = '2026-01-01T00:00:00.000Z'
const LATER = '2026-01-01T00:01:00.000Z'
const MUCH_LATER = '2026-01-02T00:00:00.000Z'
const A: StoredSource = {
  id: 'a',
  type: 'toy',
  name: 'Ünï 🏢',
  config: { realm: '1' },
  status: 'connected',
  created_at: AT,
  last_synced_at: null,
  cursor: null,
}
const BACKFILL = { source_id: 'a', kind: 'backfill', since: null } as const

describe.each(storePlaces(['sqlite', 'postgres', 'mariadb']))('sources on %s', (_kind, makePlace) => {
  let place: StorePlace
  let stores: readonly Store[]
  let sources: SourceStore
  let beside: SourceStore
  let workspaces = 0

  beforeAll(async () => {
    place = await makePlace()
    stores = [1, 2].map(() => createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory }))
  })
  beforeEach(async () => {
    const workspace = { name: `w${workspaces++}`, source_ids: [] }
    const [one, two] = stores.map((store) => ownedIn(store, workspace).sources)
    if (one === undefined || two === undefined) throw new Error('there are two stores')
    sources = one
    beside = two
    await sources.create(A)
  })
  afterAll(async () => {
    for (const store of stores) await store.close()
    await place.remove()
  })

  it('has another fingerprint after each write by another process that an answer may show', async () => {
    const [store, other] = stores
    const workspace = { name: 'fingerprint', source_ids: [] }
    if (store === undefined || other === undefined) throw new Error('there are two stores')
    const { sources: others, attributes, segments } = ownedIn(other, workspace)
    const definition = { key: 'size', label: 'Size', type: 'string', source: 'csv', description: null } as const
    const segment = { id: '1', name: 'S', description: null, definition: {}, created_by: null, created_at: AT, updated_at: AT }
    const seen = [await store.fingerprint()]
    for (const write of [
      () => others.create({ ...A, id: 'other' }),
      () => others.remove('other'),
      () => attributes.change((writer) => writer.define({ ...definition, created_at: AT, updated_at: AT })),
      () => segments.create({ ...segment, id: '00000000-0000-4000-8000-000000000001' }),
      () => other.fxRates.upsert([{ date: '2026-01-01', from: 'EUR', to: 'USD', rate: '1.1' }]),
    ]) {
      await write()
      seen.push(await store.fingerprint())
    }
    // Adding and removing a source leaves nothing behind.
    expect(new Set(seen).size).toBe(seen.length - 1)
    expect(seen[2]).toBe(seen[0])
    expect(await store.fingerprint()).toBe(seen.at(-1))
  })

  it('keeps sources of a workspace', async () => {
    await expect(sources.create(A)).rejects.toMatchObject({ code: 'conflict' })
    await sources.create({ ...A, id: 'B' })
    expect((await sources.list()).map(({ id }) => id)).toEqual(['B', 'a'])
    const change = { status: 'needs_reconnect', cursor: 'c', last_synced_at: LATER, name: 'b' } as const
    expect(await sources.update('a', change)).toEqual({ ...A, ...change })
    expect(await sources.update('a', {})).toEqual({ ...A, ...change })
    expect(await sources.update('none', change)).toBeUndefined()
    expect(await beside.get('a')).toEqual({ ...A, ...change })
    const [store] = stores
    if (store !== undefined) expect(await ownedIn(store, { name: 'foreign', source_ids: [] }).sources.list()).toEqual([])
  })

  it('renews secrets one at a time, each from those that the one before has kept', async () => {
    expect(await sources.secrets('a')).toBeNull()
    let running = 0
    const renew = (store: SourceStore) =>
      store.exchangeSecrets('a', async (present) => {
        running += 1
        expect(running).toBe(1)
        await pause(20)
        running -= 1
        return String(Number(present ?? 0) + 1)
      })
    const results = await Promise.all([sources, beside, sources, beside, sources, beside].map(renew))
    expect([...results].sort()).toEqual(['1', '2', '3', '4', '5', '6'])
    expect(await sources.secrets('a')).toBe('6')
    await expect(sources.exchangeSecrets('none', async () => 'x')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('lets the next one renew after one that failed, and keeps what was there', async () => {
    await sources.exchangeSecrets('a', async () => 'kept')
    const failing = sources.exchangeSecrets('a', async () => Promise.reject(new Error('refused')))
    await expect(failing).rejects.toThrow('refused')
    expect(await beside.exchangeSecrets('a', async (present) => `${present} on`)).toBe('kept on')
  })

  it('lets one process at a time work on a run of a source', async () => {
    const begun = await Promise.all([sources, beside, sources, beside].map((store) => store.beginRun(BACKFILL, AT, LATER)))
    expect(begun.filter((run) => run !== undefined)).toHaveLength(1)
    expect(await beside.beginRun({ ...BACKFILL, kind: 'changes' }, AT, LATER)).toBeUndefined()
  })

  it('takes over a run that was cut off with what it has done, and leaves nothing to whom it overtook', async () => {
    const first = await begun(sources, AT, LATER)
    const counts = { ...first.counts, vendor: 7 }
    expect(await sources.saveRun({ ...first, counts, progress: { page: 3 } }, LATER)).toBe(true)
    const second = await begun(beside, LATER, MUCH_LATER)
    expect(second).toMatchObject({ id: first.id, started_at: AT, counts, progress: { page: 3 } })
    expect(await sources.saveRun({ ...first, progress: { page: 1 } }, MUCH_LATER)).toBe(false)
    await sources.endRun(first, { status: 'failed', error: 'late' }, LATER)
    await beside.endRun({ ...second, counts }, { status: 'succeeded', error: null }, MUCH_LATER)
    expect((await sources.lastRuns()).get('a')).toMatchObject({ status: 'succeeded', finished_at: MUCH_LATER, counts })
    const third = await begun(sources, MUCH_LATER, MUCH_LATER)
    expect(third.progress).toBeNull()
    expect(third.id).not.toBe(first.id)
  })

  it('goes on with a backfill that failed half-way, but not with another one, and marks what was left', async () => {
    const first = await begun(sources, AT, LATER)
    await sources.saveRun({ ...first, progress: { page: 2 } }, LATER)
    await sources.endRun(first, { status: 'failed', error: 'no answer' }, AT)
    const again = await begun(sources, LATER, LATER)
    expect(again).toMatchObject({ id: first.id, progress: { page: 2 }, error: null, finished_at: null })
    const other = await sources.beginRun({ ...BACKFILL, since: '2025-01-01' }, MUCH_LATER, MUCH_LATER)
    expect(other).toMatchObject({ since: '2025-01-01', progress: null })
    expect(other?.id).not.toBe(first.id)
  })

  it('lets a consent be used once, before it expires', async () => {
    const consent = { state: 's', browser: 'b', type: 'toy', expires_at: LATER }
    await sources.saveConsent(consent, AT)
    await sources.saveConsent({ ...consent, state: 'old' }, AT)
    const taken = await Promise.all([sources, beside].map((store) => store.takeConsent('s', AT)))
    expect(taken.filter((each) => each !== undefined)).toEqual([consent])
    expect(await sources.takeConsent('old', LATER)).toBeUndefined()
    expect(await sources.takeConsent('never', AT)).toBeUndefined()
  })

  it('drops consents that nobody ended when another one is begun', async () => {
    const consent = { browser: 'b', type: 'toy', expires_at: LATER }
    await sources.saveConsent({ ...consent, state: 'abandoned' }, AT)
    await sources.saveConsent({ ...consent, state: 'present', expires_at: MUCH_LATER }, LATER)
    expect(await sources.takeConsent('abandoned', AT)).toBeUndefined()
    expect(await sources.takeConsent('present', AT)).toMatchObject({ state: 'present' })
  })
})

async function begun(store: SourceStore, now: string, holdUntil: string): Promise<SyncRun> {
  const run = await store.beginRun(BACKFILL, now, holdUntil)
  if (run === undefined) throw new Error('no run was begun')
  return run
}
