import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { ownedIn } from '../support/databases/store-places.ts'

// The embedded PostgreSQL that the first version made in its directory.
const EARLIER = `
  create schema plumbline;
  create table plumbline.plumbline_migration (id serial primary key, name text);
  insert into plumbline.plumbline_migration (name) values ('0001-fx-rate'), ('0002-attributes'), ('0003-segments');
  create table plumbline.store_version (id integer primary key, version bigint not null);
  insert into plumbline.store_version values (1, 41);
  create table plumbline.fx_rate (
    from_currency varchar(3), to_currency varchar(3), rate_date date, rate decimal(30, 12),
    primary key (to_currency, from_currency, rate_date));
  insert into plumbline.fx_rate values ('EUR', 'USD', '2024-02-29', 1.0837), ('IDR', 'USD', '2024-03-01', 999999999999999.999999999999);
  create table plumbline.attribute_definition (
    attribute_key varchar(128) primary key, type varchar(16), source varchar(64), label text, description text,
    created_at timestamp(3), updated_at timestamp(3));
  insert into plumbline.attribute_definition
    select kind, kind, 'csv', 'L ' || kind, null, '2026-01-02 03:04:05.678', '2026-01-02 03:04:05'
    from unnest(array['string', 'number', 'boolean', 'timestamp']) as kind;
  create table plumbline.attribute_note (
    attribute_key varchar(128) primary key, type varchar(16), label text, description text,
    created_at timestamp(3), updated_at timestamp(3));
  insert into plumbline.attribute_note values ('tier', 'string', 'Tier', 'what', '2026-01-02 03:04:05', '2026-01-02 03:04:05');
  create table plumbline.attribute_value (
    attribute_key varchar(128), source_id varchar(255), customer_id varchar(255), value_string text,
    value_number decimal(38, 12), value_boolean boolean, value_timestamp timestamp(3), origin varchar(16), updated_at timestamp(3),
    primary key (attribute_key, source_id, customer_id));
  insert into plumbline.attribute_value values
    ('string', 's1', 'c1', 'it''s 🙂 "x" ', null, null, null, 'api', '2026-01-02 03:04:05.678'),
    ('number', 's1', 'c1', null, 1.50, null, null, 'csv', '2026-01-02 03:04:05'),
    ('boolean', 's1', 'c1', null, null, false, null, 'csv', '2026-01-02 03:04:05'),
    ('timestamp', 's1', 'c1', null, null, null, '2024-02-29 23:59:59', 'csv', '2026-01-02 03:04:05');
  create table plumbline.segment (
    id varchar(36) primary key, name varchar(200) unique, description text, definition text, created_by text,
    created_at timestamp(3), updated_at timestamp(3));
  insert into plumbline.segment values (
    '00000000-0000-4000-8000-000000000001', 'Big', null, '{"version":1}', null, '2026-01-02 03:04:05', '2026-01-02 03:04:05');`

let base: string
let directory: string
/** A directory of another PostgreSQL. */
let other: string

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'plumbline-earlier-test-'))
  directory = join(base, 'plumbline-data')
  other = join(base, 'billing')
  await filled(other, 'create table accounts (id text)')
  // To copy a directory takes a fraction of the time that making one does.
  cpSync(other, directory, { recursive: true })
  await filled(directory, EARLIER)
})

async function filled(dataDirectory: string, statements: string): Promise<void> {
  const database = await PGlite.create(dataDirectory)
  await database.exec(statements)
  await database.close()
}

afterAll(() => rmSync(base, { recursive: true, force: true }))

const notices: string[] = []

function storeAt(url: string) {
  return createStore({ url, schema: 'plumbline', baseDirectory: base, onNotice: (message) => notices.push(message) })
}

/** A digest of the directory's files, without those of the new store. */
function fingerprint(): string {
  const hash = createHash('sha256')
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()
  for (const name of names.filter((each) => !each.startsWith('store.db'))) {
    hash.update(name)
    if (statSync(join(directory, name)).isFile()) hash.update(readFileSync(join(directory, name)))
  }
  return hash.digest('hex')
}

describe('an embedded store of the first version', () => {
  it('is not taken over while its lock says that it may be open', async () => {
    writeFileSync(`${directory}.lock.pid`, '{}')
    const store = storeAt('sqlite:./plumbline-data/store.db')
    await expect(store.open()).rejects.toMatchObject({
      code: 'connector_unavailable',
      message: expect.stringContaining(`remove ${directory}.lock.pid`),
    })
    rmSync(`${directory}.lock.pid`)
    await store.close()
  })

  it('is taken over whole by the store next to it, once, and stays as it was', async () => {
    const before = fingerprint()
    const stores = [storeAt('sqlite:./plumbline-data/store.db'), storeAt('pglite:./plumbline-data')]
    await Promise.all(stores.map((store) => store.open()))
    expect(notices).toEqual([expect.stringContaining(`imported the store of an earlier version in ${directory}`)])
    expect(await Promise.all(stores.map((store) => store.version()))).toEqual([41, 41])
    for (const store of stores) {
      expect(await store.fxRates.list()).toEqual([
        { date: '2024-02-29', from: 'EUR', to: 'USD', rate: '1.0837' },
        { date: '2024-03-01', from: 'IDR', to: 'USD', rate: '999999999999999.999999999999' },
      ])
      const { attributes, segments } = ownedIn(store)
      expect(await attributes.definitions()).toHaveLength(4)
      expect(await attributes.notes()).toMatchObject([{ key: 'tier', type: 'string', label: 'Tier', description: 'what' }])
      const entries = await attributes.entriesOf([{ source_id: 's1', customer_id: 'c1' }], undefined)
      expect(Object.fromEntries(entries.map(({ key, value }) => [key, value]))).toEqual({
        string: 'it\'s 🙂 "x" ',
        number: '1.5',
        boolean: false,
        timestamp: '2024-02-29 23:59:59',
      })
      expect(entries.find(({ key }) => key === 'string')?.updated_at).toBe('2026-01-02T03:04:05.678Z')
      expect(await segments.list()).toMatchObject([{ name: 'Big', definition: { version: 1 } }])
    }
    await stores[0]?.fxRates.upsert([{ date: '2024-02-29', from: 'EUR', to: 'USD', rate: '2' }])
    await Promise.all(stores.map((store) => store.close()))
    const again = storeAt('sqlite:./plumbline-data/store.db')
    expect((await again.fxRates.list())[0]?.rate).toBe('2')
    await again.close()
    expect(fingerprint()).toBe(before)
  })

  it('is not sought in a directory of another PostgreSQL', async () => {
    const store = storeAt(`sqlite:${other}/store.db`)
    expect(await store.fxRates.list()).toEqual([])
    await store.close()
  })
})
