import { isRow, numberIn, useAnswer } from '../api/use-answer.ts'
import { usePage } from '../controls/use-page.ts'
import { formatDay } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'

const MARGINS = [
  { field: 'gross_margin', label: 'Gross margin' },
  { field: 'operating_margin', label: 'Operating margin' },
] as const

/** What is left of the paid invoices of the year up to the end of the range. */
export function MarginTiles() {
  const { days } = usePage()
  const asked = useAnswer({ path: '/api/metrics/summary', query: { end: days.end } })
  const summary = isRow(asked.data?.data) ? asked.data.data : undefined
  if (summary === undefined) return null
  return MARGINS.map(({ field, label }) => (
    <section key={field} className="headline">
      <h2 className="headline-label">{label}</h2>
      <p className="headline-value">
        <Figure
          value={numberIn(summary, field)}
          unit="fraction"
          reason="There are no paid invoices or no expenses of this kind."
        />
      </p>
      <p className="headline-foot muted">365 days up to {formatDay(days.end)}</p>
    </section>
  ))
}
