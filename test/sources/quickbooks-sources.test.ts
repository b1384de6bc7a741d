import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/ports/store.ts'
import type { SourceResource } from '../../src/workspace/expenses/sources/resource.ts'
import { createSourceResource } from '../../src/workspace/expenses/sources/resource.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { embeddedPlace, type StorePlace, WORKSPACE } from '../support/databases/store-places.ts'
import { platformFor, VERIFIER_TOKEN } from '../support/product/intuit/connected-platform.ts'
import { fillWithSamples } from '../support/product/intuit/sample-books.ts'
import { CALLBACK, type Intuit, startIntuit } from '../support/product/intuit/server.ts'
import { type Change, cloudEvents, eventNotifications, type SignedBody } from '../support/product/intuit/webhook.ts'
import { queryFile, until } from '../support/product/toy-platform/toy-sources.ts'

const REALM = '4620'
const ID = `quickbooks-${REALM}`

let intuit: Intuit
let place: StorePlace
let store: Store
let sources: SourceResource

beforeEach(async () => {
  intuit = await startIntuit()
  fillWithSamples(intuit.company(REALM))
  place = await embeddedPlace()
  store = createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
  sources = createSourceResource({
    store,
    connectorType: 'engine',
    workspace: async () => WORKSPACE,
    databaseSources: async () => [],
    unsupported: [],
    platforms: [platformFor(intuit, { retries: 1 })],
    onFailure: () => {},
  })
})
afterEach(async () => {
  await sources.close()
  await store.close()
  await place.remove()
  await intuit.stop()
})

/** The steps of the administrator's browser. */
async function connect(): Promise<void> {
  const { authorize_url, browser } = await sources.beginConsent('quickbooks', undefined)
  const state = new URL(authorize_url).searchParams.get('state') ?? ''
  const code = intuit.authority.consent(REALM, CALLBACK)
  await sources.endConsent('quickbooks', new URLSearchParams({ code, state, realmId: REALM }), browser)
}

async function tell(format: (changes: readonly Change[], token: string) => SignedBody, change: Omit<Change, 'realm'>) {
  const { body, headers } = format([{ realm: REALM, ...change }], VERIFIER_TOKEN)
  const delivery = {
    address: 'quickbooks',
    source_id: undefined,
    body: Buffer.from(body),
    header: (name: string) => headers[name],
  }
  expect(await sources.receive(delivery)).toMatchObject({ accepted: 1, ignored: 0 })
}

const linesOf = (document: string) =>
  queryFile(place, `select amount_cents, is_counted from document_line where document_external_id = '${document}'`)
const source = async () => (await sources.list()).find(({ id }) => id === ID)

describe('QuickBooks as a source of the product', () => {
  it('is connected, read, told of changes in both formats, and let go', async () => {
    await connect()
    expect(await source()).toMatchObject({ status: 'connected', name: 'QuickBooks (4620)', config: { realm_id: REALM } })
    expect(JSON.stringify(queryFile(place, 'select * from source'))).not.toMatch(/refresh-|access-/)
    await sources.pull({ type: 'quickbooks' })
    expect(await source()).toMatchObject({
      last_run: {
        status: 'succeeded',
        counts: { vendor: 4, account: 19, item: 3, bill: 4, vendor_credit: 2, purchase: 7, bill_payment: 4 },
      },
    })
    sources.start()
    const books = intuit.company(REALM)
    const MetaData = undefined
    books.put('Bill', { ...books.get('Bill', '125'), MetaData, TotalAmt: 5, Line: [{ Id: '1', Amount: 5 }] })
    books.remove('Purchase', '142')
    await tell(cloudEvents, { entity: 'Bill', id: '125', operation: 'Update' })
    await tell(eventNotifications, { entity: 'Purchase', id: '142', operation: 'Delete' })
    await until(() => linesOf('125')[0]?.['amount_cents'] === 500 && linesOf('142')[0]?.['is_counted'] === 0)
    expect(await sources.disconnect(ID)).toEqual({ source_id: ID, revoked: true })
    expect(await source()).toMatchObject({ status: 'disconnected' })
  })

  it('goes on with a backfill that was cut off, and reads no page twice', async () => {
    const books = intuit.company(REALM)
    const MetaData = { CreateTime: '2026-01-01T00:00:00Z', LastUpdatedTime: '2026-01-01T00:00:00Z' }
    for (let index = 0; index < 1500; index += 1) books.put('Vendor', { DisplayName: `V${index}`, Active: true, MetaData })
    await connect()
    intuit.troubles.add({ kind: 'status', status: 503 }, { matching: /from\+Purchase/, times: 9 })
    await expect(sources.pull({ type: 'quickbooks' })).rejects.toMatchObject({ code: 'connector_unavailable' })
    expect(await source()).toMatchObject({
      status: 'connected',
      last_run: { status: 'failed', counts: { vendor: 1504, bill: 4 } },
    })
    const before = intuit.requests.length
    while (intuit.troubles.take('from+Purchase') !== undefined);
    await sources.pull({ type: 'quickbooks' })
    const after = intuit.requests.slice(before)
    expect(after.filter((path) => /select\+\*\+from\+(Vendor|Account|Item|Bill|VendorCredit)\+/.test(path))).toEqual([])
    expect(await source()).toMatchObject({ last_run: { status: 'succeeded', counts: { vendor: 1504, bill: 4, purchase: 7 } } })
  })

  it('counts no more what was deleted longer ago than changes are listed, once it is read again', async () => {
    await connect()
    await sources.pull({ type: 'quickbooks' })
    const books = intuit.company(REALM)
    const longAgo = '2026-02-01T00:00:00.000Z'
    books.remove('Bill', '125', longAgo)
    books.remove('Purchase', '142', longAgo)
    // Lists that lack what is there after all make up no deletion.
    intuit.troubles.add({ kind: 'wrong', answer: { QueryResponse: {} } }, { matching: /select\+Id\+from\+VendorCredit/ })
    await sources.pull({ type: 'quickbooks' })
    expect(linesOf('125').map(({ is_counted }) => is_counted)).toEqual([0])
    expect(linesOf('142').map(({ is_counted }) => is_counted)).toEqual([0])
    expect(await source()).toMatchObject({
      last_run: { status: 'succeeded', counts: { bill: 1, vendor_credit: 0, purchase: 1 } },
    })
    expect(queryFile(place, 'select external_id from bill where is_deleted = 1')).toEqual([{ external_id: '125' }])
  })

  it('asks to be connected again once Intuit no longer takes its tokens, and goes on after that', async () => {
    await connect()
    intuit.authority.expireAccess()
    intuit.authority.expireRefresh()
    await expect(sources.pull({ type: 'quickbooks' })).rejects.toThrow(/connect the company again/)
    expect(await source()).toMatchObject({ status: 'needs_reconnect' })
    expect(await sources.attention()).toMatchObject({ needs_reconnect: [ID] })
    await connect()
    await sources.pull({ type: 'quickbooks' })
    expect(await source()).toMatchObject({ status: 'connected', last_run: { status: 'succeeded' } })
  })
})
