import { withinSentence } from '../../core/label.ts'
import type { Row } from '../api/use-answer.ts'
import { usePage } from '../controls/use-page.ts'
import { labelOf } from '../format/labels.ts'
import { Card } from '../parts/card.tsx'
import { groupKeys } from '../parts/drill-groups.ts'
import { Headline } from '../parts/headline.tsx'
import { Page } from '../parts/page.tsx'
import { SeriesCard } from '../parts/series-card.tsx'
import { paidByCohort } from './customer-drills.ts'
import { arpuDrill } from './drills.ts'
import { figureDrill } from './explore-drill.ts'

const COHORTS =
  'A cohort is the customers whose first MRR was in that month. In Retention a cohort starts with the first active subscription, which may be free, so sizes can differ.'

/** Monthly revenue per customer, and the value of a customer over its lifetime. */
export function Ltv() {
  const page = usePage()
  const { audience, compared, range, level, group, search } = page
  const by = group ?? 'customer_country'
  const groups = groupKeys(search, by)
  const paid = (field: string) => (row: Row) => paidByCohort({ ...compared, ...range }, row, field)
  return (
    <Page
      title="LTV"
      lead="Monthly revenue per customer, and the value of a customer over its lifetime."
      controls={{ metric: 'ltv', groupsOf: 'arpu' }}
    >
      <div className="headlines">
        <Headline
          label="Lifetime value"
          question={{ path: '/api/metrics/ltv', query: { ...audience, ...range } }}
          field="ltv"
          reason="No customers churned in this period, so there is no churn rate to divide by."
          drill={figureDrill('ltv', page)}
        />
        <Headline
          label="Revenue per customer"
          question={{ path: '/api/metrics/ltv/arpu', query: { ...audience, ...level } }}
          field="arpu"
          drill={figureDrill('arpu', page)}
        />
      </div>
      <SeriesCard
        title="Revenue per customer"
        path="/api/metrics/ltv/arpu"
        measure="arpu"
        kind="line"
        drillable={['arpu', 'mrr', 'active_customers']}
        drill={arpuDrill}
      />
      <div className="columns">
        <Card
          metric="Lifetime value"
          title={`Lifetime value by ${group === undefined ? 'country' : withinSentence(labelOf(group))}`}
          question={{
            path: '/api/metrics/ltv',
            query: { ...compared, ...range, dimensions: by, order: '-ltv', limit: 12 },
          }}
          columns={() => [
            { key: by },
            { key: 'ltv', isNumber: true, drill: (row) => figureDrill('ltv', page, groups, row) },
            { key: 'arpu', isNumber: true, drill: (row) => figureDrill('ltv', page, groups, row) },
            {
              key: 'logo_churn_rate',
              isNumber: true,
              label: 'Monthly churn',
              drill: (row) => figureDrill('ltv', page, groups, row),
            },
          ]}
        />
        <Card
          title="Revenue by cohort"
          question={{ path: '/api/metrics/ltv/cohort', query: { ...compared, ...range } }}
          lead={<p className="muted">{COHORTS}</p>}
          columns={() => [
            { key: 'cohort_month', label: 'Cohort' },
            { key: 'customer_count', label: 'Customers', isNumber: true, drill: paid('customer_count') },
            { key: 'total_revenue', isNumber: true, drill: paid('total_revenue') },
            { key: 'avg_revenue_per_customer', isNumber: true, drill: paid('avg_revenue_per_customer') },
          ]}
        />
      </div>
    </Page>
  )
}
