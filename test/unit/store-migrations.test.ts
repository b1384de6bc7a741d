import { afterEach, describe, expect, it } from 'vitest'
import { createStore } from '../../src/store/create-store.ts'
import { embeddedPlace, STORE_SERVERS, type StorePlace, storePlaces } from './store-places.ts'

const RATE = { date: '2024-01-31', from: 'EUR', to: 'USD', rate: '1.0837' }
const LATER = ['attribute_definition', 'attribute_note', 'attribute_value', 'segment', 'store_identity']

let place: StorePlace | undefined
afterEach(async () => {
  await place?.remove()
})

describe.each(storePlaces(STORE_SERVERS))('a store of the first version on %s', (kind, makePlace) => {
  it('is brought up to date with its rates kept', async () => {
    place = await makePlace()
    const at = place
    const prefix = kind === 'postgres' ? 'side.' : ''
    const open = () => createStore({ url: at.url, schema: 'side', baseDirectory: '/' })
    const first = open()
    await first.fxRates.upsert([RATE])
    await first.close()
    // What the first version left behind: its one table, and its one name in the list of changes.
    for (const name of LATER) await at.query(`drop table ${prefix}${name}`)
    await at.query(`delete from ${prefix}plumbline_migration where name <> '0001-fx-rate'`)

    const second = open()
    expect(await second.fxRates.list()).toEqual([RATE])
    expect(await second.version()).toBe(1)
    expect(await second.attributes?.definitions()).toEqual([])
    expect(await second.segments?.list()).toEqual([])
    await second.close()
  })
})

it('an embedded store keeps attributes and segments when it is opened again', async () => {
  place = await embeddedPlace()
  const { url, baseDirectory } = place
  const at = '2026-01-02T03:04:05.678Z'
  const definition = {
    key: 'k',
    type: 'number',
    label: 'K',
    source: 'api',
    description: null,
    created_at: at,
    updated_at: at,
  } as const
  const segment = {
    id: 'a',
    name: 'n',
    description: null,
    definition: { b: 1, a: [] },
    created_by: null,
    created_at: at,
    updated_at: at,
  }
  const first = createStore({ url, schema: 'side', baseDirectory })
  await first.attributes?.change((writer) => writer.define(definition))
  await first.segments?.create(segment)
  await first.close()
  const second = createStore({ url, schema: 'side', baseDirectory })
  expect(await second.attributes?.definitions()).toEqual([definition])
  expect(await second.segments?.list()).toEqual([segment])
  await second.close()
})
