import { usePage } from '../controls/use-page.ts'
import { daysLater, formatDay } from '../format/days.ts'
import { Card } from '../parts/card.tsx'
import type { Drill } from '../parts/drill.tsx'
import { ofGroups } from '../parts/drill-groups.ts'
import { BY_CUSTOMER, lossDrill } from './drills.ts'

const MOST = 10

interface ChurnByProps {
  readonly type: 'logo' | 'revenue'
  readonly title: string
  /** What it is grouped by. */
  readonly by: string
}

/** What was lost of each group, the most first, against what the group had at the start. */
export function ChurnBy({ type, title, by }: ChurnByProps) {
  const { audience, days, range } = usePage()
  const [measure, part, whole] =
    type === 'logo'
      ? (['logo_churn_rate', 'churn_count', 'active_at_start'] as const)
      : (['revenue_churn_rate', 'revenue_lost', 'start_mrr'] as const)
  const lost = lossDrill(type, audience, range, 'the selected period')
  // Customers at the start stand in the list of those lost; what they paid then is a level of the day before.
  const before: Drill | undefined =
    type === 'logo' ? lost : days.start === undefined ? undefined : paidAt(daysLater(days.start, -1), audience)
  return (
    <Card
      title={title}
      question={{
        path: '/api/metrics/churn',
        query: {
          ...audience,
          ...range,
          type,
          dimensions: by,
          order: `-${part}`,
          limit: MOST,
          rest: true,
        },
      }}
      empty="No customers or MRR at the start of this period."
      columns={() => [
        { key: by },
        {
          key: measure,
          isNumber: true,
          drill: (row) => ofGroups(lost, [by], row),
        },
        {
          key: part,
          isNumber: true,
          drill: (row) => ofGroups(lost, [by], row),
        },
        {
          key: whole,
          isNumber: true,
          drill: (row) => before && ofGroups(before, [by], row),
        },
      ]}
    />
  )
}

function paidAt(day: string, audience: object): Drill {
  return {
    title: `MRR at the end of ${formatDay(day)}`,
    question: {
      path: '/api/metrics/mrr',
      query: { ...audience, at: day, dimensions: BY_CUSTOMER, order: '-mrr' },
    },
    sum: 'mrr',
  }
}
