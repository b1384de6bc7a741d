import { usePage } from '../controls/use-page.ts'
import { Card } from '../parts/card.tsx'
import { groupKeys } from '../parts/drill-groups.ts'
import { Headline } from '../parts/headline.tsx'
import { Page } from '../parts/page.tsx'
import { SeriesCard } from '../parts/series-card.tsx'
import { columnsOf, drillable } from '../parts/table.tsx'
import { usageOfCustomer } from './customer-drills.ts'
import { usageDrill } from './drills.ts'
import { figureDrill } from './explore-drill.ts'

const MOST = 25
const EMPTY = 'No usage billed for this period.'

/** Billed usage by month of service. */
export function Usage() {
  const page = usePage()
  const { audience, compared, range, search } = page
  const plans = groupKeys(search, 'plan_id')
  return (
    <Page
      title="Usage"
      lead="Billed usage, by the month of consumption."
      controls={{ metric: 'usage_revenue', groupsOf: 'series' }}
    >
      <div className="headlines">
        <Headline
          label="Usage revenue"
          question={{ path: '/api/metrics/usage-revenue', query: { ...audience, ...range } }}
          field="revenue"
          drill={figureDrill('usage_revenue', page)}
        />
      </div>
      <SeriesCard
        title="Usage revenue"
        path="/api/metrics/usage-revenue/series"
        measure="revenue"
        kind="bars"
        empty={EMPTY}
        drill={(state, period) => usageDrill(state, period)}
      />
      <div className="columns">
        <Card
          title="By customer"
          question={{ path: '/api/metrics/usage-revenue/by-customer', query: { ...compared, ...range, limit: MOST } }}
          empty={EMPTY}
          columns={(rows) => drillable(columnsOf(rows), ['revenue'], (row) => usageOfCustomer(row, { ...compared, ...range }))}
        />
        <Card
          title="By plan"
          question={{
            path: '/api/metrics/usage-revenue',
            query: { ...compared, ...range, dimensions: 'plan_id', order: '-revenue' },
          }}
          empty={EMPTY}
          columns={(rows) => drillable(columnsOf(rows), ['revenue'], (row) => figureDrill('usage_revenue', page, plans, row))}
        />
      </div>
    </Page>
  )
}
