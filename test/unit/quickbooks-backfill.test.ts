import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BackfillPage } from '../../src/ports/accounting.ts'
import type { Books } from '../support/product/intuit/company-books.ts'
import { backfilled, connected, PATIENT } from '../support/product/intuit/connected-platform.ts'
import { fillWithSamples } from '../support/product/intuit/sample-books.ts'
import { type Intuit, startIntuit } from '../support/product/intuit/server.ts'

let intuit: Intuit
let books: Books
beforeEach(async () => {
  intuit = await startIntuit()
  books = intuit.company('4620')
})
afterEach(() => intuit.stop())

/** Records that were changed long ago, unless told. */
function fill(entity: string, count: number, at = '2026-01-02T00:00:00-08:00'): void {
  const MetaData = { CreateTime: at, LastUpdatedTime: at }
  for (let index = 0; index < count; index += 1) {
    books.put(entity, {
      TxnDate: '2026-01-02',
      TotalAmt: 1,
      Balance: 1,
      DisplayName: `V${index}`,
      Active: true,
      Line: [],
      MetaData,
    })
  }
}

const idsOf = (pages: readonly BackfillPage[], kind: string) =>
  pages.flatMap(({ records }) => records.filter((record) => record.kind === kind).map(({ external_id }) => external_id))
const expected = (entity: string) => books.all(entity).map(({ Id }) => Id)

describe('a backfill', () => {
  it('reads what is referred to before what refers to it, and lists what is switched off', async () => {
    fillWithSamples(books)
    const { connector } = await connected(intuit)
    const { pages } = await backfilled(connector)
    const kinds = pages.flatMap(({ records }) =>
      records.map((record) => ('bill_kind' in record ? record.bill_kind : record.kind)),
    )
    expect([...new Set(kinds)]).toEqual(['vendor', 'account', 'item', 'bill', 'vendor_credit', 'expense', 'bill_payment'])
    expect(kinds).toHaveLength(4 + 19 + 3 + 4 + 2 + 7 + 4)
    expect(idsOf(pages, 'vendor')).toContain('56')
    const queries = intuit.requests.filter((path) => path.includes('/query?') && !path.includes('Preferences'))
    expect(queries.filter((path) => path.includes('Active in (true, false)'))).toHaveLength(3)
    expect(queries.every((path) => path.includes('maxresults 1000'))).toBe(true)
  })

  it('takes pages of a thousand, each record once, and an even number of pages is no trap', async () => {
    fill('Vendor', 2500)
    fill('Bill', 1000)
    const { connector } = await connected(intuit)
    const { pages } = await backfilled(connector)
    expect(idsOf(pages, 'vendor')).toEqual(expected('Vendor'))
    expect(idsOf(pages, 'bill')).toEqual(expected('Bill'))
  })

  it('goes on at the page where it stopped, also with its day', async () => {
    fill('Vendor', 1500)
    fill('Bill', 1500)
    books.put('Bill', { TxnDate: '2025-12-31', TotalAmt: 1, Balance: 1 })
    const { connector } = await connected(intuit)
    const whole = await backfilled(connector, { since: '2026-01-01' })
    expect(idsOf(whole.pages, 'bill')).toHaveLength(1500)
    for (const [index, { progress }] of whole.pages.entries()) {
      // As a store keeps it.
      const kept: BackfillPage['progress'] = JSON.parse(JSON.stringify(progress))
      const again = (await connected(intuit)).connector
      const before = intuit.requests.length
      const rest = await backfilled(again, { progress: kept })
      expect(rest.records).toEqual(whole.pages.slice(index + 1).flatMap(({ records }) => records))
      expect(intuit.requests.length - before).toBe(rest.pages.length + 1)
    }
  })

  it.each([
    ['a few', ['5', '6'], 3],
    ['the last one read', ['5', '1001'], 5],
    ['many', Array.from({ length: 50 }, (_, index) => String(index + 10)), 5],
  ])('misses nothing when %s vanish between two pages', async (_name, gone, vendorPages) => {
    fill('Vendor', 2300)
    const { connector } = await connected(intuit)
    const seen = new Set<string>()
    let pages = 0
    for await (const page of connector.backfill({ progress: null, signal: PATIENT })) {
      for (const { external_id } of page.records) seen.add(external_id)
      pages += 1
      if (pages === 1) for (const id of gone) books.remove('Vendor', id)
    }
    expect(expected('Vendor').filter((id) => !seen.has(String(id)))).toEqual([])
    expect(intuit.requests.filter((path) => path.includes('from Vendor '))).toHaveLength(vendorPages)
  })

  it('goes through troubles on the way', async () => {
    fill('Vendor', 1200)
    const { connector } = await connected(intuit)
    intuit.troubles.add({ kind: 'cut' }, { matching: /from\+Vendor.*startposition\+1\+/ })
    intuit.troubles.add({ kind: 'status', status: 401 }, { matching: /from\+Bill\+/ })
    intuit.troubles.add({ kind: 'status', status: 500 }, { matching: /from\+Purchase/, times: 2 })
    expect(idsOf((await backfilled(connector)).pages, 'vendor')).toEqual(expected('Vendor'))
  })
})

describe('changes', () => {
  const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString()

  it('changes and deletions since, of every kind, in whatever order it is listed', async () => {
    fillWithSamples(books)
    const { connector } = await connected(intuit)
    books.put('Vendor', { Id: '30', DisplayName: 'Books by Bess', Active: true })
    books.put('Bill', { Id: '200', TxnDate: '2026-03-01', TotalAmt: 5, Balance: 5, Line: [] })
    books.remove('VendorCredit', '131')
    books.remove('BillPayment', '150')
    const { records, isComplete } = await connector.changesSince(anHourAgo(), PATIENT)
    expect(isComplete).toBe(true)
    expect(records).toMatchObject([
      { kind: 'vendor', external_id: '30', name: 'Books by Bess' },
      { kind: 'bill', external_id: '200', bill_kind: 'bill' },
      { kind: 'bill', external_id: '131', updated_at: expect.any(String) },
      { kind: 'bill_payment', external_id: '150' },
    ])
    expect(records[2]).not.toHaveProperty('metadata')
  })

  it('changes while pages are read are among the changes since the beginning', async () => {
    fill('Vendor', 1500)
    const { connector } = await connected(intuit)
    const begun = new Date().toISOString()
    for await (const page of connector.backfill({ progress: null, signal: PATIENT })) {
      if (idsOf([page], 'vendor').includes('2')) books.put('Vendor', { Id: '2', DisplayName: 'Renamed' })
    }
    const { records } = await connector.changesSince(begun, PATIENT)
    expect(records).toContainEqual(expect.objectContaining({ external_id: '2', name: 'Renamed' }))
  })

  it('more than are listed at once are asked for by kind, and more than that is said', async () => {
    const now = new Date().toISOString()
    fill('Vendor', 600, now)
    fill('Bill', 600, now)
    const { connector } = await connected(intuit)
    const both = await connector.changesSince(anHourAgo(), PATIENT)
    expect({ isComplete: both.isComplete, count: new Set(both.records.map((record) => record.external_id)).size }).toEqual({
      isComplete: true,
      count: 1200,
    })
    fill('Bill', 500, now)
    expect(await connector.changesSince(anHourAgo(), PATIENT)).toMatchObject({ isComplete: false })
  })

  it('older than Intuit keeps them are not asked for', async () => {
    const { connector, platform } = await connected(intuit)
    const long = new Date(Date.now() - 30 * 86_400_000).toISOString()
    expect(await connector.changesSince(long, PATIENT)).toEqual({ records: [], isComplete: false })
    expect(platform.changesReachDays).toBe(30)
    expect(intuit.requests.filter((path) => path.includes('/cdc?'))).toEqual([])
  })
})
