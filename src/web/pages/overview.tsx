import { currencyOf, useWhy } from '../api/use-answer.ts'
import { isAhead } from '../controls/ranges.ts'
import { usePage } from '../controls/use-page.ts'
import { AnsweredCard, Card } from '../parts/card.tsx'
import { Page } from '../parts/page.tsx'
import { Empty } from '../parts/states.tsx'
import { SetupNotice } from '../settings/setup-steps.tsx'
import { mrrOfCustomer } from './customer-drills.ts'
import { MovementsCard } from './movement-cards.tsx'
import { OpenInvoicesCard, OverdueNotice } from './open-invoices.tsx'
import { ForecastTiles, FurtherTiles, LeadingTiles } from './overview-tiles.tsx'
import { UnbilledNotice } from './unbilled-notice.tsx'
import { Movers, WhyCard } from './why-card.tsx'

const LARGEST = 8

/** Five figures first, then what changed, further figures and the largest customers. */
export function Overview() {
  const { audience, search, windows } = usePage()
  const { level, rate } = windows
  // Only MRR and its movements have a forecast.
  const isForecast = isAhead(search)
  return (
    <Page title="Overview" controls={{ metric: 'mrr', hasCompare: false }} hasForecast>
      <SetupNotice />
      {isForecast ? <ForecastTiles /> : <LeadingTiles />}
      <OverdueNotice />
      <UnbilledNotice />
      <div className="columns">
        <MovementsCard />
        {isForecast ? (
          <RecentMovers />
        ) : (
          <WhyCard
            title={`What changed ${rate.label}`}
            days={rate.query}
            when={rate.name}
            audience={audience}
            hasMovers={false}
          />
        )}
      </div>
      {!isForecast && <FurtherTiles />}
      <div className="columns">
        {!isForecast && <RecentMovers />}
        <div className="stack">
          <Card
            title="Largest customers"
            question={{
              path: '/api/metrics/mrr',
              query: {
                ...audience,
                ...level.query,
                dimensions: 'customer_id,customer_name',
                order: '-mrr',
                limit: LARGEST,
                rest: true,
              },
            }}
            columns={() => [
              { key: 'customer_name' },
              { key: 'mrr', isNumber: true, drill: (row) => mrrOfCustomer(row, level.days.end) },
            ]}
            empty="No paying customers yet."
          />
          <OpenInvoicesCard />
        </div>
      </div>
    </Page>
  )
}

const MOST_MOVERS = 8
const MOVERS_HEIGHT = 300
const MOVERS_TITLE = 'Largest movements, last 30 days'

/** The largest MRR movements of the last 30 days. The page's date range does not apply. */
function RecentMovers() {
  const { audience } = usePage()
  const { question, answer, why } = useWhy({ ...audience, range: 'last-30-days', limit: MOST_MOVERS })
  const movers = why?.movers ?? []
  return (
    <AnsweredCard title={MOVERS_TITLE} question={question} answer={answer} height={MOVERS_HEIGHT}>
      {movers.length === 0 ? (
        <Empty>No MRR movements in the last 30 days.</Empty>
      ) : (
        <Movers movers={movers} currency={currencyOf(answer.data)} />
      )}
    </AnsweredCard>
  )
}
