import { afterEach, describe, expect, it } from 'vitest'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { billRecord, lineRecord, purchaseRecord } from '../support/data/book-records.ts'
import { embeddedPlace, ownedIn, STORE_SERVERS, type StorePlace, storePlaces } from '../support/databases/store-places.ts'

const RATE = { date: '2024-01-31', from: 'EUR', to: 'USD', rate: '1.0837' }
const BOOKS = ['book', 'deletion', 'vendor', 'account', 'item', 'bill', 'expense', 'bill_payment', 'document_line', 'line_total']
const SOURCES = ['source', 'sync_run', 'inbox', 'pending_consent']
const ACCESS = ['api_key', 'audit_event']
// A table comes before the tables that it refers to.
const DASHBOARDS = ['dashboard', 'saved_chart', 'dashboard_owner']
const LATER = [
  'attribute_definition',
  'attribute_note',
  'attribute_value',
  'segment',
  'store_identity',
  ...BOOKS,
  ...SOURCES,
  ...ACCESS,
  ...DASHBOARDS,
  ...['note', 'goal', 'link', 'delivery', 'delivery_run', 'delivery_row', 'finding_mark'],
]

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
    // The remains of the first version: its one table, and its one name in the list of changes.
    for (const name of LATER) await at.query(`drop table ${prefix}${name}`)
    await at.query(`delete from ${prefix}plumbline_migration where name <> '0001-fx-rate'`)

    const second = open()
    expect(await second.fxRates.list()).toEqual([RATE])
    expect(await second.version()).toBe(1)
    expect(await ownedIn(second).attributes.definitions()).toEqual([])
    expect(await ownedIn(second).segments.list()).toEqual([])
    await second.close()
  })

  it('has the totals of the lines that were there before', async () => {
    place = await makePlace()
    const at = place
    const prefix = kind === 'postgres' ? 'side.' : ''
    const open = () => createStore({ url: at.url, schema: 'side', baseDirectory: '/' })
    const totals = () =>
      at.query(`select * from ${prefix}line_total where line_count <> 0 order by document_date, account_external_id, currency`)
    const foreign = { currency: 'EUR', home_currency: 'USD' }
    const first = open()
    await ownedIn(first).expenses.put('qb', [
      billRecord('1', { lines: [lineRecord('a', 100), lineRecord('b', 0), lineRecord('c', -3, { account_external_id: 'x' })] }),
      purchaseRecord('2', { ...foreign, lines: [lineRecord('a', 5)] }),
      purchaseRecord('3', { ...foreign, exchange_rate: '2', document_date: '2026-01-02', lines: [lineRecord('a', 5)] }),
      purchaseRecord('4', { is_voided: true, lines: [lineRecord('a', 7)] }),
    ])
    await first.close()
    const before = await totals()
    expect(before).toHaveLength(4)
    await at.query(`drop table ${prefix}line_total`)
    await at.query(`delete from ${prefix}plumbline_migration where name = '0008-line-totals'`)
    const second = open()
    await second.open()
    await second.close()
    expect(await totals()).toEqual(before)
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
  await ownedIn(first).attributes.change((writer) => writer.define(definition))
  await ownedIn(first).segments.create(segment)
  await first.close()
  const second = createStore({ url, schema: 'side', baseDirectory })
  expect(await ownedIn(second).attributes.definitions()).toEqual([definition])
  expect(await ownedIn(second).segments.list()).toEqual([segment])
  await second.close()
})
