import { useRef, useState } from 'react'
import type { Question } from '../api/question.ts'
import { numberIn, type Row, rowsIn, textIn, useAnswer } from '../api/use-answer.ts'
import { Chart, type ChartHandle } from '../charts/chart.tsx'
import type { ChartSpec } from '../charts/spec.ts'
import { formatPeriod } from '../format/days.ts'
import { AnsweredCard, pageOf } from '../parts/card.tsx'
import { ChoiceTabs } from '../parts/choice-tabs.tsx'
import { Empty } from '../parts/states.tsx'

/** The measure of the columns. */
type Measure = 'mrr' | 'count'

const MEASURES = [
  { value: 'mrr', label: 'MRR' },
  { value: 'count', label: 'Number' },
] as const

const FIELDS = {
  mrr: { all: 'mrr_base_cents', contracts: 'contract_mrr_base_cents', unit: 'money' },
  count: { all: 'renewals', contracts: 'contracts', unit: 'count' },
} as const

const HEIGHT = 300

interface RenewalChartProps {
  readonly question: Question
  /** Rows of a page of the list, whose first page has the months, too. */
  readonly pageRows: number
  readonly currency: string
  /** Called with the first day of the clicked month. */
  readonly onPick: (month: string) => void
}

/** Renewals to come by month, contracts first. A click on a month narrows the list below to it. */
export function RenewalChart({ question, pageRows, currency, onPick }: RenewalChartProps) {
  const [measure, setMeasure] = useState<Measure>('mrr')
  const handle = useRef<ChartHandle>(null)
  const asked = pageOf(question, pageRows)
  const answer = useAnswer(asked)
  const spec = chartOf(rowsIn(answer.data?.data, 'months'), measure, currency, onPick)
  return (
    <AnsweredCard
      title="Renewals by month"
      question={asked}
      answer={answer}
      height={HEIGHT}
      controls={<ChoiceTabs label="Columns" value={measure} choices={MEASURES} onChoose={setMeasure} />}
    >
      {spec === undefined ? (
        <Empty>No subscription renews.</Empty>
      ) : (
        <Chart spec={spec} label="Renewals by month" handle={handle} />
      )}
    </AnsweredCard>
  )
}

function chartOf(
  months: readonly Row[],
  measure: Measure,
  currency: string,
  onPick: (month: string) => void,
): ChartSpec | undefined {
  const { all, contracts, unit } = FIELDS[measure]
  if (months.every((month) => month['renewals'] === 0)) return undefined
  const ofContracts = months.map((month) => (month['contracts'] === 0 ? 0 : numberIn(month, contracts)))
  const others = months.map((month, place) => {
    if (month['contracts'] === month['renewals']) return 0
    const [whole, part] = [numberIn(month, all), ofContracts[place] ?? null]
    return whole === null || part === null ? null : whole - part
  })
  const series = [
    { name: 'Contracts', colour: 'series-1' as const, values: ofContracts },
    { name: 'Monthly plans', colour: 'series-2' as const, values: others },
  ]
  return {
    kind: 'bars',
    labels: months.map((month) => formatPeriod(textIn(month, 'month') ?? '', 'month')),
    series: series.filter(({ values }) => values.some((value) => value !== 0)),
    unit,
    currency,
    onPick: (place) => onPick(textIn(months[place] ?? {}, 'month') ?? ''),
  }
}
