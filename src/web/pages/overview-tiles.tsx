import { Link } from '@tanstack/react-router'
import type { components } from '../../client/index.ts'
import type { Query, RowsPath } from '../api/question.ts'
import { isRow, numberIn, rowsOf, useAnswer } from '../api/use-answer.ts'
import { lastingSearch } from '../controls/search.ts'
import { type PageState, usePage } from '../controls/use-page.ts'
import { formatDay, formatPeriod, monthBefore } from '../format/days.ts'
import { Change, Figure, type GoodDirection } from '../format/figure.tsx'
import { unitOf } from '../format/units.ts'
import { Answered, Skeleton, Warnings } from '../parts/states.tsx'

const HEIGHT = 58

/** The key metrics, each with its change against the month before and its trend. */
export function OverviewTiles({ end }: { end: string | undefined }) {
  const page = usePage()
  const path = '/api/metrics/summary'
  const answer = useAnswer({ path, query: { ...page.audience, end } })
  const summary = summaryOf(answer.data?.data)
  const before = useAnswer(
    summary === undefined ? undefined : { path, query: { ...page.audience, end: monthBefore(summary.as_of) } },
  )
  const earlier = summaryOf(before.data?.data)
  const tiles = TILES.filter(({ field }) => !OF_BOOKS.includes(field) || (summary !== undefined && summary[field] !== null))
  return (
    <section aria-label="Key metrics">
      <Warnings answer={answer} />
      {answer.isPending ? (
        <TilesToCome />
      ) : (
        <Answered answer={answer} height={HEIGHT}>
          {summary !== undefined && (
            <div className="tiles">
              {tiles.map((tile) => (
                <TileOf key={tile.field} tile={tile} summary={summary} earlier={earlier} page={page} />
              ))}
            </div>
          )}
        </Answered>
      )}
    </section>
  )
}

/** Placeholders for all tiles, so that the content below does not move. */
function TilesToCome() {
  return (
    <div className="tiles">
      {TILES.filter(({ field }) => !OF_BOOKS.includes(field)).map(({ field, label }) => (
        <div key={field} className="tile">
          <span className="tile-label">{label}</span>
          <Skeleton height={HEIGHT} />
        </div>
      ))}
    </div>
  )
}

interface TileProps {
  readonly tile: Tile
  readonly summary: Summary
  readonly earlier: Summary | undefined
  readonly page: PageState
}

function TileOf({ tile, summary, earlier, page }: TileProps) {
  const { field, label, to, view, window, good } = tile
  const value = summary[field]
  const previous = earlier?.[field]
  const change = value === null || previous === null || previous === undefined ? null : value - previous
  const unit = unitOf(field)
  const currency = summary.base_currency
  const reason = summary.unsupported.includes(field) ? 'Not available from this data source.' : undefined
  return (
    <Link to={to} search={{ ...lastingSearch(page.search), view }} className="tile" data-field={field}>
      <span className="tile-label">{label}</span>
      <span className="tile-row">
        <span className="tile-value">
          <Figure value={value} unit={unit} currency={currency} reason={reason} />
        </span>
        <Course tile={tile} page={page} />
      </span>
      <span className="tile-foot">
        <Change value={change} unit={unit} good={good ?? 'up'} currency={currency} />
        <span>{windowText(summary, window)}</span>
      </span>
    </Link>
  )
}

function Course({ tile: { course }, page }: { tile: Tile; page: PageState }) {
  const query = course === undefined ? {} : { ...page.audience, ...page.range, ...course.query }
  const answer = useAnswer(course === undefined ? undefined : { path: course.path, query })
  if (course === undefined) return null
  return <Sparkline values={rowsOf(answer.data?.data).map((row) => numberIn(row, course.field))} />
}

function windowText(summary: Summary, window: Tile['window']): string {
  if (window === 'day') return `on ${formatDay(summary.as_of)}`
  return window === 'rate' ? `in ${formatPeriod(summary.rate_window.start, 'month')}` : 'last 365 days'
}

function summaryOf(data: unknown): Summary | undefined {
  return isRow(data) && 'as_of' in data ? (data as Summary) : undefined
}

type Summary = components['schemas']['Summary']
type SummaryField = Exclude<
  keyof Summary,
  'as_of' | 'rate_window' | 'trailing_window' | 'data_through' | 'base_currency' | 'unsupported'
>

/** A tile: a metric of the summary, the page with its details, and the question for its trend. */
interface Tile {
  readonly field: SummaryField
  readonly label: string
  readonly to: '/mrr' | '/churn' | '/retention' | '/ltv' | '/trials' | '/expenses' | '/customers'
  /** The view to open on the page. */
  readonly view?: string
  readonly window: 'day' | 'rate' | 'trailing'
  readonly good?: GoodDirection
  readonly course?: { readonly path: RowsPath; readonly query: Query; readonly field: string }
}

const arpu = { path: '/api/metrics/ltv/arpu', query: { interval: 'month' } } as const

/** The metrics in their order. Trends with the same question share one call. */
const TILES: readonly Tile[] = [
  { field: 'mrr', label: 'MRR', to: '/mrr', window: 'day', course: { ...arpu, field: 'mrr' } },
  { field: 'arr', label: 'ARR', to: '/mrr', window: 'day', course: { ...arpu, field: 'mrr' } },
  {
    field: 'net_new_mrr',
    label: 'Net new MRR',
    to: '/mrr',
    window: 'rate',
    course: { path: '/api/metrics/mrr/waterfall', query: { interval: 'month' }, field: 'net_change' },
  },
  {
    field: 'active_customers',
    label: 'Paying customers',
    to: '/customers',
    window: 'day',
    course: { ...arpu, field: 'active_customers' },
  },
  { field: 'active_subscriptions', label: 'Paid subscriptions', to: '/customers', window: 'day' },
  { field: 'arpu', label: 'Revenue per customer', to: '/ltv', window: 'day', course: { ...arpu, field: 'arpu' } },
  {
    field: 'logo_churn_rate',
    label: 'Logo churn',
    to: '/churn',
    window: 'rate',
    good: 'down',
    course: { path: '/api/metrics/churn', query: { granularity: 'month' }, field: 'logo_churn_rate' },
  },
  {
    field: 'revenue_churn_rate',
    label: 'Revenue churn',
    to: '/churn',
    view: 'revenue',
    window: 'rate',
    good: 'down',
    course: { path: '/api/metrics/churn', query: { granularity: 'month', type: 'revenue' }, field: 'revenue_churn_rate' },
  },
  {
    field: 'nrr',
    label: 'Net retention',
    to: '/retention',
    window: 'rate',
    course: { path: '/api/metrics/retention', query: { granularity: 'month', query_type: 'nrr' }, field: 'retention_rate' },
  },
  {
    field: 'grr',
    label: 'Gross retention',
    to: '/retention',
    view: 'grr',
    window: 'rate',
    course: { path: '/api/metrics/retention', query: { granularity: 'month', query_type: 'grr' }, field: 'retention_rate' },
  },
  { field: 'ltv', label: 'Lifetime value', to: '/ltv', window: 'trailing' },
  {
    field: 'trial_conversion_rate',
    label: 'Trial conversion',
    to: '/trials',
    window: 'trailing',
    course: { path: '/api/metrics/trials/series', query: { interval: 'month' }, field: 'conversion_rate' },
  },
  { field: 'gross_margin', label: 'Gross margin', to: '/expenses', window: 'trailing' },
  { field: 'operating_margin', label: 'Operating margin', to: '/expenses', window: 'trailing' },
]

/** Metrics that are shown only with accounting data. Without it they are null. */
const OF_BOOKS: readonly SummaryField[] = ['gross_margin', 'operating_margin']

const LINE_WIDTH = 84
const LINE_HEIGHT = 28

/** The trend of a metric as a small line without a scale. The tile shows the last value as a number. */
function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const known = values.flatMap((value) => (value === null ? [] : [value]))
  if (known.length < 2) return null
  const low = Math.min(...known)
  const range = Math.max(...known) - low || 1
  const step = LINE_WIDTH / (values.length - 1)
  let isDrawing = false
  const path = values.map((value, place) => {
    if (value === null) {
      isDrawing = false
      return ''
    }
    const command = isDrawing ? 'L' : 'M'
    isDrawing = true
    return `${command}${(place * step).toFixed(1)} ${(LINE_HEIGHT - ((value - low) / range) * LINE_HEIGHT).toFixed(1)}`
  })
  return (
    <svg className="sparkline" viewBox={`0 0 ${LINE_WIDTH} ${LINE_HEIGHT}`} aria-hidden="true">
      <path d={path.join('')} />
    </svg>
  )
}
