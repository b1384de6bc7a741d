import type { Query, Question } from '../api/question.ts'
import { isRow, numberIn, type Row, rowsIn, useAnswer } from '../api/use-answer.ts'
import { Figure } from '../format/figure.tsx'
import { Answered } from '../parts/states.tsx'
import { NO_AMOUNT } from '../parts/table.tsx'

/** A part of what is wrong, with its own card and its own list of customers. */
export interface HealthPart {
  readonly kind: 'not_billed' | 'too_much' | 'at_risk'
  readonly title: string
  readonly about: string
  readonly empty: string
  /** Whether a finding belongs to the part. */
  readonly counts: (finding: Row) => boolean
}

/** Agreed less billed, a month. Without an exchange rate its sign is that of the days. */
function monthlyOf(finding: Row): number {
  return (
    numberIn(finding, 'monthly_base_cents') ?? (numberIn(finding, 'agreed_cents') ?? 0) - (numberIn(finding, 'billed_cents') ?? 0)
  )
}

export const PARTS: readonly HealthPart[] = [
  {
    kind: 'not_billed',
    title: 'Not billed',
    about: 'Customers agreed to it, and no invoice has it.',
    empty: 'Everything that customers agreed to is billed.',
    counts: (finding) => monthlyOf(finding) > 0,
  },
  {
    kind: 'too_much',
    title: 'Billed too much',
    about: 'Invoices have it, and nobody agreed to it.',
    empty: 'Nothing is billed that customers did not agree to.',
    counts: (finding) => monthlyOf(finding) < 0,
  },
  {
    kind: 'at_risk',
    title: 'At risk',
    about: 'MRR of customers that are overdue, or with an invoice unpaid for more than 30 days.',
    empty: 'No paying customer is overdue.',
    counts: () => true,
  },
]

/** The sums of all lists of notices. */
export const noticeLists = (query: Query): Question => ({ path: '/api/billing-health/notices', query: { ...query, limit: 1 } })

const HEIGHT = 120

interface PartCardsProps {
  readonly query: Query
  readonly chosen: HealthPart
  readonly onChoose: (kind: HealthPart['kind']) => void
}

/** One amount: what is billed otherwise than agreed in a month. Then a card for each part, which chooses its customers. */
export function PartCards({ query, chosen, onChoose }: PartCardsProps) {
  const health = useAnswer({ path: '/api/billing-health', query: { ...query, state: 'open' } })
  const notices = useAnswer(noticeLists(query))
  const data = isRow(health.data?.data) ? health.data.data : {}
  const currency = typeof data['base_currency'] === 'string' ? data['base_currency'] : undefined
  const unbilled = numberIn(data, 'monthly_unbilled_base_cents')
  const net = numberIn(data, 'monthly_base_cents')
  const tooMuch = unbilled === null || net === null ? null : unbilled - net
  const risk = rowsIn(notices.data?.data, 'lists').find((list) => list['kind'] === 'mrr_at_risk')
  const amounts = {
    not_billed: unbilled,
    too_much: tooMuch,
    at_risk: risk === undefined ? null : numberIn(risk, 'monthly_base_cents'),
  }
  const all = unbilled === null || tooMuch === null ? null : unbilled + tooMuch
  return (
    <Answered answer={health} height={HEIGHT}>
      <p className="health-amount">
        <strong>
          <Figure value={all} unit="money" currency={currency} reason={NO_AMOUNT} />
        </strong>{' '}
        a month is billed otherwise than agreed.
      </p>
      <div className="health-parts">
        {PARTS.map(({ kind, title, about }) => (
          <button
            key={kind}
            type="button"
            className="card health-part"
            data-part={kind}
            aria-pressed={kind === chosen.kind}
            onClick={() => onChoose(kind)}
          >
            <span className="headline-label">{title}</span>
            <span className="health-value">
              <Figure value={amounts[kind]} unit="money" currency={currency} reason={NO_AMOUNT} />
              <span className="muted"> a month</span>
            </span>
            <span className="muted">{about}</span>
          </button>
        ))}
      </div>
    </Answered>
  )
}
