import { Link } from '@tanstack/react-router'
import { currencyIn, type Row, textIn } from '../api/use-answer.ts'
import { kept } from '../controls/search.ts'
import { useSearchState } from '../controls/use-page.ts'
import { formatDay, formatInstant, formatPeriod, type Step } from '../format/days.ts'
import { Dash, Figure } from '../format/figure.tsx'
import { labelOf } from '../format/labels.ts'
import { formatChange } from '../format/numbers.ts'
import { unitOf } from '../format/units.ts'

const INSTANT = /^\d{4}-\d{2}-\d{2}T/
const DAY = /^\d{4}-\d{2}-\d{2}$/
const PERIODS = ['period', 'month', 'cohort_month', 'active_month']

/** What a table shows of a field of a row. */
export function Cell({
  row,
  field,
  currency,
  step = 'month',
}: {
  row: Row
  field: string
  currency: string
  step?: Step | undefined
}) {
  const value = row[field]
  if (field === 'customer_name' || field === 'name') return <CustomerName row={row} field={field} />
  if (value === null || value === undefined) return <Dash reason="No value." />
  if (typeof value === 'number') {
    const unit = unitOf(field)
    const of = currencyIn(row, field, currency)
    if (field.startsWith('change_'))
      return <span className="figure">{formatChange(value, unit, { currency: of, precise: true })}</span>
    return <Figure value={value} unit={unit} currency={of} precise />
  }
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  if (PERIODS.includes(field)) return formatPeriod(text, field === 'period' ? step : 'month')
  if (INSTANT.test(text))
    return (
      <time dateTime={text} title={formatInstant(text)}>
        {formatDay(text)}
      </time>
    )
  if (DAY.test(text)) return <time dateTime={text}>{formatDay(text)}</time>
  if (field === 'status' || field === 'movement_type') return <span className={`tag is-${text}`}>{labelOf(text)}</span>
  return text
}

/** A customer's name that leads to its page; without a name its id. */
function CustomerName({ row, field }: { row: Row; field: string }) {
  const search = useSearchState()
  const id = textIn(row, 'customer_id') ?? (field === 'name' ? textIn(row, 'id') : null)
  const name = textIn(row, field) ?? (id === null ? null : `Customer ${id.slice(0, 8)}`)
  if (name === null) return <Dash reason="No name." />
  if (id === null) return name
  return (
    <Link to="/customers/$id" params={{ id }} search={kept(search)} className="name">
      {name}
    </Link>
  )
}
