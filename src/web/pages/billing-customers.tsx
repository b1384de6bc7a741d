import type { Query } from '../api/question.ts'
import { numberIn, type Row, rowsIn, textIn } from '../api/use-answer.ts'
import { formatDay } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import { inWords } from '../format/labels.ts'
import { Card } from '../parts/card.tsx'
import { NO_AMOUNT } from '../parts/table.tsx'
import type { HealthPart } from './billing-parts.tsx'

/** Most findings of a list, the largest first. Each is read with its evidence. */
const MOST = 500

interface CustomersProps {
  readonly part: HealthPart
  /** Filters and segment, as parameters of the API. */
  readonly query: Query
  readonly currency: string
}

/** One row for each customer of a part, with what is wrong, what to do and the way into the billing engine. */
export function BillingCustomers({ part, query, currency }: CustomersProps) {
  const isRisk = part.kind === 'at_risk'
  const path = isRisk ? ('/api/billing-health/notices' as const) : ('/api/billing-health/findings' as const)
  const narrowed = isRisk ? { kind: 'mrr_at_risk' } : { state: 'open' }
  return (
    <Card
      key={part.kind}
      title={part.title}
      question={{ path, query: { ...query, ...narrowed, limit: MOST } }}
      compareTo={null}
      stacks
      empty={part.empty}
      lead={!isRisk && <p className="card-note">From the {MOST} largest findings that are open.</p>}
      pick={(rows) => byCustomer(rows.filter((row) => isRisk || part.counts(row)))}
      columns={() => [
        { key: 'customer_name' },
        { key: 'work', label: 'What is wrong, and what to do', isWide: true, render: (row) => <Work customer={row} /> },
        {
          key: 'monthly',
          label: 'A month',
          isNumber: true,
          isRounded: true,
          unit: 'money',
          render: (row) => <Figure value={numberIn(row, 'monthly')} unit="money" currency={currency} reason={NO_AMOUNT} />,
        },
      ]}
    />
  )
}

/** The rows of each customer as one, the largest amount of a month first. Amounts have no sign, because a part has one direction. */
function byCustomer(rows: readonly Row[]): readonly Row[] {
  const groups = Map.groupBy(rows, (row) => `${textIn(row, 'source_id')} ${textIn(row, 'customer_id')}`)
  const customers = [...groups.values()].map((own): Row => {
    const amounts = own.flatMap((row) => numberIn(row, 'monthly_base_cents') ?? [])
    const [first = {}] = own
    return {
      customer_id: first['customer_id'],
      customer_name: first['customer_name'],
      admin_url: first['admin_url'],
      monthly: amounts.length < own.length ? null : Math.abs(amounts.reduce((sum, amount) => sum + amount, 0)),
      own,
    }
  })
  return customers.sort((one, other) => (numberIn(other, 'monthly') ?? 0) - (numberIn(one, 'monthly') ?? 0))
}

/** The work at a customer: causes, the sentence of the largest finding, and the remedies. All findings with their rows unfold. */
function Work({ customer }: { readonly customer: Row }) {
  const own = rowsIn(customer, 'own')
  const [largest = {}] = own
  const causes = [...new Set(own.map((row) => inWords(textIn(row, 'class') ?? textIn(row, 'kind') ?? '')))]
  const remedies = [...new Set(own.flatMap((row) => textIn(row, 'remedy') ?? []))]
  const url = textIn(customer, 'admin_url')
  const hasMore = own.length > 1 || rowsIn(largest, 'evidence').length > 0
  return (
    <div className="work">
      <p>
        <strong>{causes.join(', ')}.</strong> {sentenceOf(largest)}
        {own.length > 1 && <span className="muted"> And {own.length - 1} more.</span>}
      </p>
      {remedies.map((remedy) => (
        <p key={remedy} className="muted">
          {remedy}
        </p>
      ))}
      {hasMore && (
        <details>
          <summary>{own.length > 1 ? `Show all ${own.length} with their rows` : 'Show the rows'}</summary>
          {own.map((row) => (
            <Finding
              key={`${textIn(row, 'subscription_id')} ${textIn(row, 'class')} ${textIn(row, 'invoice_id')}`}
              finding={row}
            />
          ))}
        </details>
      )}
      {url !== null && (
        <a href={url} target="_blank" rel="noreferrer">
          Open in the billing engine
        </a>
      )}
    </div>
  )
}

function sentenceOf(row: Row): string {
  return (textIn(row, 'sentence') ?? '').replaceAll(/\d{4}-\d{2}-\d{2}/g, formatDay)
}

/** The sentence of a finding, with the rows of the billing database that show it. */
function Finding({ finding }: { readonly finding: Row }) {
  return (
    <>
      <p>{sentenceOf(finding)}</p>
      <ul className="bullets">
        {rowsIn(finding, 'evidence').map((row) => {
          const place = `${textIn(row, 'table')} ${numberIn(row, 'record_id') ?? textIn(row, 'id')}`
          return (
            <li key={place}>
              <code>
                {place}: {textIn(row, 'note')}
              </code>
            </li>
          )
        })}
      </ul>
    </>
  )
}
