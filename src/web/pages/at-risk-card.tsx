import { usePage } from '../controls/use-page.ts'
import { Card } from '../parts/card.tsx'
import { atRisk, riskDrill } from './drills.ts'

/** What is lost soon: MRR of subscriptions that are cancelled and still run. */
export function AtRiskCard() {
  const { audience } = usePage()
  return (
    <Card
      title="MRR at risk"
      question={atRisk(audience, 'plan_id')}
      lead={<p className="muted">Cancelled subscriptions that are still active, as of now.</p>}
      columns={() => [{ key: 'plan_id' }, { key: 'mrr', isNumber: true, drill: (row) => riskDrill(audience, row) }]}
      empty="No cancelled subscription is still active."
    />
  )
}
