import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixedClock } from '../../src/core/clock.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { BackfillPage } from '../../src/ports/accounting.ts'
import type { Store } from '../../src/ports/store.ts'
import { ownedIn, type StorePlace, storePlace } from '../support/databases/store-places.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { emptyEmbedded, exampleEngine } from '../support/product/example-engine.ts'
import { backfilled, connected, PATIENT } from '../support/product/intuit/connected-platform.ts'
import { fillWithSamples } from '../support/product/intuit/sample-books.ts'
import { type Intuit, startIntuit } from '../support/product/intuit/server.ts'
import { storeAt } from '../support/product/store-with-books.ts'

// The guide's example is the books that the double of Intuit serves: read from there, kept in a store, and answered by the metric.
const GUIDE = readFileSync(join(packageRoot(), 'docs', 'expenses.md'), 'utf8').split('## A worked example')[1] ?? ''
const WORKSPACE = { name: 'books', source_ids: [] }
/** After all documents of the books. */
const NOW = new Date('2026-03-31T00:00:00Z')
const RANGE = { start: '2026-01-01', end: '2026-02-28' }

/** Cells of the guide's rows that begin with a pattern. */
function rowsOf(first: RegExp): readonly (readonly string[])[] {
  const rows = [...GUIDE.matchAll(/^\| (.*) \|$/gm)].map(([, cells = '']) => cells.split(' | '))
  return rows.filter(([cell = '']) => first.test(cell))
}

let intuit: Intuit
let place: StorePlace
let store: Store
let database: TestDatabase
let engine: Engine
let records: BackfillPage['records']

beforeAll(async () => {
  intuit = await startIntuit()
  fillWithSamples(intuit.company('4620'))
  place = await storePlace('sqlite')
  store = storeAt(place)
  database = await emptyEmbedded()
  records = (await backfilled((await connected(intuit)).connector)).records
  await ownedIn(store, WORKSPACE).expenses.put('quickbooks-4620', records)
  engine = exampleEngine(database.executor(), { store, workspace: WORKSPACE.name, clock: fixedClock(NOW) })
})
afterAll(async () => {
  await store.close()
  await place.remove()
  await intuit.stop()
})

describe('the worked example of the guide', () => {
  it('lists every line that there is', () => {
    const documents = rowsOf(/^(Bill|Vendor credit|Purchase) \d/).map(([name = '', date]) => [name.replace(/\D/g, ''), date])
    const lines = records.flatMap((record) =>
      'lines' in record ? record.lines.map(() => [record.external_id, record.document_date]) : [],
    )
    expect(documents.toSorted()).toEqual(lines.toSorted())
  })

  it('adds up to what it says by month', async () => {
    const { data } = await engine.query('expenses', { query_type: 'series', interval: 'month', ...RANGE })
    const said = rowsOf(/^2026/).flatMap(([period, cogs, expense]) => [
      { period, account_type: 'cogs', amount_base_cents: Number(cogs) },
      { period, account_type: 'expense', amount_base_cents: Number(expense) },
    ])
    expect(data).toEqual(said)
  })

  it('and by line, and altogether', async () => {
    const cents = rowsOf(/^(Bill|Vendor credit|Purchase) \d/).map((cells) => Number(cells[4]))
    const total = cents.reduce((sum, each) => sum + each, 0)
    const count = cents.filter((each) => each !== 0).length
    expect(GUIDE).toContain(`${total} cents in ${count} lines`)
    const { data } = await engine.query('expenses', { query_type: 'total', ...RANGE })
    expect(data).toEqual({ total_base_cents: total, line_count: count })
  })

  it('owes what it says', () => {
    const owed = records.flatMap((record) =>
      'balance_cents' in record && record.balance_cents !== 0 ? [record.balance_cents] : [],
    )
    expect(owed).toEqual([10000, 10000, 25010, -2000, -1250])
    expect(GUIDE).toContain('100.00 EUR, 100.00 and 250.10 are owed, less the credits of 20.00 and 12.50')
  })

  it('a second reading changes nothing', async () => {
    await ownedIn(store, WORKSPACE).expenses.put('quickbooks-4620', records)
    const { data } = await engine.query('expenses', { query_type: 'total', ...RANGE })
    expect(data).toMatchObject({ line_count: 13 })
  })

  it('without what has been deleted since', async () => {
    const { connector } = await connected(intuit)
    intuit.company('4620').remove('Bill', '126')
    const { records: gone } = await connector.changesSince(new Date().toISOString(), PATIENT)
    await ownedIn(store, WORKSPACE).expenses.put('quickbooks-4620', gone)
    const { data } = await engine.query('expenses', { query_type: 'total', ...RANGE })
    expect(data).toEqual({ total_base_cents: 79923 - 21690, line_count: 12 })
  })
})
