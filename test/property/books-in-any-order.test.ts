import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BILL_STATUSES, type ExpenseLine } from '../../src/core/expense.ts'
import type { Store } from '../../src/ports/store.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import {
  ALL,
  accountRecord,
  billRecord,
  itemRecord,
  lineRecord,
  purchaseRecord,
  vendorRecord,
} from '../support/data/book-records.ts'
import { PROPERTY_FACTOR } from '../support/data/property-runs.ts'
import { ownedIn, STORE_SERVERS, type StorePlace, storePlacesInTurn } from '../support/databases/store-places.ts'
import { type Arriving, booksOf, sorted } from '../support/oracles/book-lists.ts'

const ID = fc.constantFrom('1', '2', '3')
const LINES: fc.Arbitrary<readonly ExpenseLine[]> = fc.uniqueArray(
  fc
    .record({
      id: fc.constantFrom('a', 'b', 'c'),
      cents: fc.integer({ min: -500, max: 500 }),
      item: fc.constantFrom(null, null, '1', '2'),
      account: fc.constantFrom(null, '1', '2'),
    })
    .map(({ id, cents, item, account }) => lineRecord(id, cents, { item_external_id: item, account_external_id: account })),
  { selector: ({ line_id }) => line_id, maxLength: 3 },
)

const instant = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`

/** One version of one record, made at an instant that no other has. */
const version = (updated_at: string): fc.Arbitrary<Arriving> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .record({ id: ID, lines: LINES, status: fc.constantFrom(...BILL_STATUSES), balance: fc.integer({ min: 0, max: 9 }) })
        .map(({ id, lines, status, balance }) => billRecord(id, { updated_at, lines, status, balance_cents: balance })),
    },
    {
      weight: 3,
      arbitrary: fc
        .record({ id: ID, lines: LINES, is_voided: fc.boolean() })
        .map(({ id, lines, is_voided }) => purchaseRecord(id, { updated_at, lines, is_voided })),
    },
    {
      weight: 2,
      arbitrary: fc
        .record({ id: ID, account: fc.constantFrom(null, '1', '2') })
        .map(({ id, account }) => itemRecord(id, account, updated_at)),
    },
    {
      weight: 1,
      arbitrary: fc.record({ id: ID, name: fc.constantFrom('A', 'B') }).map(({ id, name }) => vendorRecord(id, name, updated_at)),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({ id: ID, type: fc.constantFrom('cogs', 'expense', null) })
        .map(({ id, type }) => accountRecord(id, type, updated_at)),
    },
    {
      weight: 2,
      arbitrary: fc
        .record({ kind: fc.constantFrom('bill', 'expense', 'vendor', 'item'), external_id: ID })
        .map((deletion) => ({ ...deletion, updated_at })),
    },
  )

const HISTORY = fc
  .integer({ min: 4, max: 24 })
  .chain((length) => fc.tuple(...Array.from({ length }, (_, second) => version(instant(second)))))

/** The same events in another order, some of them twice, in batches of any size. */
const ARRIVAL = HISTORY.chain((history) =>
  fc.tuple(fc.shuffledSubarray(history, { minLength: history.length }), fc.shuffledSubarray(history)).chain(([all, again]) =>
    fc.record({
      history: fc.constant(history),
      arrived: fc.constant([...all, ...again]),
      size: fc.integer({ min: 1, max: 40 }),
    }),
  ),
)

describe.each(storePlacesInTurn([...STORE_SERVERS, 'sqlite']))('books on %s', (kind, makePlace) => {
  let place: StorePlace
  let store: Store
  let runs = 0

  beforeAll(async () => {
    place = await makePlace()
    store = createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
  })
  afterAll(async () => {
    await store.close()
    await place.remove()
  })

  it('are the same in whatever order, batches and repetitions their records arrive', async () => {
    await fc.assert(
      fc.asyncProperty(ARRIVAL, async ({ history, arrived, size }) => {
        const books = ownedIn(store, { name: `run${++runs}`, source_ids: [] }).expenses
        for (let first = 0; first < arrived.length; first += size) await books.put('qb', arrived.slice(first, first + size))
        const [lines, bills, vendors] = [await books.lines(ALL), await books.bills(ALL), await books.vendors(ALL)]
        expect({
          lines: sorted(
            lines.rows.map(({ document_kind, document_id, line_id, amount: { cents }, account_id, account_type }) => ({
              document: `${document_kind} ${document_id}`,
              ...{ line_id, cents, account_id, account_type },
            })),
          ),
          bills: sorted(bills.rows.map(({ id, status, payable }) => ({ id, status, payable: payable.cents }))),
          vendors: sorted(vendors.rows.map(({ id, name }) => ({ id, name }))),
        }).toEqual(booksOf(history))
      }),
      { numRuns: PROPERTY_FACTOR * (kind === 'sqlite' ? 40 : 10), interruptAfterTimeLimit: 30_000 * PROPERTY_FACTOR },
    )
  })
})
