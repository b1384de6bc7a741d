import { Link } from '@tanstack/react-router'
import { type ComponentProps, useState } from 'react'
import type { components } from '../../client/index.ts'
import type { Query, RowsPath } from '../api/question.ts'
import { type AnswerQuery, dayThrough, numberIn, type Row, rowsOf, useAnswer } from '../api/use-answer.ts'
import { isAhead } from '../controls/ranges.ts'
import { lastingSearch } from '../controls/search.ts'
import type { PageState } from '../controls/use-page.ts'
import { pageWindow, type Windows } from '../controls/windows.ts'
import { isOpen } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import { labelOf } from '../format/labels.ts'
import { traitsOf, unitOf } from '../format/traits.ts'
import { Definition } from '../parts/card-menu.tsx'
import { type Drill, DrillButton } from '../parts/drill.tsx'
import { ChangeLine } from '../parts/headline.tsx'
import { Problem } from '../parts/problem.tsx'
import { Skeleton } from '../parts/states.tsx'
import { GoalLine } from '../remarks/goal-line.tsx'
import { movementsOf, paidSubscriptions } from './drills.ts'
import { headlineDrill } from './explore-drill.ts'
import { figureOf } from './explore-figures.ts'

const HEIGHT = 58
export const SUMMARY = '/api/metrics/summary'

export type Summary = components['schemas']['Summary']
export type SummaryField = Exclude<
  keyof Summary,
  'as_of' | 'year_window' | 'month_window' | 'rate_window' | 'trailing_window' | 'data_through' | 'base_currency' | 'unsupported'
>

/** A tile: a metric of the summary, the page with its details, and the question for its trend. */
export interface Tile {
  readonly field: SummaryField
  readonly label: string
  readonly to: '/mrr' | '/churn' | '/retention' | '/ltv' | '/trials' | '/expenses'
  /** The view to open on the page. */
  readonly view?: string
  /** The path whose definition explains the metric. */
  readonly defined: RowsPath
  /** The question for this metric alone. It may take filters that the summary refuses. */
  readonly alone?: Part | undefined
  readonly course?: Part | undefined
}

/** A question of a tile, and the field with its numbers. */
interface Part {
  readonly path: RowsPath
  readonly query: Query
  readonly field: string
}

/** The trend of a level. Trends with the same question share one call. */
const levelCourse = (field: string) => ({ path: '/api/metrics/ltv/arpu', query: { interval: 'month' }, field }) as const

/** The metrics in their order. Each takes its label and questions from the metric in Explore, unless the tile names others. */
export const TILES: readonly Tile[] = [
  tileOf({ field: 'mrr', to: '/mrr', course: levelCourse('mrr') }),
  tileOf({ field: 'arr', to: '/mrr', course: levelCourse('mrr') }),
  tileOf({
    field: 'net_new_mrr_so_far',
    figure: 'net_new_mrr',
    label: labelOf('net_new_mrr_so_far'),
    defined: '/api/metrics/mrr/waterfall',
    to: '/mrr',
    course: { path: '/api/metrics/mrr/waterfall', query: { interval: 'month' }, field: 'net_change' },
  }),
  tileOf({ field: 'active_customers', to: '/mrr', course: levelCourse('active_customers') }),
  tileOf({ field: 'active_subscriptions', label: 'Paid subscriptions', to: '/mrr' }),
  tileOf({ field: 'arpu', to: '/ltv', course: levelCourse('arpu') }),
  tileOf({ field: 'logo_churn_rate', to: '/churn' }),
  tileOf({ field: 'revenue_churn_rate', to: '/churn', view: 'revenue' }),
  tileOf({ field: 'nrr_12_months', to: '/retention' }),
  tileOf({ field: 'grr_12_months', to: '/retention', view: 'grr' }),
  tileOf({ field: 'ltv', to: '/ltv' }),
  tileOf({ field: 'trial_conversion_rate', to: '/trials' }),
  tileOf({ field: 'gross_margin', to: '/expenses' }),
  tileOf({ field: 'operating_margin', to: '/expenses' }),
]

/** The tiles that lead the page, MRR first. The others come below. */
export const LEADING: readonly SummaryField[] = [
  'mrr',
  'net_new_mrr_so_far',
  'active_customers',
  'nrr_12_months',
  'revenue_churn_rate',
]

type OwnParts = Pick<Tile, 'field' | 'to' | 'view' | 'course'> & Partial<Pick<Tile, 'label' | 'defined'>>

/** `figure` is the field of the figure in Explore, if it is not that of the tile. */
function tileOf({ figure: name, ...tile }: OwnParts & { readonly figure?: SummaryField }): Tile {
  const figure = figureOf(name ?? tile.field)
  if (figure === undefined) return { label: labelOf(tile.field), defined: SUMMARY, ...tile }
  const { label, measure: field, total, series } = figure
  // The summary itself answers some metrics without groups.
  const path = total.alone ?? total.path
  const isAlone = path !== SUMMARY
  const hasCourse = series !== undefined && pageWindow(tile.field) === 'rate'
  return {
    label,
    defined: path,
    ...(isAlone && { alone: { path, query: total.query ?? {}, field } }),
    ...(hasCourse && { course: { path: series.path, query: { [series.stepName]: 'month', ...series.query }, field } }),
    ...tile,
  }
}

interface TileCardProps {
  readonly tile: Tile
  readonly page: PageState
  readonly answer: AnswerQuery
  /** The number and its change, as soon as there is an answer. */
  readonly shown:
    | (Pick<ComponentProps<typeof ChangeLine>, 'previous' | 'change' | 'against' | 'currency'> & {
        readonly value: number | null
        /** Why there is no number. */
        readonly reason?: string | undefined
      })
    | undefined
  /** Whether the trend may be asked for. The numbers come first. */
  readonly isTrendDue: boolean
  /** Whether the tile shows an error itself. */
  readonly hasError?: boolean
  /** Whether the rows behind the number cannot be listed. */
  readonly isAlone?: boolean
  /** Whether the page says above the tile what its number is compared with. */
  readonly isShort?: boolean
}

/** A metric with its days, its change and its trend. Its number opens the rows behind it, and the tile leads to the page with the details. */
export function TileCard(props: TileCardProps) {
  const { tile, page, answer, shown, isTrendDue, hasError = false, isAlone = false, isShort = false } = props
  const { field, label, to, view, defined } = tile
  const window = pageWindow(field)
  const [isDefined, setDefined] = useState(false)
  const unit = unitOf(field)
  const drill = isAlone ? undefined : tileDrill(field, page, page.windows[window])
  const figure = shown && <Figure value={shown.value} unit={unit} currency={shown.currency} reason={shown.reason} />
  return (
    <div className="tile" data-field={field}>
      <Link to={to} search={{ ...lastingSearch(page.search), view }} className="tile-link">
        <span className="tile-label">{label}</span>
        <span className="tile-days">{page.windows[window].label}</span>
      </Link>
      {answer.data === undefined && answer.error === null && shown === undefined && <Skeleton height={HEIGHT} />}
      {hasError && shown === undefined && answer.error !== null && (
        <Problem error={answer.error} onRetry={() => void answer.refetch()} height={HEIGHT} />
      )}
      {shown !== undefined && (
        <div className={answer.isPlaceholderData ? 'tile-body is-outdated' : 'tile-body'} aria-busy={answer.isPlaceholderData}>
          <span className="tile-row">
            <span className="tile-value">
              {drill === undefined || shown.value === null ? figure : <DrillButton drill={drill}>{figure}</DrillButton>}
            </span>
            {isTrendDue && <Course tile={tile} page={page} />}
          </span>
          <ChangeLine
            previous={shown.previous}
            change={shown.change}
            unit={unit}
            good={traitsOf(field).good ?? 'up'}
            currency={shown.currency}
            against={shown.against}
            className="tile-foot"
            isShort={isShort}
          />
          <TileGoal tile={tile} page={page} value={shown.value} currency={shown.currency} />
        </div>
      )}
      <button type="button" className="tile-help" aria-label={`Definition of ${label}`} onClick={() => setDefined(true)}>
        ?
      </button>
      {isDefined && <Definition path={defined} onClose={() => setDefined(false)} />}
    </div>
  )
}

interface TileGoalProps {
  readonly tile: Tile
  readonly page: PageState
  readonly value: number | null
  readonly currency: string
}

/** The tile's number with its goal. */
function TileGoal({ tile: { field }, page: { audience, windows }, value, currency }: TileGoalProps) {
  const figure = figureOf(field)
  if (figure === undefined) return null
  const { path, query } = figure.total
  return (
    <GoalLine
      value={value}
      field={field}
      question={{ path, query: { ...audience, ...query } }}
      measure={figure.measure}
      days={windows[pageWindow(field)].days}
      currency={currency}
      className="tile-foot"
    />
  )
}

/** The rows behind a tile in its days. Margins have a list of expenses on their page. */
function tileDrill(field: SummaryField, page: PageState, { query, days, name }: Windows[keyof Windows]): Drill | undefined {
  if (field === 'net_new_mrr_so_far') return movementsOf(query, name, page.audience)
  if (field === 'active_subscriptions') return paidSubscriptions(page.audience, { query, name })
  return headlineDrill(field, { ...page, days, level: query, range: query })
}

/** The trend of a level or of net new MRR up to the tile's day, or of a rate up to the tile's month. Other figures have no point per month. */
function Course({ tile: { field, course }, page }: { tile: Tile; page: PageState }) {
  const window = pageWindow(field)
  const { audience, range, search, windows } = page
  const isRate = window === 'rate'
  const isShown = course !== undefined && !isAhead(search) && (!isRate || windows.rate !== windows.whole)
  const question = isShown ? { path: course.path, query: { ...audience, ...range, ...course.query } } : undefined
  const answer = useAnswer(question)
  if (!isShown) return null
  const isOver = (row: Row) => String(row['period']) <= windows.rate.days.end
  const rows = rowsOf(answer.data?.data).filter((row) => !isRate || isOver(row))
  const last = rows.at(-1)?.['period']
  return (
    <Sparkline
      values={rows.map((row) => numberIn(row, course.field))}
      isLastRunning={last !== undefined && isOpen(String(last), 'month', dayThrough(answer.data))}
    />
  )
}

const LINE_WIDTH = 84
const LINE_HEIGHT = 28

/** The trend of a metric as a small line without a scale. It ends with the tile's number, dashed while its month is not over. */
export function Sparkline({ values, isLastRunning }: { values: readonly (number | null)[]; isLastRunning: boolean }) {
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
