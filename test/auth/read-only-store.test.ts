import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthResource, createAuthResource } from '../../src/auth/resource.ts'
import { AUTH_OFF } from '../../src/core/auth.ts'
import type { Store } from '../../src/ports/store.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { type StorePlace, storePlaces, WORKSPACE } from '../support/databases/store-places.ts'

const REQUEST = { path: 'GET /auth/me', remote_address: null, request_id: 'r' }
const BY = { actor: { id: 'test', kind: 'command_line', name: null } } as const

describe.each(storePlaces(['postgres']))('a store on %s that can only be read from now on', (_kind, makePlace) => {
  let place: StorePlace
  let store: Store
  let auth: AuthResource
  let secret: string

  const opened = (stores: Store) =>
    createAuthResource({
      settings: { ...AUTH_OFF, enabled: true },
      store: stores,
      workspace: async () => WORKSPACE,
      onFailure: (error) => expect(error).toBeUndefined(),
    })
  const another = () => createStore({ url: place.url, schema: 'side', baseDirectory: '/' })

  beforeAll(async () => {
    place = await makePlace()
    store = another()
    auth = opened(store)
    secret = (await auth.keys.create({ name: 'reader' }, BY)).key
    await auth.flush()
    const [row] = await place.query('select current_database() as name')
    await place.query(`alter database ${String(row?.['name'])} set default_transaction_read_only = on`)
    // As at a change-over: the connections that there were are cut.
    await place.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await pause(200)
  })
  afterAll(async () => {
    await auth.close()
    await store.close()
    await place.remove()
  })

  it('lets in whom it knows, and nobody else', async () => {
    expect(await auth.signIn(secret, REQUEST)).toMatchObject({ kind: 'api_key', name: 'reader' })
    await expect(auth.signIn(`pl_${'x'.repeat(43)}`, REQUEST)).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('refuses what would change it, as a store that is away does', async () => {
    await expect(auth.keys.create({ name: 'another' }, BY)).rejects.toMatchObject({ code: 'connector_unavailable', status: 503 })
    const [key] = await auth.keys.list()
    await expect(auth.keys.revoke(key?.id ?? '', BY)).rejects.toMatchObject({ code: 'connector_unavailable' })
    await expect(auth.flush()).rejects.toMatchObject({ code: 'connector_unavailable' })
  })

  it('is not opened by a service that starts: nobody is let in there', async () => {
    const late = another()
    await expect(opened(late).signIn(secret, REQUEST)).rejects.toMatchObject({ code: 'connector_unavailable' })
    await late.close()
  })
})
