import { integerCell, textOf } from '../../../ports/cells.ts'
import type { BookedAmount, BookPage, ListedVendor } from '../../../ports/expense-store.ts'
import type { Row } from '../../../ports/rows.ts'
import { payableOf } from './list-bills.ts'
import { inBooks, type Listing, pageOf, search, sourceIdOf, withinDays } from './listing.ts'

const VENDOR_ORDER = [
  { column: 'vendor.name', order: 'asc' },
  { column: 'vendor.external_id', order: 'asc' },
  { column: 'vendor.book_id', order: 'asc' },
] as const

export async function listVendors(context: Listing): Promise<BookPage<ListedVendor>> {
  const rows = inBooks(context, 'vendor').where({ 'vendor.is_deleted': false })
  search(rows, ['vendor.name'], context.query.search)
  const columns = ['book_id', 'external_id', 'name', 'is_active'].map((column) => `vendor.${column}`)
  const { total, found } = await pageOf(rows, columns, context, VENDOR_ORDER)
  const payables = await openBills(
    context,
    found.map((row) => textOf(row, 'external_id')),
  )
  return {
    total,
    rows: found.map((row) => ({
      id: textOf(row, 'external_id'),
      source_id: sourceIdOf(context, row),
      name: textOf(row, 'name'),
      is_active: row['is_active'] === true || row['is_active'] === 1,
      payables: payables.get(keyOf(row, 'external_id')) ?? [],
    })),
  }
}

async function openBills(context: Listing, ids: readonly string[]): Promise<ReadonlyMap<string, readonly BookedAmount[]>> {
  const byVendor = new Map<string, BookedAmount[]>()
  if (ids.length === 0) return byVendor
  const bills = inBooks(context, 'bill')
  withinDays(bills, 'bill.document_date', context.query)
  const rows: Row[] = await bills
    .whereIn('bill.vendor_external_id', ids)
    .where({ 'bill.is_deleted': false })
    .whereNot({ 'bill.balance_cents': 0 })
    .select(
      'book_id',
      'vendor_external_id',
      'status',
      'document_date',
      'currency',
      'home_currency',
      'exchange_rate',
      'balance_cents',
    )
  for (const row of rows) {
    const key = keyOf(row, 'vendor_external_id')
    const known = byVendor.get(key)
    if (known === undefined) byVendor.set(key, [payableOf(row)])
    else known.push(payableOf(row))
  }
  return byVendor
}

function keyOf(row: Row, column: string): string {
  return `${integerCell(row, 'book_id')} ${textOf(row, column)}`
}
