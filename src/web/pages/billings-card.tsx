import { useRef } from 'react'
import type { Question } from '../api/question.ts'
import { useUnsupported } from '../api/resources.ts'
import { numberIn, type Row, rowsIn, textIn, useAnswer } from '../api/use-answer.ts'
import { Chart, type ChartHandle } from '../charts/chart.tsx'
import { seriesSpec } from '../charts/series.ts'
import { usePage } from '../controls/use-page.ts'
import { Figure } from '../format/figure.tsx'
import { valueLabel } from '../format/labels.ts'
import { Card, pageOf } from '../parts/card.tsx'
import { NO_AMOUNT } from '../parts/table.tsx'
import { ofRecords } from './open-invoices.tsx'

/** Charges of a page of the list. */
const PAGE = 100
const TITLE = 'Charges to come'
const MEASURE = 'amount_base_cents'

/** The charges that the billing engine will make: a bar for each month, and the charges in the order of their days. Nothing if they are not known. */
export function BillingsCard() {
  const { audience, currency } = usePage()
  const isUnsupported = useUnsupported().includes('billings')
  if (isUnsupported) return null
  const question = { path: '/api/forecast/billings', query: ofRecords(audience) } as const
  return (
    <Card
      title={TITLE}
      question={question}
      compareTo={null}
      pageRows={PAGE}
      empty="Nothing will be charged."
      lead={<Months question={question} />}
      columns={() => [
        { key: 'billed_on', label: 'Billed on' },
        { key: 'customer_name' },
        { key: 'plan_id' },
        { key: 'kind', label: 'Kind', render: (row) => valueLabel(row['kind'], 'kind') },
        { key: 'starts_on', label: 'From' },
        { key: 'ends_on', label: 'To' },
        {
          key: MEASURE,
          label: 'Amount',
          isNumber: true,
          render: (row) => <Figure value={numberIn(row, MEASURE)} unit="money" currency={currency} reason={NO_AMOUNT} />,
        },
      ]}
    />
  )
}

/** A bar for each month, by kind, in the base currency. */
function Months({ question }: { readonly question: Question }) {
  const { currency } = usePage()
  const handle = useRef<ChartHandle>(null)
  // The first page of the list has the months, too.
  const rows = byKind(rowsIn(useAnswer(pageOf(question, PAGE)).data?.data, 'months'))
  const series = { name: TITLE, measure: MEASURE, groups: ['kind'], kind: 'bars', step: 'month' } as const
  const spec = seriesSpec(rows, series, { currency, dayThrough: undefined })
  return (
    <>
      <p className="muted">
        What the billing engine charges of what is written down now, by the month of the charge. Usage is an estimate, and
        payments are not foretold.
      </p>
      {spec !== undefined && <Chart spec={spec} label={`${TITLE} by month`} handle={handle} />}
    </>
  )
}

/** The sums of months and kinds over all currencies. A sum without an exchange rate is unknown. */
function byKind(months: readonly Row[]): readonly Row[] {
  const sums = new Map<string, Row>()
  for (const row of months) {
    const [period, kind, amount] = [textIn(row, 'month'), textIn(row, 'kind'), numberIn(row, MEASURE)]
    const key = `${period} ${kind}`
    const before = sums.get(key)
    const sum = before === undefined ? 0 : numberIn(before, MEASURE)
    sums.set(key, { period, kind, is_forecast: true, [MEASURE]: sum === null || amount === null ? null : sum + amount })
  }
  return [...sums.values()]
}
