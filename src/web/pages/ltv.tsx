import { usePage } from '../controls/use-page.ts'
import { Card } from '../parts/card.tsx'
import { Headline } from '../parts/headline.tsx'
import { Page } from '../parts/page.tsx'
import { SeriesCard } from '../parts/series-card.tsx'
import { mrrDrill, within } from './drills.ts'

/** What a customer pays a month, and what it is worth until it leaves. */
export function Ltv() {
  const { audience, compared, range, days, group } = usePage()
  return (
    <Page
      title="LTV"
      lead="What a customer pays a month, and what it is worth until it leaves."
      controls={{ metric: 'ltv', groupsOf: 'arpu' }}
    >
      <div className="headlines">
        <Headline
          label="Lifetime value"
          question={{ path: '/api/metrics/ltv', query: { ...audience, ...range } }}
          field="ltv"
          reason="No customer was lost in this range, so there is no rate to divide by."
        />
        <Headline
          label="Revenue per customer"
          question={{ path: '/api/metrics/ltv/arpu', query: { ...audience, at: days.end } }}
          field="arpu"
        />
      </div>
      <SeriesCard
        title="Revenue per customer"
        path="/api/metrics/ltv/arpu"
        measure="arpu"
        kind="line"
        drilled={['arpu', 'mrr', 'active_customers']}
        drill={(asking, period, row) => {
          const narrowed = within(audience, row === undefined ? undefined : group, group === undefined ? undefined : row?.[group])
          return narrowed === undefined ? undefined : mrrDrill(asking, period, narrowed)
        }}
      />
      <div className="columns">
        <Card
          title="Lifetime value by country"
          question={{
            path: '/api/metrics/ltv',
            query: { ...compared, ...range, dimensions: 'customer_country', order: '-ltv', limit: 12 },
          }}
          columns={() => [
            { key: 'customer_country' },
            { key: 'ltv', isNumber: true },
            { key: 'arpu', isNumber: true },
            { key: 'logo_churn_rate', isNumber: true, label: 'Monthly churn' },
          ]}
        />
        <Card
          title="Paid by each cohort in these days"
          question={{ path: '/api/metrics/ltv/cohort', query: { ...compared, ...range } }}
          columns={() => [
            { key: 'cohort_month', label: 'Cohort' },
            { key: 'customer_count', label: 'Customers', isNumber: true },
            { key: 'total_revenue', isNumber: true },
            { key: 'avg_revenue_per_customer', isNumber: true },
          ]}
        />
      </div>
    </Page>
  )
}
