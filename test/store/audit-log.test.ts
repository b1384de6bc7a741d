import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AuditEvent, AuditQuery, AuditStore } from '../../src/ports/auth-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { ownedIn, type StorePlace, storePlaces } from '../support/databases/store-places.ts'

const event = (at: string, rest: Partial<AuditEvent> = {}): AuditEvent => ({
  at,
  actor: { id: 'oidc:ann', kind: 'oidc', name: 'Ann 🏢' },
  action: 'segment.create',
  path: 'POST /api/segments',
  target: 's1',
  remote_address: '::ffff:192.0.2.1',
  request_id: 'r1',
  outcome: 'ok',
  status: 201,
  count: 1,
  ...rest,
})
const ALL: AuditQuery = { limit: 100, offset: 0, start: undefined, end: undefined, filters: new Map() }
const [FIRST, SECOND, THIRD] = ['2026-01-01T00:00:00.000Z', '2026-01-01T23:59:59.999Z', '2026-01-02T00:00:00.000Z'] as const

describe.each(storePlaces(['sqlite', 'postgres', 'mariadb', 'mysql']))('the audit log on %s', (_kind, makePlace) => {
  let place: StorePlace
  let store: Store
  let log: AuditStore
  let workspaces = 0

  beforeAll(async () => {
    place = await makePlace()
    store = createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
  })
  beforeEach(() => {
    log = ownedIn(store, { name: `w${workspaces++}`, source_ids: [] }).audit
  })
  afterAll(async () => {
    await store.close()
    await place.remove()
  })

  it('gives back what was done, the newest first, in its own workspace', async () => {
    const plain = { path: null, target: null, remote_address: null, request_id: null, status: null }
    const events = [event(FIRST), event(FIRST, { action: 'sign_in', ...plain }), event(SECOND, { count: 7 })]
    await log.add(events)
    const { total, rows } = await log.page(ALL)
    expect(total).toBe(3)
    expect(rows.map(({ id: _, ...row }) => row)).toEqual([...events].reverse())
    expect(new Set(rows.map(({ id }) => id)).size).toBe(3)
    const foreign = ownedIn(store, { name: 'foreign', source_ids: [] }).audit
    expect(await foreign.page(ALL)).toEqual({ total: 0, rows: [] })
  })

  it('is read in pages, by day, and by who did what', async () => {
    const refused = { outcome: 'refused', actor: { id: 'unknown', kind: 'anonymous', name: null } } as const
    await log.add([event(FIRST), event(SECOND, refused), event(THIRD, { action: 'export' })])
    const found = async (query: Partial<AuditQuery>) => {
      const { total, rows } = await log.page({ ...ALL, ...query })
      return [total, rows.map(({ at }) => at)]
    }
    expect(await found({ limit: 1, offset: 1 })).toEqual([3, [SECOND]])
    expect(await found({ offset: 9 })).toEqual([3, []])
    expect(await found({ start: '2026-01-01', end: '2026-01-01' })).toEqual([2, [SECOND, FIRST]])
    expect(await found({ start: '2026-01-02' })).toEqual([1, [THIRD]])
    expect(await found({ filters: new Map([['actor_id', ['unknown']]]) })).toEqual([1, [SECOND]])
    expect(
      await found({
        filters: new Map([
          ['action', ['export', 'segment.create']],
          ['outcome', ['ok']],
        ]),
      }),
    ).toEqual([2, [THIRD, FIRST]])
    expect(await found({ filters: new Map([['actor_id', ["' or 1=1 --", 'a\0b']]]) })).toEqual([0, []])
  })

  it('keeps what nobody should have written into a request', async () => {
    const long = '🏢'.repeat(1_000)
    await log.add([event(FIRST, { target: `a\0b\ud800`, path: long, actor: { id: long, kind: 'oidc', name: long } })])
    const [row] = (await log.page(ALL)).rows
    expect(row?.target).toBe('a\ufffdb\ufffd')
    for (const text of [row?.path, row?.actor.id, row?.actor.name]) expect(text).toMatch(/^🏢{90,}…$/u)
  })

  it('takes many at a time, and forgets entries older than its limit', async () => {
    await log.add(Array.from({ length: 1_000 }, (_, index) => event(index < 400 ? FIRST : THIRD)))
    expect((await log.page({ ...ALL, limit: 1 })).total).toBe(1_000)
    await log.removeBefore(SECOND)
    expect((await log.page({ ...ALL, limit: 1 })).total).toBe(600)
  })
})
