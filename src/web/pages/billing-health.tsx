import { useState } from 'react'
import { type Question, withParams } from '../api/question.ts'
import { useUnsupported } from '../api/resources.ts'
import { isRow, numberIn, type Row, rowsIn, rowsOf, textIn, useAnswer } from '../api/use-answer.ts'
import { useChangeSearch, usePage } from '../controls/use-page.ts'
import { formatDay } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import { inWords } from '../format/labels.ts'
import { formatValue } from '../format/numbers.ts'
import { Card, pageOf } from '../parts/card.tsx'
import { Page } from '../parts/page.tsx'
import { Answered } from '../parts/states.tsx'
import { type Column, NO_AMOUNT, Table } from '../parts/table.tsx'
import { BillingCustomers } from './billing-customers.tsx'
import { MarkLine, MarkMenu } from './billing-marks.tsx'
import { type HealthPart, noticeLists, PARTS, PartCards } from './billing-parts.tsx'
import { ofRecords } from './open-invoices.tsx'

/** Rows of a page of a list. */
const PAGE = 50
/** Most marked notices that are shown. */
const MOST = 500
/** Height of a list that is on its way. */
const HEIGHT = 120
const [FIRST] = PARTS as [HealthPart, ...HealthPart[]]
const EMPTY = 'Every day is billed as agreed.'

/**
 * Amounts billed otherwise than agreed: one sum, three parts with their customers, then the causes and everything else that needs a look. Without
 * charges by day, only the latter.
 */
export function BillingHealth() {
  const { audience, currency, search } = usePage()
  const change = useChangeSearch()
  const query = ofRecords(audience)
  const part = PARTS.find(({ kind }) => kind === search.view) ?? FIRST
  const comparesDays = !useUnsupported().includes('billing_health')
  if (!comparesDays)
    return (
      <Page
        title="Billing health"
        lead="Whatever about billing needs a look. This data source has no charges by day, so what customers agreed to is not compared with what is billed."
      >
        <Notices />
      </Page>
    )
  return (
    <Page
      title="Billing health"
      lead="What customers agreed to, compared with what is billed, over the last 90 days up to yesterday. A remedy looks before it charges, credits or ends anything."
    >
      <section aria-label="Amounts of a month" className="stack">
        <PartCards query={query} chosen={part} onChoose={(view) => change({ view }, { replace: true })} />
      </section>
      <BillingCustomers part={part} query={query} currency={currency} />
      <Card
        title="Differences by cause"
        question={{ path: '/api/billing-health', query }}
        compareTo={null}
        empty={EMPTY}
        lead={<Days />}
        pick={classesIn}
        columns={() => [
          { key: 'class', label: 'Cause', render: causeOf },
          { key: 'findings', isNumber: true },
          { key: 'customers', isNumber: true, totals: false },
          { key: 'days', isNumber: true },
          amountColumn('difference_base_cents', 'Agreed less billed', currency),
          amountColumn('monthly_base_cents', 'A month from now on', currency),
        ]}
      />
      <Notices />
    </Page>
  )
}

/** The number of days that are billed as agreed, and of those whose service has stopped because the customer is overdue. */
function Days() {
  const { audience, currency } = usePage()
  const answer = useAnswer({ path: '/api/billing-health', query: ofRecords(audience) })
  const data = answer.data?.data
  if (!isRow(data)) return null
  const healthy = formatValue(Number(data['healthy_days']), 'count')
  const all = formatValue(Number(data['subscription_days']), 'count')
  const overdue = Number(data['overdue_block_days'])
  const marked = isRow(data['marked']) ? data['marked'] : {}
  const noError = Number(marked['findings'] ?? 0)
  return (
    <>
      <p className="muted">
        {healthy} of {all} days of subscriptions are billed as agreed.
      </p>
      {noError > 0 && (
        <p className="muted">
          Marked as no error: {formatValue(noError, 'count')}, with{' '}
          <Figure value={numberIn(marked, 'at_stake_base_cents')} unit="money" currency={currency} reason={NO_AMOUNT} /> at stake.
          No other sum has them.
        </p>
      )}
      {overdue > 0 && (
        <p className="muted">
          {formatValue(overdue, 'count')} days were billed in advance to overdue customers whose service has stopped:{' '}
          <Figure value={numberIn(data, 'overdue_block_base_cents')} unit="money" currency={currency} reason={NO_AMOUNT} />. No
          other sum has them.
        </p>
      )}
    </>
  )
}

/** The sentence of a notice, with its remedy and its mark. */
function Explanation({ notice }: { readonly notice: Row }) {
  const { currency } = usePage()
  const name = textIn(notice, 'customer_name') ?? textIn(notice, 'customer_id') ?? ''
  return (
    <div className="work">
      <details>
        <summary>{(textIn(notice, 'sentence') ?? '').replaceAll(/\d{4}-\d{2}-\d{2}/g, formatDay)}</summary>
        <p>{textIn(notice, 'remedy')}</p>
        <MarkMenu rows={[notice]} subject={`${name}, ${kindOf(notice).toLowerCase()}`} />
      </details>
      <MarkLine row={notice} currency={currency} />
    </div>
  )
}

/** Everything else that needs a look: the sums of the lists, and the rows with the largest amounts. */
function Notices() {
  const { audience, currency } = usePage()
  const query = ofRecords(audience)
  const lists = rowsIn(useAnswer(noticeLists(query)).data?.data, 'lists')
  const marked = lists.reduce((sum, { marked: of }) => sum + (isRow(of) ? (numberIn(of, 'count') ?? 0) : 0), 0)
  const all = { path: '/api/billing-health/notices', query } as const
  const question = marked === 0 ? all : withParams(all, { mark: ['none', 'seen'] })
  return (
    <Card
      title="What else needs a look"
      tail={marked > 0 && <MarkedNotices question={withParams(all, { mark: 'no_error', limit: MOST })} count={marked} />}
      question={question}
      compareTo={null}
      pageRows={PAGE}
      empty="Nothing needs a look."
      stacks
      lead={<Lists question={question} />}
      columns={() => noticeColumns(currency)}
    />
  )
}

function noticeColumns(currency: string | undefined): readonly Column[] {
  return [
    { key: 'customer_name' },
    { key: 'kind', render: kindOf },
    { key: 'since' },
    amountColumn('amount_base_cents', 'Open amount', currency),
    amountColumn('monthly_base_cents', 'A month', currency),
    { key: 'sentence', label: 'Explanation', isWide: true, render: (row) => <Explanation notice={row} /> },
  ]
}

interface MarkedNoticesProps {
  readonly question: Question
  readonly count: number
}

/** The notices that are marked as no error, folded: the sums do not have them. */
function MarkedNotices({ question, count }: MarkedNoticesProps) {
  const { currency } = usePage()
  const [isOpen, setOpen] = useState(false)
  const title = `Marked as no error (${count})`
  const answer = useAnswer(isOpen ? question : undefined)
  return (
    <details className="marked" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && (
        <Answered answer={answer} height={HEIGHT}>
          <Table
            caption={title}
            columns={noticeColumns(currency)}
            rows={rowsOf(answer.data?.data)}
            currency={currency ?? ''}
            stacks
          />
        </Answered>
      )}
    </details>
  )
}

/** The lists that have rows, each with its meaning and its number of rows. */
function Lists({ question }: { readonly question: Question }) {
  // The first page of the list has the sums, too.
  const data = useAnswer(pageOf(question, PAGE)).data?.data
  const found = rowsIn(data, 'lists').filter((list) => list['count'] !== 0)
  return (
    <details className="card-note">
      <summary>
        {found
          .map((list) => `${kindOf(list)}: ${list['count'] === null ? 'not known' : formatValue(Number(list['count']), 'count')}`)
          .join(' · ')}
      </summary>
      <ul className="bullets">
        {found.map((list) => (
          <li key={textIn(list, 'kind')}>
            {kindOf(list)}: {textIn(list, 'description')}
          </li>
        ))}
      </ul>
    </details>
  )
}

function kindOf(row: Row): string {
  return inWords(textIn(row, 'kind') ?? '')
}

function classesIn(rows: readonly Row[]): readonly Row[] {
  return rows.flatMap((row) => rowsIn(row, 'classes'))
}

function causeOf(row: Row): string {
  return inWords(textIn(row, 'class') ?? '')
}

function amountColumn(key: string, label: string, currency: string | undefined): Column {
  return {
    key,
    label,
    isNumber: true,
    isRounded: true,
    render: (row) => <Figure value={numberIn(row, key)} unit="money" currency={currency} reason={NO_AMOUNT} />,
  }
}
