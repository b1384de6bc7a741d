import { numberIn, type Row } from '../api/use-answer.ts'
import { useChangeSearch, usePage } from '../controls/use-page.ts'
import { formatPeriod } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import { Card } from '../parts/card.tsx'
import { ChoiceTabs } from '../parts/choice-tabs.tsx'
import { keysWith, ofGroups } from '../parts/drill-groups.ts'
import { Headline } from '../parts/headline.tsx'
import { Page } from '../parts/page.tsx'
import { SeriesCard } from '../parts/series-card.tsx'
import { columnsOf, drilled } from '../parts/table.tsx'
import { AtRiskCard } from './at-risk-card.tsx'
import { lossDrill, spanOf } from './drills.ts'
import { LostCustomers } from './lost-customers.tsx'

const TYPES = [
  { value: 'logo', label: 'Customers' },
  { value: 'revenue', label: 'Revenue' },
]

/** Customers and revenue that were lost. */
export function Churn() {
  const page = usePage()
  const { audience, compared, range, group, search } = page
  const change = useChangeSearch()
  const type = search.view === 'revenue' ? 'revenue' : 'logo'
  const measure = type === 'logo' ? 'logo_churn_rate' : 'revenue_churn_rate'
  const part = type === 'logo' ? 'churn_count' : 'revenue_lost'
  const lostDrill = (of: 'logo' | 'revenue') => lossDrill(of, audience, range, 'these days')
  const groupDrill = (groups: readonly string[]) => (row: Row) => ofGroups(lostDrill(type), groups, row)
  const reasons = keysWith(search, 'cancel_reason')
  const place = type === 'logo' ? 'customer_country' : 'plan_id'
  const whole = type === 'logo' ? 'active_at_start' : 'start_mrr'
  return (
    <Page
      title="Churn"
      lead="Customers and revenue lost, against what there was at the start."
      controls={{ metric: 'churn', groupsOf: type }}
      actions={
        <ChoiceTabs
          label="What was lost"
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
          empty="Nothing was lost in this range."
          columns={(rows) => drilled(columnsOf(rows), [measure, part], groupDrill(reasons))}
        />
        <Card
          title={type === 'logo' ? 'By country' : 'By plan'}
          question={{
            path: '/api/metrics/churn',
            query: {
              ...audience,
              ...range,
              type,
              dimensions: place,
              order: `-${part}`,
              limit: 10,
              rest: true,
            },
          }}
          columns={() => [
            { key: place },
            { key: measure, isNumber: true, drill: groupDrill([place]) },
            { key: part, isNumber: true, drill: groupDrill([place]) },
            {
              key: whole,
              isNumber: true,
              render: (row) => (
                <Figure
                  value={numberIn(row, whole)}
                  unit={type === 'logo' ? 'count' : 'money'}
                  currency={page.currency}
                  precise
                />
              ),
            },
          ]}
        />
      </div>
      <AtRiskCard />
      <LostCustomers type={type} />
    </Page>
  )
}
