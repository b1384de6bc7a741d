import { numberIn, type Row, rowsOf, textIn, useAnswer } from '../api/use-answer.ts'
import { useHasScope } from '../auth/who.ts'
import type { ChartSpec } from '../charts/spec.ts'
import { formatDay } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import { valueLabel } from '../format/labels.ts'
import { ofRecords } from '../pages/open-invoices.tsx'
import { Card } from '../parts/card.tsx'
import { type Column, drillable, NO_AMOUNT } from '../parts/table.tsx'
import { ageName, monthDrill, openDrill, statementColumns, unlessEmpty } from './drills.ts'
import { DayMenu } from './menus.tsx'
import { NeedsRead } from './needs-read.tsx'
import { StatementCard } from './statement-card.tsx'
import type { Books } from './use-ledger.ts'

const PAGE = 25
const EMPTY = 'No invoice was open on this day.'
/** Movements without rows: balances of days, and what follows from two of them. */
const WITHOUT_ROWS = ['opening_receivables', 'closing_receivables', 'written_off', 'fx_difference']

/** Open balances of a day by age, by customer and by invoice, and what changed them. */
export function ReceivablesTab({ books }: { readonly books: Books }) {
  const mayRead = useHasScope('read')
  return (
    <>
      <AgesCard books={books} />
      {mayRead ? (
        <>
          <CustomersCard books={books} />
          <InvoicesCard books={books} />
        </>
      ) : (
        <NeedsRead what="Customers and their invoices" />
      )}
      <StatementCard
        title="Receivables, rolled forward"
        statement="receivables/movements"
        books={books}
        empty="Nothing changed receivables in these months."
        pick={unlessEmpty}
        columns={(rows) =>
          statementColumns(rows, (row, field) => monthDrill('movements', textIn(row, 'period') ?? '', field, books), WITHOUT_ROWS)
        }
      />
    </>
  )
}

function agesQuestion({ audience, day }: Books, dimensions?: string) {
  return { path: '/api/metrics/ledger/receivables', query: { ...audience, at: day, dimensions } } as const
}

/** Balances by days past due. A bar opens its invoices. */
function AgesCard({ books }: { readonly books: Books }) {
  const question = agesQuestion(books)
  const answer = useAnswer(question)
  const rows = rowsOf(answer.data?.data)
  const drillOf = (row: Row) => {
    const age = textIn(row, 'age') ?? ''
    return openDrill(`Invoices ${ageName(age)} on ${formatDay(books.day)}`, books.day, books, { ages: [age] })
  }
  return (
    <Card
      title="Receivables by age"
      question={question}
      compareTo={null}
      empty={EMPTY}
      controls={<DayMenu day={books.day} today={books.today} />}
      lead={<Totals rows={rows} currency={books.currency} />}
      draw={(found, { currency }) => agesSpec(found, currency)}
      columns={() =>
        drillable(
          [
            { key: 'age', label: 'Days past due' },
            { key: 'invoices', isNumber: true, totals: true },
            { key: 'balance', isNumber: true, totals: true },
            { key: 'reopened', label: 'Of it reopened', isNumber: true, totals: true },
          ],
          ['invoices', 'balance'],
          drillOf,
        )
      }
    />
  )
}

/** All balances of the day, and those past due. */
function Totals({ rows, currency }: { readonly rows: readonly Row[]; readonly currency: string }) {
  if (rows.length === 0) return null
  const sum = (some: readonly Row[]) => some.reduce((total, row) => total + (numberIn(row, 'balance') ?? 0), 0)
  const pastDue = rows.filter((row) => row['age'] !== 'current')
  return (
    <p className="ledger-totals">
      <strong>
        <Figure value={sum(rows)} unit="money" currency={currency} />
      </strong>{' '}
      receivables,{' '}
      <strong>
        <Figure value={sum(pastDue)} unit="money" currency={currency} />
      </strong>{' '}
      of it past due
    </p>
  )
}

function agesSpec(rows: readonly Row[], currency: string): ChartSpec | undefined {
  const balances = rows.map((row) => numberIn(row, 'balance') ?? 0)
  const reopened = rows.map((row) => numberIn(row, 'reopened') ?? 0)
  if (balances.every((balance) => balance === 0)) return undefined
  const others = balances.map((balance, place) => balance - (reopened[place] ?? 0))
  const series = [
    { name: 'Open', colour: 'series-1' as const, values: others },
    { name: 'Opened again by a refund or chargeback', colour: 'series-2' as const, values: reopened },
  ]
  return {
    kind: 'bars',
    labels: rows.map((row) => valueLabel(row['age'], 'age')),
    series: series.filter(({ values }) => values.some((value) => value !== 0)),
    unit: 'money',
    currency,
  }
}

/** A row for each customer with its balance of each age, the largest first. */
function CustomersCard({ books }: { readonly books: Books }) {
  return (
    <Card
      title="Receivables by customer"
      question={agesQuestion(books, 'customer_id,customer_name')}
      compareTo={null}
      empty={EMPTY}
      pick={byCustomer}
      columns={(rows) => customerColumns(rows, books)}
    />
  )
}

const TOTAL = 'total'

function byCustomer(rows: readonly Row[]): readonly Row[] {
  const customers = [...Map.groupBy(rows, (row) => textIn(row, 'customer_id')).values()]
  const lines = customers.map((own): Row => {
    const ages = own.map((row) => [textIn(row, 'age') ?? '', numberIn(row, 'balance') ?? 0] as const)
    const [first] = own
    return {
      customer_id: first?.['customer_id'],
      customer_name: first?.['customer_name'],
      ...Object.fromEntries(ages),
      [TOTAL]: ages.reduce((sum, [, balance]) => sum + balance, 0),
    }
  })
  return lines
    .filter((line) => Object.values(line).some((value) => typeof value === 'number' && value !== 0))
    .sort((one, other) => Number(other[TOTAL]) - Number(one[TOTAL]))
}

function customerColumns(rows: readonly Row[], books: Books): readonly Column[] {
  const ages = Object.keys(rows[0] ?? {}).filter((key) => !['customer_id', 'customer_name', TOTAL].includes(key))
  const columns = [
    { key: 'customer_name', isWide: true, totals: false },
    ...[...ages, TOTAL].map((key) => ({
      key,
      label: key === TOTAL ? 'Total' : valueLabel(key, 'age'),
      isNumber: true,
      unit: 'money' as const,
      totals: true,
      render: (row: Row) => (row[key] === 0 ? '' : undefined),
    })),
  ]
  return drillable(columns, [...ages, TOTAL], (customer, key) => {
    const name = textIn(customer, 'customer_name') ?? textIn(customer, 'customer_id') ?? ''
    const title = key === TOTAL ? `Open invoices of ${name}` : `Invoices of ${name} ${ageName(key)}`
    return openDrill(`${title} on ${formatDay(books.day)}`, books.day, books, {
      customer,
      ...(key !== TOTAL && { ages: [key] }),
    })
  })
}

/** The open invoices of the day, oldest first. */
function InvoicesCard({ books }: { readonly books: Books }) {
  const { audience, day, currency } = books
  return (
    <Card
      title="Open invoices"
      question={{ path: '/api/ledger/open-invoices', query: { ...ofRecords(audience), at: day } }}
      compareTo={null}
      pageRows={PAGE}
      empty={EMPTY}
      stacks
      columns={() => [
        { key: 'customer_name', isWide: true },
        { key: 'number', label: 'Invoice' },
        { key: 'issued_on', label: 'Issued' },
        { key: 'due_on', label: 'Due' },
        { key: 'days_past_due', label: 'Days past due', isNumber: true, totals: false },
        { key: 'balance_cents', label: 'Open', isNumber: true, totals: false },
        {
          key: 'balance_base_cents',
          label: `Open in ${currency}`,
          isNumber: true,
          totals: false,
          render: (row) => (
            <Figure value={numberIn(row, 'balance_base_cents')} unit="money" currency={currency} precise reason={NO_AMOUNT} />
          ),
        },
      ]}
    />
  )
}
