import { usePage } from '../controls/use-page.ts'
import { Card } from '../parts/card.tsx'
import { Headline } from '../parts/headline.tsx'
import { Page } from '../parts/page.tsx'
import { SeriesCard } from '../parts/series-card.tsx'
import { usageDrill } from './drills.ts'

const MOST = 25
const EMPTY = 'No usage was billed for this range.'

/** Revenue of usage that was billed, by the month of service. */
export function Usage() {
  const { audience, compared, range } = usePage()
  return (
    <Page
      title="Usage"
      lead="Billed usage by the month in which it was consumed."
      controls={{ metric: 'usage_revenue', groupsOf: 'series' }}
    >
      <div className="headlines">
        <Headline
          label="Usage revenue"
          question={{ path: '/api/metrics/usage-revenue', query: { ...audience, ...range } }}
          field="revenue"
        />
      </div>
      <SeriesCard
        title="Usage revenue"
        path="/api/metrics/usage-revenue/series"
        measure="revenue"
        kind="bars"
        empty={EMPTY}
        drill={(asking, period) => usageDrill(asking, period)}
      />
      <div className="columns">
        <Card
          title="By customer"
          question={{ path: '/api/metrics/usage-revenue/by-customer', query: { ...compared, ...range, limit: MOST } }}
          empty={EMPTY}
        />
        <Card
          title="By plan"
          question={{
            path: '/api/metrics/usage-revenue',
            query: { ...compared, ...range, dimensions: 'plan_id', order: '-revenue' },
          }}
          empty={EMPTY}
        />
      </div>
    </Page>
  )
}
