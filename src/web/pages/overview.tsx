import { usePage, useSearchState } from '../controls/use-page.ts'
import { formatPeriod, lastDayOf, monthBefore } from '../format/days.ts'
import { Card } from '../parts/card.tsx'
import { Page } from '../parts/page.tsx'
import { SeriesCard } from '../parts/series-card.tsx'
import { BillingHealth } from './billing-health.tsx'
import { mrrOfCustomer } from './customer-drills.ts'
import { mrrDrill } from './drills.ts'
import { MovementsCard } from './movement-cards.tsx'
import { OverviewTiles } from './overview-tiles.tsx'
import { RecentMovers } from './recent-movers.tsx'
import { WhyCard } from './why-card.tsx'

const LARGEST = 8

/** The page of Monday morning: how it stands, what changed, who matters. */
export function Overview() {
  const { range, start } = useSearchState()
  const page = usePage()
  const { audience, days, today } = page
  // Unless other days were chosen, the figures are those of now.
  const end = range === undefined && start === undefined ? undefined : days.end
  const month = lastFullMonth(end ?? today)
  const monthName = formatPeriod(month.start, 'month')
  return (
    <Page title="Overview" controls={{ metric: 'mrr', hasCompare: false }}>
      <OverviewTiles end={end} />
      <BillingHealth />
      <div className="columns">
        <SeriesCard
          title="MRR"
          path="/api/metrics/mrr"
          measure="mrr"
          kind="area"
          isGrouped={false}
          isCompared={false}
          drill={(asking, period) => mrrDrill(asking, period, audience)}
        />
        <MovementsCard />
      </div>
      <div className="columns">
        <div className="stack">
          <WhyCard title={`What changed in ${monthName}`} days={month} when={monthName} audience={audience} hasMovers={false} />
          <RecentMovers />
        </div>
        <Card
          title="Largest customers"
          question={{
            path: '/api/metrics/mrr',
            query: {
              ...audience,
              at: end ?? today,
              dimensions: 'customer_id,customer_name',
              order: '-mrr',
              limit: LARGEST,
              rest: true,
            },
          }}
          columns={() => [
            { key: 'customer_name' },
            { key: 'mrr', isNumber: true, drill: (row) => mrrOfCustomer(row, end ?? today) },
          ]}
          empty="No paying customers yet."
        />
      </div>
    </Page>
  )
}

/** The last calendar month that has ended by a day. */
function lastFullMonth(day: string): { readonly start: string; readonly end: string } {
  const first = `${day.slice(0, 7)}-01`
  if (lastDayOf(first, 'month') === day) return { start: first, end: day }
  const before = `${monthBefore(first).slice(0, 7)}-01`
  return { start: before, end: lastDayOf(before, 'month') }
}
