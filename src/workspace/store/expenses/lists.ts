import { integerCell, textOf } from '../../../ports/cells.ts'
import type { BookPage, BookQuery, ExpenseLists } from '../../../ports/expense-store.ts'
import type { Row } from '../../../ports/rows.ts'
import { type Access, type Database, table } from '../database.ts'
import { listBills } from './list-bills.ts'
import { listLines } from './list-lines.ts'
import { listVendors } from './list-vendors.ts'
import type { Listing } from './listing.ts'

/** Lists of what a workspace's books hold. */
export function createLists(access: Access, workspace: string): ExpenseLists {
  const list = <T>(query: BookQuery, read: (context: Listing) => Promise<BookPage<T>>) =>
    access.read(async (database) => {
      const books = await booksOf(database, workspace, query.source_id)
      return books.size === 0 ? { total: 0, rows: [] } : read({ database, books, query })
    })
  return {
    bills: (query) => list(query, listBills),
    lines: (query) => list(query, listLines),
    vendors: (query) => list(query, listVendors),
  }
}

async function booksOf(database: Database, workspace: string, source_id: string | undefined) {
  const books = table(database, 'book').where({ workspace }).select('book_id', 'source_id')
  const rows: Row[] = await (source_id === undefined ? books : books.where({ source_id }))
  return new Map(rows.map((row) => [integerCell(row, 'book_id'), textOf(row, 'source_id')]))
}
