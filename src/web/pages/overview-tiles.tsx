import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { components } from '../../client/index.ts'
import type { Query, RowsPath } from '../api/question.ts'
import { type AnswerQuery, isRow, numberIn, type Row, rowsOf, useAnswer } from '../api/use-answer.ts'
import { lastingSearch } from '../controls/search.ts'
import { type PageState, usePage } from '../controls/use-page.ts'
import { lastFullMonth, type Windows } from '../controls/windows.ts'
import { formatPeriodOf, isRunning, monthBefore } from '../format/days.ts'
import { Figure, type GoodDirection } from '../format/figure.tsx'
import { unitOf } from '../format/units.ts'
import { Definition } from '../parts/card-menu.tsx'
import { ChangeLine, comparedTo } from '../parts/headline.tsx'
import { Problem } from '../parts/problem.tsx'
import { Skeleton, Warnings } from '../parts/states.tsx'

const HEIGHT = 58
const path = '/api/metrics/summary'

/** The key metrics, each with its days, its change and its trend. */
export function OverviewTiles() {
  const page = usePage()
  const answers = useSummaries(page)
  const { level, whole } = answers
  const data = summaryOf(whole.data?.data)
  const tiles = TILES.filter(({ field }) => !OF_BOOKS.includes(field) || (data !== undefined && data[field] !== null))
  // An error or warning is shown once, not in every tile.
  const failed = [level, answers.rate, whole].find(({ error }) => error !== null)
  return (
    <section aria-label="Key metrics">
      <Warnings answer={level} />
      {failed !== undefined && <Problem error={failed.error} onRetry={() => void failed.refetch()} />}
      <div className="tiles">
        {tiles.map((tile) => (
          <TileOf key={tile.field} tile={tile} answer={answers[tile.window]} page={page} isTrendDue={level.data !== undefined} />
        ))}
      </div>
    </section>
  )
}

/**
 * The summaries behind the tiles, each with its comparison. Levels and rates come from one call, figures of the whole range from a
 * second one.
 */
function useSummaries({ audience, windows, compareTo }: PageState): Readonly<Record<keyof Windows, AnswerQuery>> {
  const { level, rate, whole } = windows
  const summary = (query: Query) => ({ path, query: { ...audience, ...query, ...comparedTo(query, compareTo) } }) as const
  const ofLevel = summary(level.query)
  const ofWhole = summary(whole.query)
  // The summary of a day has the rates of its last full month. The day a month before may have the same one: Nov 30 for Dec 30.
  const isPaired = compareTo === 'year' || lastFullMonth(monthBefore(level.days.end)).start !== rate.days.start
  const ofRate = rate === whole ? ofWhole : isPaired ? ofLevel : summary(rate.query)
  return { level: useAnswer(ofLevel), rate: useAnswer(ofRate), whole: useAnswer(ofWhole) }
}

interface TileProps {
  readonly tile: Tile
  /** The summary of the tile's window. */
  readonly answer: AnswerQuery
  readonly page: PageState
  /** Whether the trend may be asked for. The numbers come first. */
  readonly isTrendDue: boolean
}

function TileOf({ tile, answer, page, isTrendDue }: TileProps) {
  const { field, label, to, view, window, good, defined = path } = tile
  const [isDefined, setDefined] = useState(false)
  const { data } = answer.data ?? {}
  const summary = summaryOf(data)
  const unit = unitOf(field)
  const currency = summary?.base_currency ?? ''
  const reason = summary?.unsupported.includes(field) === true ? 'Not available from this data source.' : undefined
  return (
    <div className="tile" data-field={field}>
      <Link to={to} search={{ ...lastingSearch(page.search), view }} className="tile-link">
        <span className="tile-label">{label}</span>
        <span className="tile-days">{page.windows[window].label}</span>
        {answer.data === undefined && answer.error === null && <Skeleton height={HEIGHT} />}
        {summary !== undefined && (
          <span className={answer.isPlaceholderData ? 'tile-body is-outdated' : 'tile-body'} aria-busy={answer.isPlaceholderData}>
            <span className="tile-row">
              <span className="tile-value">
                <Figure value={summary[field]} unit={unit} currency={currency} reason={reason} />
              </span>
              {isTrendDue && <Course tile={tile} page={page} />}
            </span>
            <ChangeLine
              previous={numberIn(isRow(data) ? data : undefined, `previous_${field}`)}
              change={numberIn(isRow(data) ? data : undefined, `change_${field}`)}
              unit={unit}
              good={good ?? 'up'}
              currency={currency}
              against={againstOf(window, answer, page.windows)}
              className="tile-foot"
            />
          </span>
        )}
      </Link>
      <button type="button" className="tile-help" aria-label={`Definition of ${label}`} onClick={() => setDefined(true)}>
        ?
      </button>
      {isDefined && <Definition path={defined} onClose={() => setDefined(false)} />}
    </div>
  )
}

/** The earlier days in words. A summary of one day compares the rates of the full month before. */
function againstOf(window: keyof Windows, answer: AnswerQuery, { rate, whole }: Windows): string {
  const days = answer.data?.headers.get('x-compared-with') ?? ''
  if (window !== 'rate' || rate === whole || days.includes('/')) return formatPeriodOf(days)
  const month = lastFullMonth(days)
  return formatPeriodOf(`${month.start}/${month.end}`)
}

/** The trend of a level up to the tile's day, or of a rate up to the tile's month. Other figures have no point per month. */
function Course({ tile: { course, window }, page }: { tile: Tile; page: PageState }) {
  const { audience, range, windows } = page
  const isShown = course !== undefined && (window === 'level' || windows.rate !== windows.whole)
  const question = isShown ? { path: course.path, query: { ...audience, ...range, ...course.query } } : undefined
  const answer = useAnswer(question)
  if (!isShown) return null
  const isOver = (row: Row) => String(row['period']) <= windows.rate.days.end
  const rows = rowsOf(answer.data?.data).filter((row) => window === 'level' || isOver(row))
  const last = rows.at(-1)?.['period']
  return (
    <Sparkline
      values={rows.map((row) => numberIn(row, course.field))}
      isLastRunning={last !== undefined && isRunning(String(last), 'month', answer.data?.dataThrough)}
    />
  )
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
  readonly to: '/mrr' | '/churn' | '/retention' | '/ltv' | '/trials' | '/expenses'
  /** The view to open on the page. */
  readonly view?: string
  readonly window: keyof Windows
  readonly good?: GoodDirection
  /** The path whose definition explains the metric. */
  readonly defined?: RowsPath
  readonly course?: { readonly path: RowsPath; readonly query: Query; readonly field: string }
}

const arpu = { path: '/api/metrics/ltv/arpu', query: { interval: 'month' } } as const

/** The metrics in their order. Trends with the same question share one call. */
const TILES: readonly Tile[] = [
  { field: 'mrr', defined: '/api/metrics/mrr', label: 'MRR', to: '/mrr', window: 'level', course: { ...arpu, field: 'mrr' } },
  { field: 'arr', defined: '/api/metrics/arr', label: 'ARR', to: '/mrr', window: 'level', course: { ...arpu, field: 'mrr' } },
  {
    field: 'net_new_mrr',
    label: 'Net new MRR',
    defined: '/api/metrics/mrr/waterfall',
    to: '/mrr',
    window: 'rate',
    course: { path: '/api/metrics/mrr/waterfall', query: { interval: 'month' }, field: 'net_change' },
  },
  {
    field: 'active_customers',
    label: 'Paying customers',
    to: '/mrr',
    window: 'level',
    course: { ...arpu, field: 'active_customers' },
  },
  { field: 'active_subscriptions', label: 'Paid subscriptions', to: '/mrr', window: 'level' },
  {
    field: 'arpu',
    defined: '/api/metrics/ltv/arpu',
    label: 'Revenue per customer',
    to: '/ltv',
    window: 'level',
    course: { ...arpu, field: 'arpu' },
  },
  {
    field: 'logo_churn_rate',
    label: 'Logo churn',
    defined: '/api/metrics/churn',
    to: '/churn',
    window: 'rate',
    good: 'down',
    course: { path: '/api/metrics/churn', query: { granularity: 'month' }, field: 'logo_churn_rate' },
  },
  {
    field: 'revenue_churn_rate',
    label: 'Revenue churn',
    defined: '/api/metrics/churn',
    to: '/churn',
    view: 'revenue',
    window: 'rate',
    good: 'down',
    course: { path: '/api/metrics/churn', query: { granularity: 'month', type: 'revenue' }, field: 'revenue_churn_rate' },
  },
  {
    field: 'nrr',
    label: 'Net revenue retention',
    defined: '/api/metrics/retention',
    to: '/retention',
    window: 'rate',
    course: { path: '/api/metrics/retention', query: { granularity: 'month', query_type: 'nrr' }, field: 'retention_rate' },
  },
  {
    field: 'grr',
    label: 'Gross revenue retention',
    defined: '/api/metrics/retention',
    to: '/retention',
    view: 'grr',
    window: 'rate',
    course: { path: '/api/metrics/retention', query: { granularity: 'month', query_type: 'grr' }, field: 'retention_rate' },
  },
  { field: 'ltv', label: 'Lifetime value', to: '/ltv', defined: '/api/metrics/ltv', window: 'whole' },
  {
    field: 'trial_conversion_rate',
    label: 'Trial conversion',
    to: '/trials',
    window: 'whole',
    defined: '/api/metrics/trials',
  },
  { field: 'gross_margin', label: 'Gross margin', to: '/expenses', window: 'whole' },
  { field: 'operating_margin', label: 'Operating margin', to: '/expenses', window: 'whole' },
]

/** Metrics that are shown only with accounting data. Without it they are null. */
const OF_BOOKS: readonly SummaryField[] = ['gross_margin', 'operating_margin']

const LINE_WIDTH = 84
const LINE_HEIGHT = 28

/** The trend of a metric as a small line without a scale. It ends with the tile's number, dashed while its month is not over. */
function Sparkline({ values, isLastRunning }: { values: readonly (number | null)[]; isLastRunning: boolean }) {
  const known = values.flatMap((value) => (value === null ? [] : [value]))
  if (known.length < 2) return null
  const low = Math.min(...known)
  const range = Math.max(...known) - low || 1
  const step = LINE_WIDTH / (values.length - 1)
  const points = values.map((value, place) =>
    value === null
      ? undefined
      : `${(place * step).toFixed(1)} ${(LINE_HEIGHT - ((value - low) / range) * LINE_HEIGHT).toFixed(1)}`,
  )
  const whole = isLastRunning ? points.slice(0, -1) : points
  return (
    <svg className="sparkline" viewBox={`0 0 ${LINE_WIDTH} ${LINE_HEIGHT}`} aria-hidden="true">
      <path d={pathOf(whole)} />
      {isLastRunning && <path d={pathOf(points.slice(-2))} className="is-running" />}
    </svg>
  )
}

/** A line through points, with a gap where a value is missing. */
function pathOf(points: readonly (string | undefined)[]): string {
  return points
    .map((point, place) => (point === undefined ? '' : `${place === 0 || points[place - 1] === undefined ? 'M' : 'L'}${point}`))
    .join('')
}
