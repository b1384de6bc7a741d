import { Link } from '@tanstack/react-router'
import { isRow, numberIn, rowsOf, useAnswer } from '../api/use-answer.ts'
import { kept } from '../controls/search.ts'
import { type PageState, usePage } from '../controls/use-page.ts'
import { formatDay, formatPeriod, monthBefore } from '../format/days.ts'
import { Change, Figure } from '../format/figure.tsx'
import { unitOf } from '../format/units.ts'
import { Sparkline } from '../parts/sparkline.tsx'
import { Answered, Skeleton, Warnings } from '../parts/states.tsx'
import { OF_BOOKS, type Summary, TILES, type Tile } from './overview-figures.ts'

const HEIGHT = 58

/** The headline figures, each with its change against a month before and its course. */
export function OverviewTiles({ end }: { end: string | undefined }) {
  const page = usePage()
  const path = '/api/metrics/summary'
  const asked = useAnswer({ path, query: { ...page.audience, end } })
  const summary = summaryOf(asked.data?.data)
  const before = useAnswer(
    summary === undefined ? undefined : { path, query: { ...page.audience, end: monthBefore(summary.as_of) } },
  )
  const earlier = summaryOf(before.data?.data)
  const tiles = TILES.filter(({ field }) => !OF_BOOKS.includes(field) || (summary !== undefined && summary[field] !== null))
  return (
    <section aria-label="Key metrics">
      <Warnings asked={asked} />
      {asked.isPending ? (
        <TilesToCome />
      ) : (
        <Answered asked={asked} height={HEIGHT}>
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

/** As many tiles as there will be, so that nothing below them moves when they come. */
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
    <Link to={to} search={{ ...kept(page.search), view }} className="tile" data-field={field}>
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
  const asked = useAnswer(course === undefined ? undefined : { path: course.path, query })
  if (course === undefined) return null
  return <Sparkline values={rowsOf(asked.data?.data).map((row) => numberIn(row, course.field))} />
}

function windowText(summary: Summary, window: Tile['window']): string {
  if (window === 'day') return `on ${formatDay(summary.as_of)}`
  return window === 'rate' ? `in ${formatPeriod(summary.rate_window.start, 'month')}` : 'last 365 days'
}

function summaryOf(data: unknown): Summary | undefined {
  return isRow(data) && 'as_of' in data ? (data as Summary) : undefined
}
