import { resolve } from 'node:path'
import knex, { type Knex } from 'knex'
import { afterEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/ports/store.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { migrations } from '../../src/workspace/store/migrations/index.ts'
import { sqliteClient } from '../../src/workspace/store/sqlite/client.ts'
import { isInTurn } from '../support/databases/rotation.ts'
import { ownedIn, STORE_SERVERS, type StorePlace, storePlaces } from '../support/databases/store-places.ts'

const AT = '2026-01-02 03:04:05.678'
const DATES = { created_at: AT, updated_at: AT }
const FIRST = Object.keys(migrations).slice(0, 4)

let place: StorePlace
const stores: Store[] = []

afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()))
  await place.remove()
})

/** Leaves the store of an earlier version: the first four migrations, definitions, notes, segments, and values by source and key. */
async function leave(values: readonly (readonly [source: string, key: string])[]): Promise<void> {
  const schema = place.url.startsWith('postgres') ? 'side' : undefined
  const connected = knex(configOf(place))
  try {
    if (schema !== undefined) await connected.schema.createSchema(schema)
    await connected.migrate.latest({
      tableName: 'plumbline_migration',
      ...(schema === undefined ? {} : { schemaName: schema }),
      migrationSource: {
        getMigrations: async () => FIRST,
        getMigrationName: (name: string) => name,
        getMigration: async (name: string) => ({
          up: async (transaction: Knex) => migrations[name]?.(transaction, schema),
          down: async () => {},
        }),
      },
    })
    const rows = (name: string) => (schema === undefined ? connected(name) : connected(name).withSchema(schema))
    const keys = [...new Set(values.map(([, key]) => key)), 'unused']
    await rows('attribute_definition').insert(
      keys.map((attribute_key) => ({ attribute_key, type: 'string', source: 'api', label: 'x', ...DATES })),
    )
    await rows('attribute_note').insert({ attribute_key: 'tag.x', label: 'noted', ...DATES })
    const kept = values.map(([source_id, attribute_key]) => ({
      attribute_key,
      source_id,
      customer_id: 'c1',
      value_string: `of ${source_id}`,
      origin: 'api',
      updated_at: AT,
    }))
    if (kept.length > 0) await rows('attribute_value').insert(kept)
    await rows('segment').insert({ id: 'id-1', name: 'Big', definition: '{}', ...DATES })
  } finally {
    await connected.destroy()
  }
}

function configOf({ url, baseDirectory }: StorePlace): Knex.Config {
  if (url.startsWith('postgres')) return { client: 'pg', connection: url }
  if (url.startsWith('mysql')) return { client: 'mysql2', connection: url }
  const file = resolve(baseDirectory, 'earlier.db')
  return { client: sqliteClient({ file, busyMs: 5_000 }), connection: { filename: file }, useNullAsDefault: true }
}

/** The contents that a new process of a service over these sources finds in the store. */
async function open(name: string, ...source_ids: string[]) {
  const url = place.url.startsWith('sqlite') ? 'sqlite:./earlier.db' : place.url
  const store = createStore({ url, schema: 'side', baseDirectory: place.baseDirectory })
  stores.push(store)
  const { attributes, segments } = ownedIn(store, { name, source_ids })
  const keys = (await attributes.definitions()).map(({ key }) => key).sort()
  return {
    keys,
    notes: (await attributes.notes()).length,
    segments: (await segments.list()).map((segment) => segment.name),
    values: (await Promise.all(keys.map((key) => attributes.values(key)))).flat().map(({ value }) => value),
  }
}

/** All databases decide alike to which service a store belongs. SQLite gets every case. A server gets the division, which moves most, and one of the two others. */
function isAsked(kind: string, index: number): boolean {
  return kind === 'sqlite' || isInTurn(['postgres', 'mariadb', 'mysql'].indexOf(kind) + index, 2)
}

const EMPTY = { keys: [], notes: 0, segments: [], values: [] }

describe.each(storePlaces([...STORE_SERVERS, 'sqlite']))(
  'a store from before there were workspaces, on %s',
  (kind, makePlace) => {
    if (isAsked(kind, 0))
      it('is taken whole by the only service that it served, and by no later one', async () => {
        place = await makePlace()
        await leave([
          ['s1', 'a'],
          ['s2', 'a'],
          ['s2', 'b'],
        ])
        const all = { keys: ['a', 'b', 'unused'], notes: 1, segments: ['Big'], values: ['of s1', 'of s2', 'of s2'] }
        expect(await open('one', 's1', 's2')).toEqual(all)
        expect(await open('other', 's3')).toEqual(EMPTY)
        expect(await open('two', 's1')).toEqual(EMPTY)
        expect(await open('one', 's1', 's2')).toEqual(all)
      })

    it('is divided by source between the services that it served; one that had nothing there gets nothing', async () => {
      place = await makePlace()
      await leave([
        ['s1', 'a'],
        ['s1', 'c'],
        ['s2', 'a'],
        ['s2', 'b'],
      ])
      expect(await open('newcomer', 's3')).toEqual(EMPTY)
      const first = { keys: ['a', 'c', 'unused'], notes: 1, segments: ['Big'], values: ['of s1', 'of s1'] }
      const second = { keys: ['a', 'b', 'unused'], notes: 1, segments: ['Big'], values: ['of s2', 'of s2'] }
      expect(await open('one', 's1')).toEqual(first)
      expect(await open('newcomer', 's3')).toEqual(EMPTY)
      const processes = await Promise.all([open('two', 's2'), open('two', 's2')])
      expect(processes).toEqual([second, second])
      expect(await open('one', 's1')).toEqual(first)
      expect(await open('newcomer', 's3')).toEqual(EMPTY)
    })

    if (isAsked(kind, 1))
      it('belongs to the first service when it holds no value', async () => {
        place = await makePlace()
        await leave([])
        expect(await open('one', 's1')).toEqual({ keys: ['unused'], notes: 1, segments: ['Big'], values: [] })
        expect(await open('two', 's2')).toEqual(EMPTY)
      })
  },
)
