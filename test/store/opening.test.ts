import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import type { Store } from '../../src/ports/store.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { STORE_SERVERS, type StorePlace, storePlace, storePlaces } from '../support/databases/store-places.ts'

const opened: Store[] = []
const places: StorePlace[] = []

function storeAt(url: string, schema = 'side'): Store {
  const store = createStore({ url, schema, baseDirectory: '/' })
  opened.push(store)
  return store
}

async function placed(place: Promise<StorePlace>): Promise<StorePlace> {
  places.push(await place)
  return place
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()))
  await Promise.all(places.splice(0).map((place) => place.remove()))
})

async function failure(work: Promise<unknown>): Promise<AppError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof AppError) return error
  throw new Error(`expected an AppError, got ${String(error)}`)
}

describe.each(storePlaces(STORE_SERVERS))('opening a store on %s', (kind, makePlace) => {
  // Made new once; what was made there is what those who come later open.
  let place: StorePlace
  beforeAll(async () => {
    place = await makePlace()
  })
  afterAll(() => place.remove())

  it('succeeds for all who open a new one at once', async () => {
    const stores = Array.from({ length: 5 }, () => storeAt(place.url))
    await Promise.all(stores.map((store) => store.open()))
    expect(await Promise.all(stores.map((store) => store.version()))).toEqual([0, 0, 0, 0, 0])
  })

  it('goes on where a process died in the middle of migrating', async () => {
    const table = kind === 'postgres' ? 'side.plumbline_migration_lock' : 'plumbline_migration_lock'
    await storeAt(place.url).open()
    await place.query(`update ${table} set is_locked = 1`)
    expect(await storeAt(place.url).version()).toBe(0)
  })

  it.runIf(kind === 'postgres')('refuses a store of which policies hide rows, and opens it where they do not', async () => {
    const own = await placed(storePlace('postgres'))
    const role = `pl_store_${randomBytes(4).toString('hex')}`
    const url = new URL(own.url)
    url.username = role
    await own.query(`create role ${role} login; grant create on database ${url.pathname.slice(1)} to ${role}`)
    const policies = (word: string) => own.query(`alter table side.fx_rate ${word} row level security`)
    try {
      await storeAt(url.href).open()
      await policies('enable')
      await storeAt(url.href).open()
      await policies('force')
      const error = await failure(storeAt(url.href).open())
      expect(error).toMatchObject({ code: 'connector_unavailable', context: { row_security: ['fx_rate'] } })
      expect(error.message).toContain('BYPASSRLS')
      await storeAt(own.url).open()
      await policies('no force')
      await storeAt(url.href).open()
    } finally {
      await Promise.all(opened.splice(0).map((store) => store.close()))
      await own.query(`drop owned by ${role} cascade; drop role ${role}`)
    }
  })

  it('refuses a store that a newer version has migrated', async () => {
    const table = kind === 'postgres' ? 'side.plumbline_migration' : 'plumbline_migration'
    await storeAt(place.url).open()
    await place.query(`insert into ${table} (name, batch) values ('9999-of-tomorrow', 2)`)
    const error = await failure(storeAt(place.url).open())
    expect(error.code).toBe('connector_unavailable')
    expect(error.message).toContain('9999-of-tomorrow')
    await place.query(`delete from ${table} where name = '9999-of-tomorrow'`)
  })

  it('tries again after a failure', async () => {
    const database = new URL(place.url).pathname.slice(1)
    const url = place.url.replace(database, `${database}_later`)
    const store = storeAt(url)
    expect((await failure(store.ping())).code).toBe('connector_unavailable')
    await place.query(`create database ${database}_later`)
    await store.ping()
    await store.close()
    await place.query(`drop database ${database}_later`)
  })

  it('survives connections that the server cuts', async () => {
    const store = storeAt(place.url)
    await store.ping()
    const ids =
      kind === 'postgres'
        ? 'select pid as id from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
        : 'select id from information_schema.processlist where db = database() and id <> connection_id()'
    const cut = await place.query(ids)
    expect(cut.length).toBeGreaterThan(0)
    for (const { id } of cut) {
      await place.query(kind === 'postgres' ? `select pg_terminate_backend(${String(id)})` : `kill ${String(id)}`)
    }
    // Statements under way while a connection ends fail with it. The store notices a moment later.
    const answers = () =>
      store.ping().then(
        () => true,
        () => false,
      )
    await expect.poll(answers).toBe(true)
  })

  it('names a server that is down, and no password', async () => {
    const scheme = kind === 'postgres' ? 'postgres' : 'mysql'
    const error = await failure(storeAt(`${scheme}://someone:hush-hush@127.0.0.1:1/side`).fxRates.list())
    expect(error.code).toBe('connector_unavailable')
    expect(error.message).toContain(`${scheme}://someone:***@127.0.0.1:1/side`)
    expect(error.message).toContain('ECONNREFUSED')
    expect(JSON.stringify([error.message, error.context])).not.toContain('hush')
  })
})

describe('opening a store on PostgreSQL', () => {
  it('puts everything into its own schema and leaves search path and public alone', async () => {
    const place = await placed(storePlace('postgres'))
    await storeAt(place.url, 'ledger_side').fxRates.upsert([{ date: '2024-01-01', from: 'EUR', to: 'USD', rate: '1.1' }])
    const rows = await place.query(
      "select distinct schemaname from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    )
    expect(rows).toEqual([{ schemaname: 'ledger_side' }])
  })

  it('needs no right to create schemas where the schema exists', async () => {
    const place = await placed(storePlace('postgres'))
    const role = `role_${new URL(place.url).pathname.slice(1)}`
    await place.query(`create role ${role} login password 'x'`)
    await place.query(`create schema side authorization ${role}`)
    const url = new URL(place.url)
    url.username = role
    url.password = 'x'
    const store = storeAt(url.href)
    expect(await store.version()).toBe(0)
    await store.close()
    await place.query(`drop owned by ${role}; drop role ${role}`)
  })

  it('reads days alike whatever the date style of the server is', async () => {
    const place = await placed(storePlace('postgres'))
    const name = new URL(place.url).pathname.slice(1)
    await place.query(`alter database ${name} set datestyle = 'German'; alter database ${name} set timezone = 'America/New_York'`)
    const rates = [{ date: '2024-01-31', from: 'EUR', to: 'USD', rate: '1.1' }]
    const store = storeAt(place.url)
    await store.fxRates.upsert(rates)
    expect(await store.fxRates.list()).toEqual(rates)
  })
})

describe.each(storePlaces(['mariadb', 'mysql']))('opening a store on %s', (_kind, makePlace) => {
  it('takes mariadb:// for the same', async () => {
    const place = await placed(makePlace())
    const url = place.url.replace(/^mysql:/, 'mariadb:')
    await storeAt(url).fxRates.upsert([{ date: '2024-01-01', from: 'EUR', to: 'USD', rate: '1.1' }])
    expect(await storeAt(place.url).fxRates.list()).toHaveLength(1)
    const error = await failure(storeAt('mariadb://someone:hush-hush@127.0.0.1:1/side').ping())
    expect(error.message).toContain('mariadb://someone:***@127.0.0.1:1/side')
  })

  it('goes on where a process died between two statements of a migration', async () => {
    const place = await placed(makePlace())
    await place.query('create table store_version (id int primary key, version bigint not null)')
    const store = storeAt(place.url)
    expect(await store.version()).toBe(0)
    expect(await store.fxRates.list()).toEqual([])
  })
})

describe('a store that is switched off', () => {
  it('refuses everything but closing', async () => {
    const store = storeAt('none')
    expect(store.enabled).toBe(false)
    for (const call of [store.open(), store.ping(), store.version(), store.fxRates.list(), store.fxRates.upsert([])]) {
      const error = await failure(call)
      expect([error.code, error.context]).toEqual(['unsupported_by_connector', { missing: ['store'] }])
    }
    await store.close()
  })
})

describe('an address that is none', () => {
  it.each(['sqlite:', 'pglite:', 'file:x', 'postgres', ''])('%j is refused', (url) => {
    expect(() => createStore({ url, schema: 'side', baseDirectory: '/' })).toThrow('store.url must be')
  })
})
