import type { BillRecord, BillStatus, ExpenseLine, PurchaseRecord } from '../../../core/expense.ts'
import type { ExpenseProblem, ExpenseRow } from './row.ts'

/** Columns that must be equal in all rows of a document. */
const SHARED = ['kind', 'date', 'due_date', 'vendor', 'currency', 'status', 'payment_type'] as const

/**
 * Groups rows into documents. The lines of a document are consecutive rows with the same id. Reports rows that differ from the
 * document's first row, and repeated line ids. Also reports a total that is too large in cents, and an id that appears again
 * later in the file.
 */
export function createGathering(report: (problem: ExpenseProblem) => void) {
  const seen = new Set<string>()
  let rows: ExpenseRow[] = []
  let lines = new Set<string>()
  let total_cents = 0

  const check = (first: ExpenseRow, next: ExpenseRow) => {
    for (const column of SHARED) {
      if (next[column] === first[column]) continue
      report({
        row: next.row,
        column,
        value: next[column] ?? '',
        reason: `must be that of row ${first.row}, which has the same id`,
      })
    }
    if (next.balance_cents !== first.balance_cents) {
      report({ row: next.row, column: 'balance', value: '', reason: `must be that of row ${first.row}, which has the same id` })
    }
    const line = next.line_id
    if (line !== null && lines.has(line)) {
      report({ row: next.row, column: 'line_id', value: line, reason: 'appears twice in this document' })
    }
  }
  const add = (row: ExpenseRow) => {
    rows.push(row)
    if (row.line_id !== null) lines.add(row.line_id)
    total_cents += row.amount_cents
    if (Number.isSafeInteger(total_cents)) return
    report({ row: row.row, column: 'amount', value: '', reason: 'makes the total of its document too large' })
    total_cents = 0
  }
  return {
    /** Takes the next row. If it begins a new document, returns the rows of the previous document. */
    take(row: ExpenseRow): readonly ExpenseRow[] {
      const [first] = rows
      if (first !== undefined && first.id === row.id) {
        check(first, row)
        add(row)
        return []
      }
      const done = rows
      if (seen.has(row.id)) {
        report({
          row: row.row,
          column: 'id',
          value: row.id,
          reason: 'appeared before: the rows of one document must be consecutive',
        })
      }
      seen.add(row.id)
      rows = []
      lines = new Set()
      total_cents = 0
      add(row)
      return done
    },
    /** The rows of the last document. */
    rest: (): readonly ExpenseRow[] => rows,
    count: (): number => seen.size,
  }
}

/** The record of a document's rows. */
export function documentOf(rows: readonly [ExpenseRow, ...ExpenseRow[]], at: string): BillRecord | PurchaseRecord {
  const [{ id, vendor, date, due_date, currency, status, payment_type, kind, balance_cents }] = rows
  const total_cents = rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
  const common = {
    external_id: id,
    updated_at: at,
    is_deleted: false,
    metadata: {},
    number: id,
    vendor_external_id: vendor,
    document_date: date,
    currency,
    home_currency: null,
    exchange_rate: null,
    total_cents,
    lines: linesOf(rows),
  }
  if (kind === 'expense') return { kind, ...common, payment_type, is_voided: status === 'voided' }
  return { kind, ...common, bill_kind: 'bill', status, due_date, balance_cents: balance_cents ?? owed(status, total_cents) }
}

function linesOf(rows: readonly ExpenseRow[]): readonly ExpenseLine[] {
  const named = new Set(rows.map(({ line_id }) => line_id))
  return rows.map(({ line_id, account, description, amount_cents, dimensions }, index) => ({
    line_id: line_id ?? unusedName(index + 1, named),
    account_external_id: account,
    item_external_id: null,
    description,
    amount_cents,
    dimensions,
    metadata: {},
  }))
}

function unusedName(position: number, named: ReadonlySet<string | null>): string {
  const name = String(position)
  return named.has(name) ? `row ${name}` : name
}

function owed(status: BillStatus | null, total_cents: number): number {
  return status === 'open' ? total_cents : 0
}
