import type { Row } from '../api/use-answer.ts'
import { formatPeriod } from '../format/days.ts'
import { Card } from '../parts/card.tsx'
import type { Column } from '../parts/table.tsx'
import { yearMonths } from './months.ts'
import type { Books } from './use-ledger.ts'
import { EARLIER, waterfallColumns, waterfallRows } from './waterfall-rows.ts'

/** A day before all charges. Then the columns of the months have all that they recognized. */
const BEGINNING = '1900-01-01'

/** Recognized revenue by the month in which it was posted. */
export function WaterfallTab({ books }: { readonly books: Books }) {
  const { month, audience } = books
  const months = yearMonths(month)
  return (
    <Card
      title="Recognized revenue by month of posting"
      question={{ path: '/api/metrics/ledger/waterfall', query: { ...audience, start: BEGINNING, end: month.end } }}
      days={month.yearName}
      compareTo={null}
      empty="Nothing was billed up to the end of the month."
      lead={
        <p className="muted">
          A row has the charges of a month, a column what a month recognized. Booked and adjusted together are what is recognized
          and what remains: deferred revenue less what is not billed yet.
        </p>
      }
      pick={(rows) => waterfallRows(rows, months)}
      columns={(rows) => columnsOfTable(rows, months)}
    />
  )
}

function columnsOfTable(rows: readonly Row[], months: readonly string[]): readonly Column[] {
  const before = `Before ${formatPeriod(months[0] ?? '', 'month')}`
  const nameOf = (month: unknown) =>
    month === null ? 'Not billed yet' : month === EARLIER ? before : formatPeriod(String(month), 'month')
  const isMonth = (key: string) => key === EARLIER || months.includes(key)
  return [
    { key: 'booked_month', label: 'Posted', render: (row) => nameOf(row['booked_month']) },
    ...waterfallColumns(rows, months).map((key) => ({
      key,
      ...(isMonth(key) && { label: nameOf(key) }),
      isNumber: true,
      unit: 'money' as const,
      totals: true,
      // A month that recognized nothing of a row has no cell.
      ...(isMonth(key) && { render: (row: Row) => (key in row ? undefined : '') }),
    })),
  ]
}
