import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AuthStores } from '../../src/auth/deps.ts'
import { createJournal } from '../../src/auth/journal.ts'
import { AppError } from '../../src/core/errors.ts'
import type { AuditEvent, AuditQuery } from '../../src/ports/auth-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { embeddedPlace, ownedIn, type StorePlace } from '../support/databases/store-places.ts'
import { until } from '../support/product/toy-platform/toy-sources.ts'

const ALL: AuditQuery = { limit: 20_000, offset: 0, start: undefined, end: undefined, filters: new Map() }
const DAY_MS = 86_400_000

const event = (action: string, at = new Date().toISOString()): AuditEvent => ({
  at,
  actor: { id: 'oidc:ann', kind: 'oidc', name: null },
  action,
  path: null,
  target: null,
  remote_address: null,
  request_id: null,
  outcome: 'ok',
  status: 200,
  count: 1,
})

let place: StorePlace
let store: Store
let stores: AuthStores
let failures: unknown[]
/** The fault between the journal and its store; undefined: none. */
let fault: unknown

beforeEach(async () => {
  place = await embeddedPlace()
  store = createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
  stores = ownedIn(store)
  failures = []
  fault = undefined
})
afterEach(async () => {
  await store.close()
  await place.remove()
})

const opened = async () => {
  if (fault !== undefined) throw fault
  return stores
}
const journal = (days = 400) => createJournal(opened, days, (error) => failures.push(error))
const actions = async () => (await stores.audit.page(ALL)).rows.map(({ action, count }) => `${action} ${count}`)
const down = () => new AppError('connector_unavailable', 'The store is down.')

describe('the journal', () => {
  it('writes by itself, soon after', async () => {
    const { record, close } = journal()
    record(event('one'))
    record(event('two'))
    await until(async () => (await actions()).length === 2)
    expect(await actions()).toEqual(['two 1', 'one 1'])
    await close()
  })

  it('writes what waits when it is closed', async () => {
    const { record, close } = journal()
    record(event('last'))
    await close()
    expect(await actions()).toEqual(['last 1'])
  })

  it('keeps what waits while the store is down, and writes it once', async () => {
    const { record, flush, close } = journal()
    fault = down()
    record(event('early'))
    await expect(flush()).rejects.toMatchObject({ code: 'connector_unavailable' })
    record(event('late'))
    fault = undefined
    await Promise.all([flush(), flush(), flush()])
    expect(await actions()).toEqual(['late 1', 'early 1'])
    await close()
    expect(failures).toEqual([])
  })

  it('lets the oldest go when too many wait, and says how many', async () => {
    const { record, flush } = journal()
    fault = down()
    for (let number = 0; number < 10_005; number++) record(event(number < 5 ? 'lost' : 'kept'))
    fault = undefined
    await flush()
    const found = await actions()
    expect(found).toHaveLength(10_001)
    expect(found.filter((action) => action !== 'kept 1')).toEqual(['audit.lost 5'])
  })

  it('is not stopped by an event that the store refuses for itself', async () => {
    const { record, flush } = journal()
    const broken = stores.audit
    stores = { ...stores, audit: { ...broken, add: () => Promise.reject(new Error('refused')) } }
    record(event('poison'))
    await flush()
    stores = { ...stores, audit: broken }
    record(event('after'))
    await flush()
    // That one was lost is of the instant at which it is written down, which may be the next millisecond.
    expect([...(await actions())].sort()).toEqual(['after 1', 'audit.lost 1'])
    expect(failures).toEqual([expect.objectContaining({ message: 'refused' })])
  })

  it('forgets entries older than its limit', async () => {
    const old = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
    await stores.audit.add([event('old', old(31)), event('young', old(29))])
    const { record, flush } = journal(30)
    record(event('now'))
    await flush()
    expect(await actions()).toEqual(['now 1', 'young 1'])
  })

  it('notes a use that the store does not know of yet, of each key', async () => {
    const key = {
      name: 'k',
      key_prefix: 'pl_',
      scopes: ['read' as const],
      created_by: 'x',
      created_at: '2026-01-01T00:00:00.000Z',
    }
    const rest = { last_used_at: null, expires_at: null, revoked_at: null }
    for (const id of ['a', 'b', 'c']) await stores.keys.create({ ...key, ...rest, id }, id, 10)
    const { noteUse, flush } = journal()
    const recently = new Date(Date.now() - 30_000).toISOString()
    noteUse('a', null)
    noteUse('b', recently)
    noteUse('c', '2026-01-01T00:00:00.000Z')
    await flush()
    const uses = Object.fromEntries((await stores.keys.list()).map(({ id, last_used_at }) => [id, last_used_at !== null]))
    expect(uses).toEqual({ a: true, b: false, c: true })
  })
})
