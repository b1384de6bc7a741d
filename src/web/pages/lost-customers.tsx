import { usePage } from '../controls/use-page.ts'
import { Card } from '../parts/card.tsx'

const MOST = 50

/** Who was lost in the range, or lost MRR; the largest first. */
export function LostCustomers({ type }: { type: 'logo' | 'revenue' }) {
  const { compared, range } = usePage()
  if (type === 'revenue')
    return (
      <Card
        title="MRR lost, by customer"
        question={{ path: '/api/metrics/churn/revenue-events', query: { ...compared, ...range, limit: MOST } }}
        empty="No MRR was lost by churn in this range."
      />
    )
  return (
    <Card
      title="Customers lost"
      question={{
        path: '/api/metrics/churn/customers',
        query: { ...compared, ...range, order: '-churned_at,-churned_mrr_cents', limit: MOST },
      }}
      pick={(rows) => rows.filter(({ churned_at }) => churned_at !== null)}
      columns={() => [
        { key: 'customer_name' },
        { key: 'churned_at' },
        { key: 'cancel_reason' },
        { key: 'churned_mrr_cents', isNumber: true },
        { key: 'starting_mrr_cents', isNumber: true },
      ]}
      empty="No customer was lost in this range."
    />
  )
}
