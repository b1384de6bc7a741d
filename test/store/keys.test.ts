import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createKey, digestOf, prefixOf } from '../../src/auth/api-key.ts'
import type { KeyStore, StoredKey } from '../../src/ports/auth-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { ownedIn, type StorePlace, storePlaces } from '../support/databases/store-places.ts'

const AT = '2026-01-01T00:00:00.000Z'
const LATER = '2026-01-01T00:01:00.000Z'
const MUCH_LATER = '2026-01-02T00:00:00.123Z'

const made = (id: string, rest: Partial<StoredKey> = {}): StoredKey => ({
  id,
  name: 'Ünï 🏢',
  key_prefix: 'pl_abcdefgh',
  scopes: ['read:aggregate', 'write'],
  created_by: 'oidc:ann',
  created_at: AT,
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
  ...rest,
})

describe.each(storePlaces(['sqlite', 'postgres', 'mariadb', 'mysql']))('API keys on %s', (_kind, makePlace) => {
  let place: StorePlace
  let stores: readonly Store[]
  let keys: KeyStore
  let beside: KeyStore
  let workspaces = 0

  beforeAll(async () => {
    place = await makePlace()
    stores = [1, 2].map(() => createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory }))
  })
  beforeEach(() => {
    const workspace = { name: `w${workspaces++}`, source_ids: [] }
    const [one, two] = stores.map((store) => ownedIn(store, workspace).keys)
    if (one === undefined || two === undefined) throw new Error('there are two stores')
    keys = one
    beside = two
  })
  afterAll(async () => {
    for (const store of stores) await store.close()
    await place.remove()
  })

  it('finds a key by its digest, in its own workspace only', async () => {
    const secret = createKey()
    const key = made('a', { key_prefix: prefixOf(secret), expires_at: MUCH_LATER })
    await keys.create(key, digestOf(secret), 10)
    expect(await beside.find(digestOf(secret))).toEqual({ key, digest: digestOf(secret) })
    expect(await beside.find(digestOf(secret).toUpperCase())).toBeUndefined()
    const [store] = stores
    if (store === undefined) throw new Error('there is a store')
    expect(await ownedIn(store, { name: 'foreign', source_ids: [] }).keys.find(digestOf(secret))).toBeUndefined()
  })

  it('lists the newest first, and revokes once', async () => {
    await keys.create(made('old'), 'd1', 10)
    await keys.create(made('new', { created_at: LATER }), 'd2', 10)
    expect(await beside.revoke('old', MUCH_LATER)).toBe(true)
    expect(await keys.revoke('old', MUCH_LATER)).toBe(false)
    expect(await keys.revoke('never', MUCH_LATER)).toBe(false)
    expect(await keys.revoke('a\0b', MUCH_LATER)).toBe(false)
    const listed = await beside.list()
    expect(listed.map(({ id, revoked_at }) => [id, revoked_at])).toEqual([
      ['new', null],
      ['old', MUCH_LATER],
    ])
  })

  it('holds so many that are not revoked, however many are made at a time', async () => {
    const attempts = Array.from({ length: 6 }, (_, index) =>
      (index % 2 === 0 ? keys : beside).create(made(`k${index}`), `d${index}`, 3).then(
        () => 'made',
        (error: { code?: string }) => error.code,
      ),
    )
    const ends = await Promise.all(attempts)
    expect([...ends].sort()).toEqual(['conflict', 'conflict', 'conflict', 'made', 'made', 'made'])
    const [first] = await keys.list()
    await keys.revoke(first?.id ?? '', LATER)
    await keys.create(made('another'), 'd9', 3)
  })

  it('keeps the last use, in whatever order uses arrive', async () => {
    await keys.create(made('a'), 'd1', 10)
    await keys.create(made('b'), 'd2', 10)
    await keys.noteUses(new Map([['a', MUCH_LATER]]))
    await beside.noteUses(
      new Map([
        ['a', LATER],
        ['b', LATER],
        ['gone', LATER],
      ]),
    )
    const uses = Object.fromEntries((await keys.list()).map(({ id, last_used_at }) => [id, last_used_at]))
    expect(uses).toEqual({ a: MUCH_LATER, b: LATER })
  })
})
