import type { Row } from '../api/use-answer.ts'
import { useChangeSearch, usePage } from '../controls/use-page.ts'
import { formatPeriod } from '../format/days.ts'
import { Card } from '../parts/card.tsx'
import { ChoiceTabs } from '../parts/choice-tabs.tsx'
import { keysWith, ofGroups } from '../parts/drill-groups.ts'
import { Headline } from '../parts/headline.tsx'
import { Page } from '../parts/page.tsx'
import { SeriesCard } from '../parts/series-card.tsx'
import { columnsOf, drilled } from '../parts/table.tsx'
import { AtRiskCard } from './at-risk-card.tsx'
import { ChurnBy } from './churn-by.tsx'
import { lossDrill, spanOf } from './drills.ts'
import { LostCustomers } from './lost-customers.tsx'

const TYPES = [
  { value: 'logo', label: 'Customers' },
  { value: 'revenue', label: 'Revenue' },
]

const COUNTRY = { by: 'customer_country', title: 'By country' }
const TENURE = { by: 'tenure_months', title: 'By tenure' }

/** No customers are lost by plan: one with two plans would count twice. */
const PLACES = { logo: [COUNTRY, TENURE], revenue: [{ by: 'plan_id', title: 'By plan' }, COUNTRY, TENURE] }

/** Customers and revenue that were lost. */
export function Churn() {
  const page = usePage()
  const { audience, compared, range, group, search } = page
  const change = useChangeSearch()
  const type = search.view === 'revenue' ? 'revenue' : 'logo'
  const measure = type === 'logo' ? 'logo_churn_rate' : 'revenue_churn_rate'
  const part = type === 'logo' ? 'churn_count' : 'revenue_lost'
  const lostDrill = (of: 'logo' | 'revenue') => lossDrill(of, audience, range, 'the selected period')
  const groupDrill = (groups: readonly string[]) => (row: Row) => ofGroups(lostDrill(type), groups, row)
  const reasons = keysWith(search, 'cancel_reason')
  return (
    <Page
      title="Churn"
      lead="Customers and MRR lost, as a share of the start of the period."
      controls={{ metric: 'churn', groupsOf: type }}
      actions={
        <ChoiceTabs
          label="Churn type"
          value={type}
          choices={TYPES}
          onChoose={(view) => change({ view, dimensions: undefined })}
        />
      }
    >
      <div className="headlines">
        <Headline
          label="Logo churn"
          question={{ path: '/api/metrics/churn', query: { ...audience, ...range } }}
          field="logo_churn_rate"
          good="down"
          drill={lostDrill('logo')}
        />
        <Headline
          label="Revenue churn"
          question={{ path: '/api/metrics/churn', query: { ...audience, ...range, type: 'revenue' } }}
          field="revenue_churn_rate"
          good="down"
          drill={lostDrill('revenue')}
        />
      </div>
      <SeriesCard
        title={type === 'logo' ? 'Logo churn' : 'Revenue churn'}
        path="/api/metrics/churn"
        query={{ type }}
        measure={measure}
        kind={group === undefined ? 'bars' : 'line'}
        stepName="granularity"
        drilled={[measure, part]}
        drill={(asking, period) =>
          lossDrill(type, asking.audience, spanOf(period, asking.step, asking.days), formatPeriod(period, asking.step))
        }
      />
      <div className="columns">
        <Card
          title="By reason"
          question={{
            path: '/api/metrics/churn',
            query: { ...compared, ...range, type, dimensions: 'cancel_reason', order: `-${part}` },
          }}
          empty="No churn in this period."
          columns={(rows) => {
            const columns = drilled(columnsOf(rows), [measure, part], groupDrill(reasons))
            // What was there at the start is the same for all reasons.
            return type === 'logo' ? drilled(columns, ['active_at_start'], () => lostDrill(type)) : columns
          }}
        />
        {PLACES[type].map(({ by, title }) => (
          <ChurnBy key={by} type={type} by={by} title={title} />
        ))}
      </div>
      <AtRiskCard />
      <LostCustomers type={type} />
    </Page>
  )
}
