import { ACCOUNT_TYPES } from '../../../core/expense.ts'
import { dayCell, integerCell, integerOrNull, textCell, textOf } from '../../../ports/cells.ts'
import type { BookPage, ListedLine } from '../../../ports/expense-store.ts'
import { holdsAny, inBooks, type Listing, namesOf, pageOf, search, sourceIdOf, withinDays } from './listing.ts'

const LINE_COLUMNS = [
  'book_id',
  'document_kind',
  'document_external_id',
  'line_id',
  'document_date',
  'vendor_external_id',
  'account_external_id',
  'class',
  'department',
  'project',
  'description',
  'currency',
  'home_currency',
  'amount_cents',
  'home_amount_cents',
]
const LINE_ORDER = [
  { column: 'document_line.document_date', order: 'desc' },
  { column: 'document_line.document_kind', order: 'asc' },
  { column: 'document_line.document_external_id', order: 'asc' },
  { column: 'document_line.position', order: 'asc' },
  { column: 'document_line.book_id', order: 'asc' },
] as const

export async function listLines(context: Listing): Promise<BookPage<ListedLine>> {
  const { query } = context
  const rows = inBooks(context, 'document_line').where({ 'document_line.is_counted': true })
  withinDays(rows, 'document_line.document_date', query)
  const joined = { vendor: query.search !== undefined, account: query.filters.has('account_type') }
  for (const name of ['vendor', 'account'] as const) {
    if (!joined[name]) continue
    rows.leftJoin(name, (join) => {
      join.on(`${name}.book_id`, 'document_line.book_id').andOn(`${name}.external_id`, `document_line.${name}_external_id`)
    })
  }
  for (const [column, texts] of query.filters) {
    holdsAny(rows, column === 'account_type' ? 'account.account_type' : `document_line.${column}`, texts)
  }
  search(rows, ['document_line.description', 'vendor.name'], query.search)
  const columns = LINE_COLUMNS.map((column) => `document_line.${column}`)
  const { total, found } = await pageOf(rows, columns, context, LINE_ORDER)
  const vendorOf = await namesOf(context, 'vendor', found, ['name'])
  const accountOf = await namesOf(context, 'account', found, ['name', 'account_type'])
  return {
    total,
    rows: found.map((row) => {
      const [vendor, account] = [vendorOf(row), accountOf(row)]
      return {
        source_id: sourceIdOf(context, row),
        document_kind: row['document_kind'] === 'bill' ? 'bill' : 'expense',
        document_id: textOf(row, 'document_external_id'),
        line_id: textOf(row, 'line_id'),
        vendor_id: textCell(row, 'vendor_external_id'),
        vendor_name: vendor === undefined ? null : textCell(vendor, 'name'),
        account_id: textCell(row, 'account_external_id'),
        account_name: account === undefined ? null : textCell(account, 'name'),
        account_type: ACCOUNT_TYPES.find((type) => type === account?.['account_type']) ?? null,
        class: textCell(row, 'class'),
        department: textCell(row, 'department'),
        project: textCell(row, 'project'),
        description: textCell(row, 'description'),
        amount: {
          cents: integerCell(row, 'amount_cents'),
          currency: textOf(row, 'currency'),
          day: dayCell(row, 'document_date'),
          home_currency: textCell(row, 'home_currency'),
          home_cents: integerOrNull(row, 'home_amount_cents'),
        },
      }
    }),
  }
}
