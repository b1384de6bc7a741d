import { usePage } from '../controls/use-page.ts'
import { Card } from '../parts/card.tsx'
import { columnsOf, drilled } from '../parts/table.tsx'
import { lossOfCustomer, mrrBefore } from './customer-drills.ts'

const MOST = 50

/** Who was lost in the range, or lost MRR; the largest first. */
export function LostCustomers({ type }: { type: 'logo' | 'revenue' }) {
  const { compared, days, range } = usePage()
  if (type === 'revenue')
    return (
      <Card
        title="Churned MRR by customer"
        question={{ path: '/api/metrics/churn/revenue-events', query: { ...compared, ...range, limit: MOST } }}
        empty="No MRR churned in this period."
        columns={(rows) => drilled(columnsOf(rows), ['mrr_cents', 'events'], (row) => lossOfCustomer(row, range))}
      />
    )
  return (
    <Card
      title="Churned customers"
      question={{
        path: '/api/metrics/churn/customers',
        query: { ...compared, ...range, order: '-churned_at,-churned_mrr_cents', limit: MOST },
      }}
      pick={(rows) => rows.filter(({ churned_at }) => churned_at !== null)}
      columns={() => [
        { key: 'customer_name' },
        { key: 'churned_at' },
        { key: 'cancel_reason' },
        { key: 'churned_mrr_cents', isNumber: true, drill: (row) => lossOfCustomer(row, range) },
        { key: 'starting_mrr_cents', isNumber: true, drill: (row) => mrrBefore(row, days) },
      ]}
      empty="No customers churned in this period."
    />
  )
}
