import { Link } from '@tanstack/react-router'
import { filteredTo } from '../api/question.ts'
import { useHasBooks } from '../api/resources.ts'
import { isRow, numberIn, type Row, textIn, useAnswer } from '../api/use-answer.ts'
import { placesOf } from '../charts/places.ts'
import { pivot } from '../charts/series.ts'
import { type PageState, usePage } from '../controls/use-page.ts'
import { Figure } from '../format/figure.tsx'
import { labelOf, namesOf, valueLabel } from '../format/labels.ts'
import { Card } from '../parts/card.tsx'
import { type Drill, DrillButton, useDrill } from '../parts/drill.tsx'
import { Headline } from '../parts/headline.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { columnsOf, drillable } from '../parts/table.tsx'
import { Warnings } from '../parts/warnings.tsx'
import { expenseDrill, mrrDrill, periodName, spanOf } from './drills.ts'

const MOST = 15
const EMPTY = 'No expenses in this period.'

/** Expenses from the accounting data, and margins. */
export function Expenses() {
  const { hasBooks, isPending } = useHasBooks()
  const controls = { metric: 'expenses', hasSegments: false }
  return (
    <Page
      title="Expenses"
      lead="Expenses from your accounting data, and your margins."
      isOfTenant={false}
      {...(hasBooks ? { controls } : {})}
    >
      {isPending ? <Skeleton height={HEIGHT} /> : hasBooks ? <ExpenseCards /> : <NoBooks />}
    </Page>
  )
}

const HEIGHT = 320

function NoBooks() {
  return (
    <Empty>
      No expenses yet. Connect your accounting in <Link to="/settings">Settings</Link>, or import a file:{' '}
      <code>plumbline expenses import FILE</code>
    </Empty>
  )
}

function ExpenseCards() {
  const page = usePage()
  const { range, search } = page
  const query = { filter: search.filter, ...range }
  const total = { path: '/api/metrics/expenses', query } as const
  const all = expenseDrill(page.days, 'Expenses', search.filter ?? [])
  return (
    <>
      <div className="headlines">
        <Headline label="Expenses" question={total} field="total_base_cents" drill={all} />
        <MarginTiles />
        <Headline
          label="MRR"
          question={{ path: '/api/metrics/mrr', query: { ...page.level } }}
          field="mrr"
          drill={mrrDrill(page, page.days.end, {})}
        />
      </div>
      <SeriesOfTypes />
      <div className="columns">
        <Card
          title="By account type"
          question={{ path: '/api/metrics/expenses/by_account_type', query }}
          empty={EMPTY}
          columns={(rows) => drillable(columnsOf(rows), ['amount_base_cents'], (row) => drillOf(row, 'account_type', page))}
        />
        <Card
          title="By vendor"
          question={{ path: '/api/metrics/expenses/by_vendor', query: { ...query, limit: MOST, rest: true } }}
          empty={EMPTY}
          columns={(rows) =>
            drillable(columnsOf(rows, ['vendor_id']), ['amount_base_cents'], (row) => drillOf(row, 'vendor_id', page))
          }
        />
      </div>
      <Card
        title="By class"
        question={{ path: '/api/metrics/expenses', query: { ...query, dimensions: 'class', order: '-total_base_cents' } }}
        empty={EMPTY}
        columns={(rows) => drillable(columnsOf(rows), ['total_base_cents'], (row) => drillOf(row, 'class', page))}
      />
    </>
  )
}

/** Expenses over time by account type. */
function SeriesOfTypes() {
  const page = usePage()
  const { open } = useDrill()
  const { range, step, days, search } = page
  const lines = (period: string, type: string | undefined) =>
    expenseDrill(
      spanOf(period, step, days),
      `Expenses in ${periodName(period, step, days)}`,
      type === undefined ? (search.filter ?? []) : filteredTo(search.filter ?? [], 'account_type', type),
    )
  return (
    <Card
      title="Expenses by account type"
      question={{ path: '/api/metrics/expenses/series', query: { filter: search.filter, ...range, interval: step } }}
      step={step}
      empty={EMPTY}
      draw={(rows, { currency, dayThrough }) => {
        const { periods, series } = pivot({
          rows,
          measure: 'amount_base_cents',
          unit: 'money',
          groups: ['account_type'],
          name: 'Expenses',
        })
        const last = periods.at(-1)
        if (last === undefined) return undefined
        return {
          kind: 'bars',
          ...placesOf(periods, step, { dayThrough }),
          series,
          unit: 'money',
          currency,
          onPick: (place, name) => {
            const nameOf = namesOf(rows, ['account_type'])
            const picked = rows.find((row) => nameOf(row) === name)
            open(lines(periods[place] ?? last, textIn(picked, 'account_type') ?? undefined))
          },
        }
      }}
      columns={(rows) =>
        drillable(columnsOf(rows), ['amount_base_cents'], (row) => {
          const period = textIn(row, 'period')
          return period === null ? undefined : lines(period, textIn(row, 'account_type') ?? undefined)
        })
      }
    />
  )
}

/** The expense lines of a group. If the group has no value, it says that the API has no filter for such lines. */
function drillOf(row: Row, key: string, { days, search }: Pick<PageState, 'days' | 'search'>): Drill {
  const value = textIn(row, key)
  const name = key === 'vendor_id' ? 'vendor_name' : key
  const title = `Expenses: ${valueLabel(row[name], name)}`
  if (value === null)
    return { title, note: `Lines without a ${labelOf(key).toLowerCase()} can’t be listed: the API has no filter for them.` }
  return expenseDrill(days, title, filteredTo(search.filter ?? [], key, value))
}

const MARGINS = [
  { field: 'gross_margin', label: 'Gross margin' },
  { field: 'operating_margin', label: 'Operating margin' },
] as const

const NOTE =
  'The margin is the share of paid invoices left after expenses. Gross margin deducts cost of goods sold only. The list has all expenses of the same days.'

/** Margins of the range. */
function MarginTiles() {
  const { days, windows } = usePage()
  const { whole } = windows
  const answer = useAnswer({ path: '/api/metrics/summary', query: whole.query })
  const summary = isRow(answer.data?.data) ? answer.data.data : undefined
  if (summary === undefined) return null
  return MARGINS.map(({ field, label }) => (
    <section key={field} className="headline">
      <div className="headline-head">
        <h2 className="headline-label">{label}</h2>
        <span className="headline-window">{whole.label}</span>
      </div>
      <Warnings answer={answer} />
      <p className="headline-value">
        <DrillButton drill={{ ...expenseDrill(days, `Expenses behind the ${label.toLowerCase()}`, []), note: NOTE }}>
          <Figure value={numberIn(summary, field)} unit="fraction" reason="No paid invoices, or no expenses of this kind." />
        </DrillButton>
      </p>
    </section>
  ))
}
