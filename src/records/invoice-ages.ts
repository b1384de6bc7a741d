import { integerCell, integerOrNull, textCell } from '../ports/cells.ts'
import type { Row } from '../ports/rows.ts'
import type { ListInputs } from '../query/lists/request.ts'
import type { Warning } from '../query/warning.ts'
import { INVOICES } from './invoices.ts'
import { INVOICE_AGES } from './rows.ts'

/** Parameters and filters of the ages of open invoices (http-api.md 5). */
export const INVOICE_AGE_INPUTS: ListInputs = {
  fields: INVOICES.fields.filter(({ key }) => key !== 'status'),
  statuses: [],
  own: ['search', 'source_id', 'customer_id'],
  takesDays: false,
  takesSegment: true,
}

interface InvoiceAge {
  readonly age: (typeof INVOICE_AGES)[number]
  readonly invoices: number
  readonly balance_base_cents: number | null
}

/** A row for every age, youngest first, with a warning about balances that have no exchange rate. `found` is by age and currency. */
export function invoiceAges(found: readonly Row[]): {
  readonly rows: readonly InvoiceAge[]
  readonly warnings: readonly Warning[]
} {
  const rows = INVOICE_AGES.map((age) => {
    const own = found.filter((row) => textCell(row, 'age') === age)
    const sum = own.reduce((before, row) => before + (integerOrNull(row, 'balance_base_cents') ?? 0), 0)
    return { age, invoices: total(own, 'invoices'), balance_base_cents: total(own, 'without_rate') > 0 ? null : sum }
  })
  const missing = found.filter((row) => integerCell(row, 'without_rate') > 0)
  if (missing.length === 0) return { rows, warnings: [] }
  const count = total(missing, 'without_rate')
  const currencies = [...new Set(missing.map((row) => textCell(row, 'currency') ?? ''))].sort()
  const message = `${count} open invoices in ${currencies.join(', ')} have no exchange rate, so sums with them are null.`
  return { rows, warnings: [{ code: 'missing_fx_rate', message, count }] }
}

function total(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + integerCell(row, column), 0)
}
