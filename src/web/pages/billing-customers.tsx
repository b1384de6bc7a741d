import type { Query } from '../api/question.ts'
import { numberIn, type Row, rowsIn, rowsOf, textIn, useAnswer } from '../api/use-answer.ts'
import { formatDay } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import { inWords } from '../format/labels.ts'
import { Card } from '../parts/card.tsx'
import { type Column, NO_AMOUNT, Table } from '../parts/table.tsx'
import { isNoError, MarkLine, MarkMenu, markOf } from './billing-marks.tsx'
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
  const question = { path, query: { ...query, ...narrowed, limit: MOST } }
  const ofPart = (rows: readonly Row[]) => rows.filter((row) => isRisk || part.counts(row))
  const marked = byCustomer(ofPart(rowsOf(useAnswer(question).data?.data)).filter(isNoError))
  return (
    <Card
      key={part.kind}
      title={part.title}
      question={question}
      compareTo={null}
      stacks
      empty={part.empty}
      lead={!isRisk && <p className="card-note">From the {MOST} largest findings that are open.</p>}
      pick={(rows) => byCustomer(ofPart(rows).filter((row) => !isNoError(row)))}
      columns={() => columnsIn(currency)}
      tail={marked.length > 0 && <Marked rows={marked} currency={currency} />}
    />
  )
}

/** The customers whose findings are marked as no error, folded: the sums do not have them. */
function Marked({ rows, currency }: { readonly rows: readonly Row[]; readonly currency: string }) {
  const count = rows.reduce((sum, row) => sum + rowsIn(row, 'own').length, 0)
  const title = `Marked as no error (${count})`
  return (
    <details className="marked">
      <summary>{title}</summary>
      <Table caption={title} columns={columnsIn(currency)} rows={rows} currency={currency} stacks />
    </details>
  )
}

function columnsIn(currency: string): readonly Column[] {
  return [
    { key: 'customer_name' },
    {
      key: 'work',
      label: 'What is wrong, and what to do',
      isWide: true,
      render: (row) => <Work customer={row} currency={currency} />,
    },
    {
      key: 'monthly',
      label: 'A month',
      isNumber: true,
      isRounded: true,
      unit: 'money',
      render: (row) => <Figure value={numberIn(row, 'monthly')} unit="money" currency={currency} reason={NO_AMOUNT} />,
    },
  ]
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
function Work({ customer, currency }: { readonly customer: Row; readonly currency: string }) {
  const own = rowsIn(customer, 'own')
  const [largest = {}] = own
  const causes = [...new Set(own.map((row) => inWords(textIn(row, 'class') ?? textIn(row, 'kind') ?? '')))]
  const remedies = [...new Set(own.flatMap((row) => textIn(row, 'remedy') ?? []))]
  const url = textIn(customer, 'admin_url')
  const name = textIn(customer, 'customer_name') ?? textIn(customer, 'customer_id') ?? ''
  const hasMore = own.length > 1 || rowsIn(largest, 'evidence').length > 0
  return (
    <div className="work">
      <p>
        <strong>{causes.join(', ')}.</strong> {sentenceOf(largest)}
        {own.length > 1 && <span className="muted"> And {own.length - 1} more.</span>}
      </p>
      {own.length === 1 ? <MarkLine row={largest} currency={currency} /> : <MarkCount rows={own} />}
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
              name={name}
              currency={currency}
              isMarked={own.length > 1}
            />
          ))}
        </details>
      )}
      <p className="work-links">
        {url !== null && (
          <a href={url} target="_blank" rel="noreferrer">
            Open in the billing engine
          </a>
        )}
        <MarkMenu rows={own} subject={own.length > 1 ? name : subjectOf(largest, name)} />
      </p>
    </div>
  )
}

/** The number of marked findings of a customer with several. */
function MarkCount({ rows }: { readonly rows: readonly Row[] }) {
  const marked = rows.filter((row) => markOf(row) !== null).length
  return marked === 0 ? null : (
    <p className="muted">
      {marked} of {rows.length} are marked.
    </p>
  )
}

/** A finding in a few words. */
function subjectOf(row: Row, name: string): string {
  return `${name}, ${inWords(textIn(row, 'class') ?? textIn(row, 'kind') ?? '').toLowerCase()}`
}

function sentenceOf(row: Row): string {
  return (textIn(row, 'sentence') ?? '').replaceAll(/\d{4}-\d{2}-\d{2}/g, formatDay)
}

interface FindingProps {
  readonly finding: Row
  /** Name of the customer. */
  readonly name: string
  readonly currency: string
  /** Whether it has its own mark, because it is one of several. */
  readonly isMarked: boolean
}

/** The sentence of a finding, with the rows of the billing database that show it. */
function Finding({ finding, name, currency, isMarked }: FindingProps) {
  return (
    <>
      <p>
        {sentenceOf(finding)} {isMarked && <MarkMenu rows={[finding]} subject={subjectOf(finding, name)} />}
      </p>
      {isMarked && <MarkLine row={finding} currency={currency} />}
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
