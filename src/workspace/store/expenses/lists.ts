import { ACCOUNT_TYPES, BILL_KINDS, BILL_STATUSES } from '../../../core/expense.ts'
import { dayCell, dayOrNull, integerCell, integerOrNull, textCell, textOf } from '../../../ports/cells.ts'
import type {
  DocumentAmount,
  ExpenseListQuery,
  ExpenseLists,
  ListedBill,
  ListedLine,
  ListedVendor,
  ListPage,
} from '../../../ports/expense-store.ts'
import type { Row } from '../../../ports/rows.ts'
import { type Access, type Database, table } from '../database.ts'
import { homeCents } from './lines.ts'
import { holdsAny, inLedgers, type Listing, namesOf, pageOf, search, sourceIdOf, withinDays } from './list-query.ts'

/** Lists of the expenses of a workspace. */
export function createLists(access: Access, workspace: string): Omit<ExpenseLists, 'texts'> {
  const list = <T>(query: ExpenseListQuery, read: (context: Listing) => Promise<ListPage<T>>) =>
    access.read(async (database) => {
      const ledgers = await ledgersOf(database, workspace, query.source_id)
      return ledgers.size === 0 ? { total: 0, rows: [] } : read({ database, ledgers, query })
    })
  return {
    bills: (query) => list(query, listBills),
    lines: (query) => list(query, listLines),
    vendors: (query) => list(query, listVendors),
  }
}

async function ledgersOf(database: Database, workspace: string, source_id: string | undefined) {
  const ledgers = table(database, 'book').where({ workspace }).select('book_id', 'source_id')
  const rows: Row[] = await (source_id === undefined ? ledgers : ledgers.where({ source_id }))
  return new Map(rows.map((row) => [integerCell(row, 'book_id'), textOf(row, 'source_id')]))
}

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

async function listBills(context: Listing): Promise<ListPage<ListedBill>> {
  const { query } = context
  const rows = inLedgers(context, 'bill').where({ 'bill.is_deleted': false })
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

/** The amount still owed on a bill. */
function payableOf(row: Row): DocumentAmount {
  return amountOf(row, payableCents(row))
}

function payableCents(row: Row): number {
  return row['status'] === 'voided' ? 0 : integerCell(row, 'balance_cents')
}

function amountOf(row: Row, cents: number): DocumentAmount {
  const document = {
    currency: textOf(row, 'currency'),
    home_currency: textCell(row, 'home_currency'),
    exchange_rate: textCell(row, 'exchange_rate'),
  }
  const { currency, home_currency } = document
  return { cents, currency, home_currency, day: dayCell(row, 'document_date'), home_cents: homeCents(cents, document) }
}

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

async function listLines(context: Listing): Promise<ListPage<ListedLine>> {
  const { query } = context
  const rows = inLedgers(context, 'document_line').where({ 'document_line.is_counted': true })
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

const VENDOR_ORDER = [
  { column: 'vendor.name', order: 'asc' },
  { column: 'vendor.external_id', order: 'asc' },
  { column: 'vendor.book_id', order: 'asc' },
] as const

async function listVendors(context: Listing): Promise<ListPage<ListedVendor>> {
  const rows = inLedgers(context, 'vendor').where({ 'vendor.is_deleted': false })
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

async function openBills(context: Listing, ids: readonly string[]): Promise<ReadonlyMap<string, readonly DocumentAmount[]>> {
  const byVendor = new Map<string, DocumentAmount[]>()
  if (ids.length === 0) return byVendor
  const bills = inLedgers(context, 'bill')
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
