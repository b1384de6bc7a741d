import { BILL_KINDS, BILL_STATUSES } from '../../../core/expense.ts'
import { dayCell, dayOrNull, integerCell, textCell, textOf } from '../../../ports/cells.ts'
import type { BookedAmount, BookPage, ListedBill } from '../../../ports/expense-store.ts'
import type { Row } from '../../../ports/rows.ts'
import { homeCents } from './line-rows.ts'
import { holdsAny, inBooks, type Listing, namesOf, pageOf, search, sourceIdOf, withinDays } from './listing.ts'

const BILL_COLUMNS = [
  'book_id',
  'external_id',
  'number',
  'bill_kind',
  'status',
  'vendor_external_id',
  'document_date',
  'due_date',
  'currency',
  'home_currency',
  'exchange_rate',
  'total_cents',
  'balance_cents',
]
const BILL_ORDER = [
  { column: 'bill.document_date', order: 'desc' },
  { column: 'bill.external_id', order: 'asc' },
  { column: 'bill.book_id', order: 'asc' },
] as const

export async function listBills(context: Listing): Promise<BookPage<ListedBill>> {
  const { query } = context
  const rows = inBooks(context, 'bill').where({ 'bill.is_deleted': false })
  withinDays(rows, 'bill.document_date', query)
  for (const [column, texts] of query.filters) holdsAny(rows, `bill.${column}`, texts)
  if (query.search !== undefined) {
    rows.leftJoin('vendor', (join) => {
      join.on('vendor.book_id', 'bill.book_id').andOn('vendor.external_id', 'bill.vendor_external_id')
    })
    search(rows, ['bill.number', 'vendor.name'], query.search)
  }
  const columns = BILL_COLUMNS.map((column) => `bill.${column}`)
  const { total, found } = await pageOf(rows, columns, context, BILL_ORDER)
  const vendorOf = await namesOf(context, 'vendor', found, ['name'])
  return {
    total,
    rows: found.map((row) => {
      const vendor = vendorOf(row)
      return {
        id: textOf(row, 'external_id'),
        source_id: sourceIdOf(context, row),
        number: textCell(row, 'number'),
        kind: BILL_KINDS.find((kind) => kind === row['bill_kind']) ?? 'bill',
        status: BILL_STATUSES.find((status) => status === row['status']) ?? null,
        vendor_id: textCell(row, 'vendor_external_id'),
        vendor_name: vendor === undefined ? null : textCell(vendor, 'name'),
        due_date: dayOrNull(row, 'due_date'),
        total: amountOf(row, integerCell(row, 'total_cents')),
        payable: amountOf(row, payableCents(row)),
      }
    }),
  }
}

/** What a bill of the store still asks for. */
export function payableOf(row: Row): BookedAmount {
  return amountOf(row, payableCents(row))
}

function payableCents(row: Row): number {
  return row['status'] === 'voided' ? 0 : integerCell(row, 'balance_cents')
}

function amountOf(row: Row, cents: number): BookedAmount {
  const document = {
    currency: textOf(row, 'currency'),
    home_currency: textCell(row, 'home_currency'),
    exchange_rate: textCell(row, 'exchange_rate'),
  }
  const { currency, home_currency } = document
  return { cents, currency, home_currency, day: dayCell(row, 'document_date'), home_cents: homeCents(cents, document) }
}
