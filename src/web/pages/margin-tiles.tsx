import { isRow, numberIn, useAnswer } from '../api/use-answer.ts'
import { usePage } from '../controls/use-page.ts'
import { daysLater, formatDay } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import { DrillButton } from '../parts/drill-button.tsx'
import { Warnings } from '../parts/states.tsx'
import { expenseDrill } from './drills.ts'

const MARGINS = [
  { field: 'gross_margin', label: 'Gross margin' },
  { field: 'operating_margin', label: 'Operating margin' },
] as const

const YEAR = 365
const NOTE =
  'The margin is the share of paid invoices left after expenses. Gross margin deducts cost of goods sold only. The list has all expenses of the same days.'

/** What is left of the paid invoices of the year up to the end of the range. */
export function MarginTiles() {
  const { days } = usePage()
  const asked = useAnswer({ path: '/api/metrics/summary', query: { end: days.end } })
  const summary = isRow(asked.data?.data) ? asked.data.data : undefined
  if (summary === undefined) return null
  const year = { start: daysLater(days.end, 1 - YEAR), end: days.end }
  return MARGINS.map(({ field, label }) => (
    <section key={field} className="headline">
      <h2 className="headline-label">{label}</h2>
      <Warnings asked={asked} />
      <p className="headline-value">
        <DrillButton drill={{ ...expenseDrill(year, `Expenses behind the ${label.toLowerCase()}`, []), note: NOTE }}>
          <Figure value={numberIn(summary, field)} unit="fraction" reason="No paid invoices, or no expenses of this kind." />
        </DrillButton>
      </p>
      <p className="headline-foot muted">365 days to {formatDay(days.end)}</p>
    </section>
  ))
}
