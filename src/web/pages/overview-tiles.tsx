import type { ReactNode } from 'react'
import type { Query } from '../api/question.ts'
import { type AnswerQuery, currencyOf, isMissingRate, isRow, numberIn, useAnswer } from '../api/use-answer.ts'
import { type PageState, useChangeSearch, usePage } from '../controls/use-page.ts'
import { earlierDays, lastFullMonth, pageWindow, type Windows } from '../controls/windows.ts'
import { formatPeriodOf, monthBefore } from '../format/days.ts'
import { comparedTo, numbersIn } from '../parts/headline.tsx'
import { Problem } from '../parts/problem.tsx'
import { SeriesCard } from '../parts/series-card.tsx'
import { namesOfFilters, type UnfitFilter, useUnfitFilters } from '../parts/unfit-filters.ts'
import { Warnings } from '../parts/warnings.tsx'
import { mrrDrill } from './drills.ts'
import { LEADING, SUMMARY, type Summary, type SummaryField, TILES, type Tile, TileCard } from './overview-tile.tsx'
import { byCurrency, usePaidSubscriptions } from './unrated.ts'

/** The summaries of the page, and what of them failed. */
function useOverview() {
  const page = usePage()
  const answers = useSummaries(page)
  // An error or warning is shown once, not in every tile.
  const failed = [answers.level, answers.rate, answers.whole].find(({ error }) => error !== null)
  const unfit = useUnfitFilters(failed?.error).filters
  return { page, answers, failed, unfit, isUnrated: isMissingRate(failed?.error) }
}

/** The five metrics that lead the page, with one comparison. All metrics, if some of them cannot be answered. */
export function LeadingTiles() {
  const { page, answers, failed, unfit, isUnrated } = useOverview()
  const { level } = answers
  if (unfit.length > 0) return <NarrowedTiles unfit={unfit} page={page} />
  if (isUnrated) return <UnratedTiles page={page} />
  const before = level.data?.headers.get('x-compared-with') ?? undefined
  const tile = (one: Tile) => {
    const window = pageWindow(one.field)
    const isShort = window !== 'rate' || page.windows.rate !== page.windows.whole
    return <SummaryTile key={one.field} tile={one} answer={answers[window]} page={page} isTrendDue={false} isShort={isShort} />
  }
  return (
    <section aria-label="Key metrics" className="stack">
      <Warnings answer={level} />
      {failed !== undefined && <Problem error={failed.error} onRetry={() => void failed.refetch()} />}
      <div className="leading">
        <MrrChart lead={TILES.slice(0, 1).map(tile)} />
        <div className="tiles is-leading">
          {LEADING.slice(1)
            .flatMap((field) => TILES.filter((one) => one.field === field))
            .map(tile)}
        </div>
      </div>
      {before !== undefined && (
        <p className="muted leading-note">
          Changes compare with {page.compareTo === 'year' ? 'a year' : 'a month'} earlier, {formatPeriodOf(before)}.
        </p>
      )}
    </section>
  )
}

/** The other metrics, each with its days, its change and its trend. Nothing if the leading tiles are all there is. */
export function FurtherTiles() {
  const { page, answers, unfit, isUnrated } = useOverview()
  const { level, whole } = answers
  const data = summaryOf(whole.data?.data)
  if (unfit.length > 0 || isUnrated) return null
  const isKnown = ({ field }: Tile) => !OF_BOOKS.includes(field) || (data !== undefined && data[field] !== null)
  return (
    <section aria-label="Further metrics">
      <div className="tiles">
        {TILES.filter((tile) => !isLeading(tile) && isKnown(tile)).map((tile) => (
          <SummaryTile
            key={tile.field}
            tile={tile}
            answer={answers[pageWindow(tile.field)]}
            page={page}
            isTrendDue={level.data !== undefined}
          />
        ))}
      </div>
    </section>
  )
}

function isLeading({ field }: Tile): boolean {
  return LEADING.includes(field)
}

/** MRR over time. `lead` is shown above the chart. */
function MrrChart({ lead }: { lead?: ReactNode }) {
  const { audience } = usePage()
  return (
    <SeriesCard
      title="MRR"
      path="/api/metrics/mrr"
      measure="mrr"
      kind="area"
      isGrouped={false}
      isCompared={false}
      empty="No MRR in this period."
      lead={lead}
      drill={(state, period) => mrrDrill(state, period, audience)}
    />
  )
}

/**
 * The summaries behind the tiles, each with its comparison. Levels and rates come from one call, figures of the whole range from a
 * second one.
 */
function useSummaries({ audience, windows, compareTo }: PageState): Readonly<Record<keyof Windows, AnswerQuery>> {
  const { level, rate, whole } = windows
  const summary = (query: Query) =>
    ({ path: SUMMARY, query: { ...audience, ...query, ...comparedTo(query, compareTo) } }) as const
  const ofLevel = summary(level.query)
  const ofWhole = summary(whole.query)
  // The summary of a day has the rates of its last full month. The day a month before may have the same one: Nov 30 for Dec 30.
  const isPaired = compareTo === 'year' || lastFullMonth(monthBefore(level.days.end)).start !== rate.days.start
  const ofRate = rate === whole ? ofWhole : isPaired ? ofLevel : summary(rate.query)
  const ofDay = useAnswer(ofLevel)
  return { level: ofDay, year: ofDay, month: ofDay, rate: useAnswer(ofRate), whole: useAnswer(ofWhole) }
}

interface TileProps {
  readonly tile: Tile
  /** The summary of the tile's window. */
  readonly answer: AnswerQuery
  readonly page: PageState
  readonly isTrendDue: boolean
  readonly isShort?: boolean
}

function SummaryTile({ tile, answer, page, isTrendDue, isShort = false }: TileProps) {
  const { field } = tile
  const { data } = answer.data ?? {}
  const row = isRow(data) ? data : undefined
  const summary = summaryOf(data)
  const shown = summary && {
    value: summary[field] ?? null,
    previous: numberIn(row, `previous_${field}`),
    change: numberIn(row, `change_${field}`),
    currency: summary.base_currency,
    against: againstOf(pageWindow(field), answer, page.windows),
    reason: summary.unsupported.includes(field) ? 'Not available from this data source.' : undefined,
  }
  return <TileCard tile={tile} page={page} answer={answer} shown={shown} isTrendDue={isTrendDue} isShort={isShort} />
}

/** The metrics that take a filter which the summary refuses, each from its own call. */
function NarrowedTiles({ unfit, page }: { unfit: readonly UnfitFilter[]; page: PageState }) {
  const change = useChangeSearch()
  const names = namesOfFilters(unfit)
  const isFit = (entry: string) => unfit.every(({ key }) => !entry.startsWith(`${key}=`))
  return (
    <section aria-label="Key metrics" className="stack">
      <p className="notice">
        The other key metrics are not shown, because they can’t be narrowed by {names}.{' '}
        <button type="button" className="link-button" onClick={() => change({ filter: page.search.filter?.filter(isFit) })}>
          {unfit.length === 1 ? `Remove the filter on ${names}` : 'Remove these filters'}
        </button>
      </p>
      <div className="tiles">
        {TILES.map((tile) => (
          <NarrowedTile key={tile.field} tile={tile} page={page} />
        ))}
      </div>
      <MrrChart />
    </section>
  )
}

const WITH_FORECAST: readonly SummaryField[] = ['mrr', 'arr']

/** The key metrics of a day after today. The others have no forecast. */
export function ForecastTiles() {
  const page = usePage()
  return (
    <section aria-label="Key metrics" className="stack">
      <p className="notice">
        Only MRR, ARR and MRR movements have a forecast. Choose a range up to today for the other key metrics.
      </p>
      <div className="tiles">
        {TILES.filter(({ field }) => WITH_FORECAST.includes(field)).map((tile) => (
          <NarrowedTile key={tile.field} tile={tile} page={page} />
        ))}
      </div>
      <MrrChart />
    </section>
  )
}

/** The metrics that need no exchange rate. The others say that they need one. */
function UnratedTiles({ page }: { page: PageState }) {
  return (
    <section aria-label="Key metrics" className="stack">
      <div className="tiles">
        {TILES.filter(({ field }) => !OF_BOOKS.includes(field)).map((tile) =>
          tile.field === 'active_subscriptions' ? (
            <SubscriptionsTile key={tile.field} tile={tile} page={page} />
          ) : (
            <NarrowedTile
              key={tile.field}
              tile={tile.field === 'active_customers' ? { ...tile, alone: CUSTOMERS_BY_CURRENCY } : tile}
              page={page}
              hasTrend={tile.field === 'logo_churn_rate'}
            />
          ),
        )}
      </div>
      <MrrChart />
    </section>
  )
}

const CUSTOMERS_BY_CURRENCY: NonNullable<Tile['alone']> = {
  path: '/api/metrics/ltv/arpu',
  query: { dimensions: 'currency' },
  field: 'active_customers',
}

/** Paid subscriptions without exchange rates. */
function SubscriptionsTile({ tile, page }: { tile: Tile; page: PageState }) {
  const answer = useAnswer(byCurrency(page))
  const value = usePaidSubscriptions(page, true)
  const shown = value === undefined ? undefined : { value, previous: null, change: null, currency: '', against: '' }
  return <TileCard tile={tile} page={page} answer={answer} shown={shown} isTrendDue={false} hasError isAlone />
}

interface NarrowedTileProps {
  readonly tile: Tile
  readonly page: PageState
  readonly hasTrend?: boolean
}

/** Nothing if the metric has no call for it alone, or if its call refuses the filter too. */
function NarrowedTile({ tile, page, hasTrend = true }: NarrowedTileProps) {
  const { alone, field } = tile
  const { audience, compareTo, windows } = page
  const { query } = windows[pageWindow(field)]
  const answer = useAnswer(
    alone && { path: alone.path, query: { ...audience, ...query, ...alone.query, ...comparedTo(query, compareTo) } },
  )
  const unfit = useUnfitFilters(answer.error)
  if (alone === undefined || unfit.isPending || unfit.filters.length > 0) return null
  const shown = answer.data && {
    ...numbersIn(answer.data.data, alone.field),
    currency: currencyOf(answer.data),
    against: formatPeriodOf(answer.data.headers.get('x-compared-with') ?? ''),
  }
  const isTrendDue = hasTrend && shown !== undefined
  const isAlone = alone === CUSTOMERS_BY_CURRENCY
  return <TileCard tile={tile} page={page} answer={answer} shown={shown} isTrendDue={isTrendDue} hasError isAlone={isAlone} />
}

/** The earlier days in words. A summary of one day compares the rates of the full month before. */
function againstOf(window: keyof Windows, answer: AnswerQuery, { rate, whole }: Windows): string {
  const days = answer.data?.headers.get('x-compared-with') ?? ''
  if (window !== 'rate' || rate === whole || days.includes('/')) return earlierDays(window, days)
  const month = lastFullMonth(days)
  return formatPeriodOf(`${month.start}/${month.end}`)
}

function summaryOf(data: unknown): Summary | undefined {
  return isRow(data) && 'as_of' in data ? (data as Summary) : undefined
}

/** Metrics that are shown only with accounting data. Without it they are null. */
const OF_BOOKS: readonly SummaryField[] = ['gross_margin', 'operating_margin']
