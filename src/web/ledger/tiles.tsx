import { Link } from '@tanstack/react-router'
import { type AnswerQuery, currencyOf, numberIn, type Row, textIn } from '../api/use-answer.ts'
import { lastingSearch } from '../controls/search.ts'
import { useSearchState } from '../controls/use-page.ts'
import { formatDay, formatPeriod, periodStart } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import { traitsOf, unitOf } from '../format/traits.ts'
import { Sparkline } from '../pages/overview-tile.tsx'
import { type Drill, DrillButton } from '../parts/drill.tsx'
import { ChangeLine } from '../parts/headline.tsx'
import { Problem } from '../parts/problem.tsx'
import { Skeleton } from '../parts/states.tsx'
import { dayDrill, monthDrill, openDrill } from './drills.ts'
import { yearMonths } from './months.ts'
import type { LedgerView } from './tabs.ts'
import { type Books, type Series, useSeries } from './use-ledger.ts'

const HEIGHT = 58
const NOT_DUE = 'current'

/** A number of the month with its statement. */
interface Tile {
  readonly label: string
  readonly series: Series
  readonly field: string
  /** The tab with its statement. */
  readonly view: LedgerView
  /** Whether it is the state at the end of the month. */
  readonly isLevel: boolean
  /** The rows that count, if they are not all rows of the month. */
  readonly counts?: (row: Row) => boolean
  readonly drill: (books: Books, rows: readonly Row[]) => Drill
}

const flow = (label: string, series: 'revenue' | 'cash', field: string): Tile => ({
  label,
  series,
  field,
  view: series,
  isLevel: false,
  drill: (books) => monthDrill(series, books.month.start, field, books),
})

const isPastDue = (row: Row) => row['age'] !== NOT_DUE

const TILES: readonly Tile[] = [
  flow('Recognized revenue', 'revenue', 'recognized'),
  flow('Billed', 'revenue', 'billed'),
  flow('Collected', 'cash', 'collected'),
  { ...flow('Deferred revenue', 'revenue', 'closing_deferred'), isLevel: true },
  {
    label: 'Receivables',
    series: 'receivables',
    field: 'balance',
    view: 'receivables',
    isLevel: true,
    drill: (books) => openDrill(`Receivables, ${formatDay(books.month.end)}`, books.month.end, books),
  },
  {
    label: 'Past due',
    series: 'receivables',
    field: 'balance',
    view: 'receivables',
    isLevel: true,
    counts: isPastDue,
    drill: (books, rows) => {
      const ages = [...new Set(rows.filter(isPastDue).flatMap((row) => textIn(row, 'age') ?? []))]
      return openDrill(`Past due, ${formatDay(books.month.end)}`, books.month.end, books, { ages })
    },
  },
  {
    label: 'DSO, in days',
    series: 'dso',
    field: 'dso',
    view: 'cash',
    isLevel: true,
    drill: (books) => ({
      ...dayDrill('dso', books.month.end, 'receivables', books),
      title: `DSO, ${formatDay(books.month.end)}`,
      measures: ['receivables', 'billings'],
    }),
  },
]

/** The numbers of the month, each with its change against the month before and its statement. */
export function LedgerTiles({ books }: { readonly books: Books }) {
  const answers = {
    revenue: useSeries('revenue', books),
    cash: useSeries('cash', books),
    receivables: useSeries('receivables', books),
    dso: useSeries('dso', books),
  }
  const all = Object.values(answers).map(({ answer }) => answer)
  // An error of all statements is shown once, not in every tile.
  const isFailed = all.every(({ error }) => error !== null)
  const [first] = all
  return (
    <section aria-label={`Key figures of ${books.month.name}`} className="stack">
      {isFailed && <Problem error={first?.error} onRetry={() => void first?.refetch()} height={HEIGHT} />}
      {!isFailed && (
        <div className="tiles">
          {TILES.map((tile) => {
            const { answer, rows } = answers[tile.series as keyof typeof answers]
            return <TileCard key={tile.label} tile={tile} books={books} answer={answer} rows={rows} />
          })}
        </div>
      )}
    </section>
  )
}

interface TileCardProps {
  readonly tile: Tile
  readonly books: Books
  readonly answer: AnswerQuery
  readonly rows: readonly Row[]
}

function TileCard({ tile, books, answer, rows }: TileCardProps) {
  const search = useSearchState()
  const { month } = books
  const { field, label, view } = tile
  const values = yearMonths(month).map((period) => amountOf(rows, period, tile))
  const [previous = null, value = null] = values.slice(-2)
  const unit = unitOf(field)
  const currency = currencyOf(answer.data)
  const figure = <Figure value={value} unit={unit} currency={currency} />
  return (
    <div className="tile" data-tile={label}>
      <Link to="/ledger" search={{ ...lastingSearch(search), month: search.month, view }} className="tile-link">
        <span className="tile-label">{label}</span>
        <span className="tile-days">{tile.isLevel ? `on ${formatDay(month.end)}` : `in ${month.name}`}</span>
      </Link>
      {answer.data === undefined && answer.error === null && <Skeleton height={HEIGHT} />}
      {answer.error !== null && <Problem error={answer.error} onRetry={() => void answer.refetch()} height={HEIGHT} />}
      {answer.data !== undefined && answer.error === null && (
        <div className={answer.isPlaceholderData ? 'tile-body is-outdated' : 'tile-body'} aria-busy={answer.isPlaceholderData}>
          <span className="tile-row">
            <span className="tile-value">
              {value === null || value === 0 ? figure : <DrillButton drill={tile.drill(books, rows)}>{figure}</DrillButton>}
            </span>
            <Sparkline values={values} isLastRunning={month.end === books.today} />
          </span>
          <ChangeLine
            previous={previous}
            change={value === null || previous === null ? null : value - previous}
            unit={unit}
            good={traitsOf(field).good ?? 'up'}
            currency={currency}
            against={formatPeriod(periodStart(month.start, 'month', -1), 'month')}
            className="tile-foot"
          />
        </div>
      )}
    </div>
  )
}

/** The number of a month; null if the answer has none. Ages of a month add up. */
function amountOf(rows: readonly Row[], period: string, { field, counts = () => true }: Tile): number | null {
  const found = rows.filter((row) => row['period'] === period && counts(row)).map((row) => numberIn(row, field))
  return found.length === 0 ? null : found.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0)
}
