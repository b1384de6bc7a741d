import { mysql } from '../../../src/compiler/dialects/mysql.ts'
import { postgres } from '../../../src/compiler/dialects/postgres.ts'
import { sqlite } from '../../../src/compiler/dialects/sqlite.ts'
import type { ExpenseRecord } from '../../../src/core/expense.ts'
import type { Store } from '../../../src/ports/store.ts'
import { importFxRates } from '../../../src/workspace/exchange-rates/import/csv.ts'
import { createStore } from '../../../src/workspace/store/create-store.ts'
import { embeddedPlace, ownedIn, type StorePlace } from '../databases/store-places.ts'

/** How a store is spoken to in tests. */
export const READING = {
  dialects: { postgres, mysql, sqlite },
  statementTimeoutMs: 30_000,
  sessionMemoryBytes: 134_217_728,
} as const

/** The workspace of the books of a test. */
export const BOOKS = 'books'

/** A store that metrics can be read from. */
export function storeAt({ url, baseDirectory }: StorePlace, secretKey?: string): Store {
  return createStore({ url, schema: 'side', baseDirectory, reading: READING, ...(secretKey !== undefined && { secretKey }) })
}

/** An embedded store with the rates of a CSV text and the books of one source. */
export async function storeWithBooks(
  books: readonly ExpenseRecord[],
  ratesCsv: string,
): Promise<{ readonly store: Store; remove(): Promise<void> }> {
  const place = await embeddedPlace()
  const store = storeAt(place)
  await importFxRates(ratesCsv, store, { maxBytes: 1_000_000 })
  await ownedIn(store, { name: BOOKS, source_ids: [] }).expenses.put('ledger', books)
  const remove = async () => {
    await store.close()
    await place.remove()
  }
  return { store, remove }
}
