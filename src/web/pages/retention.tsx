import { type RefObject, useRef, useState } from 'react'
import { rowsOf, useAnswer } from '../api/use-answer.ts'
import { Chart, type ChartHandle } from '../charts/chart.tsx'
import { colourAt } from '../charts/series.ts'
import { useChangeSearch, usePage } from '../controls/use-page.ts'
import { formatPeriod } from '../format/days.ts'
import { Dash } from '../format/figure.tsx'
import { formatValue } from '../format/numbers.ts'
import { CardMenu } from '../parts/card-menu.tsx'
import { ChoiceTabs } from '../parts/choice-tabs.tsx'
import { DrillButton, useDrill } from '../parts/drill.tsx'
import { Headline } from '../parts/headline.tsx'
import { Page } from '../parts/page.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { SeriesCard } from '../parts/series-card.tsx'
import { Answered, Warnings } from '../parts/states.tsx'
import { averageDrill, averageOf, type Cohort, type CohortCell, cohortDrill, cohortQuestion, cohortsOf } from './cohorts.ts'
import { retentionDrill } from './drills.ts'
import { figureDrill } from './explore-drill.ts'

const RATES = [
  { value: 'nrr', label: 'Net' },
  { value: 'grr', label: 'Gross' },
]

const path = '/api/metrics/retention'

/** Net and gross revenue retention, and customer cohorts. */
export function Retention() {
  const page = usePage()
  const { audience, range, search } = page
  const change = useChangeSearch()
  const type = search.view === 'grr' ? 'grr' : 'nrr'
  return (
    <Page
      title="Retention"
      lead="The share of revenue and customers that you keep."
      controls={{ metric: 'retention', groupsOf: type }}
    >
      <div className="headlines">
        <Headline
          label="Net revenue retention"
          question={{ path, query: { ...audience, ...range, query_type: 'nrr' } }}
          field="nrr"
          drill={figureDrill('nrr', page)}
        />
        <Headline
          label="Gross revenue retention"
          question={{ path, query: { ...audience, ...range, query_type: 'grr' } }}
          field="grr"
          drill={figureDrill('grr', page)}
        />
      </div>
      <CohortCard />
      <SeriesCard
        title={type === 'nrr' ? 'Net revenue retention' : 'Gross revenue retention'}
        path={path}
        query={{ query_type: type }}
        measure="retention_rate"
        kind="line"
        stepName="granularity"
        controls={
          <ChoiceTabs
            label="Retention type"
            value={type}
            choices={RATES}
            onChoose={(view) => change({ view }, { replace: true })}
          />
        }
        drill={(state, period) => retentionDrill(state, period, type)}
      />
    </Page>
  )
}

type Form = 'share' | 'count' | 'curves'

const FORMS: readonly { readonly value: Form; readonly label: string }[] = [
  { value: 'share', label: 'Percent' },
  { value: 'count', label: 'Customers' },
  { value: 'curves', label: 'Curves' },
]
const HEIGHT = 420
const TITLE = 'Customer retention by cohort'

/** The customers of each start month and how many are still active, as heat map or curves. */
function CohortCard() {
  const [form, setForm] = useState<Form>('share')
  const chart = useRef<ChartHandle>(null)
  const question = cohortQuestion(usePage())
  const answer = useAnswer(question)
  const cohorts = cohortsOf(rowsOf(answer.data?.data))
  return (
    <section className="card" aria-label={TITLE}>
      <header className="card-head">
        <h2>{TITLE}</h2>
        <div className="card-tools">
          <ChoiceTabs label="View" value={form} choices={FORMS} onChoose={setForm} />
          <CardMenu
            title={TITLE}
            question={question}
            png={form === 'curves' ? () => chart.current?.png() ?? Promise.resolve(null) : undefined}
          />
        </div>
      </header>
      <Warnings answer={answer} />
      <Answered answer={answer} height={HEIGHT} empty="No new paying customers in this period.">
        {form === 'curves' ? (
          <CohortCurves cohorts={cohorts} title={TITLE} handle={chart} />
        ) : (
          <CohortTable cohorts={cohorts} isShare={form === 'share'} title={TITLE} />
        )}
      </Answered>
    </section>
  )
}

const MOST_CURVES = 8

interface CohortCurvesProps {
  readonly cohorts: readonly Cohort[]
  readonly title: string
  readonly handle: RefObject<ChartHandle | null>
}

/** The active share by months since the start: for the youngest cohorts, and for all cohorts together. */
function CohortCurves({ cohorts, title, handle }: CohortCurvesProps) {
  const page = usePage()
  const { open } = useDrill()
  const longest = Math.max(...cohorts.map(({ cells }) => cells.length))
  const months = Array.from({ length: longest }, (_, since) => since)
  const shown = cohorts.filter(({ cells }) => cells.length > 1).slice(-MOST_CURVES)
  const series = [
    { name: 'All cohorts', colour: 'total' as const, values: months.map((since) => averageOf(cohorts, since)?.rate ?? null) },
    ...shown.map(({ month, cells }, place) => ({
      name: formatPeriod(month, 'month'),
      colour: colourAt(place),
      values: months.map((since) => (cells[since]?.isComplete === true ? (cells[since].rate ?? null) : null)),
    })),
  ]
  const onPick = (since: number, name: string | undefined) => {
    const cohort = shown.find(({ month }) => formatPeriod(month, 'month') === name)
    const cell = cohort?.cells[since]
    if (cohort !== undefined && cell !== undefined) return open(cohortDrill(page, cohort.month, cell.month))
    const average = averageOf(cohorts, since)
    if (average !== null) open(averageDrill(page, average))
  }
  const labels = months.map((since) => (since === 0 ? 'Month 0' : `+${since}`))
  return (
    <Chart
      spec={{ kind: 'line', labels, series, unit: 'fraction', currency: '', isLastRunning: false, onPick }}
      label={title}
      handle={handle}
    />
  )
}

interface CohortTableProps {
  readonly cohorts: readonly Cohort[]
  readonly isShare: boolean
  readonly title: string
}

/** The heat map. A cell is darker if more customers are still active. */
function CohortTable({ cohorts, isShare, title }: CohortTableProps) {
  const months = Array.from({ length: Math.max(...cohorts.map(({ cells }) => cells.length)) }, (_, since) => since)
  return (
    <ScrollArea label={`${title}, table`}>
      <table className="heat">
        <caption className="visually-hidden">{title}: one row per cohort, one column per month since start</caption>
        <thead>
          <tr>
            <th scope="col">Cohort</th>
            <th scope="col" className="is-number">
              Customers
            </th>
            {months.map((since) => (
              <th key={since} scope="col" className="is-number">
                {since === 0 ? 'Month 0' : since}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map((cohort) => (
            <tr key={cohort.month}>
              <th scope="row">{formatPeriod(cohort.month, 'month')}</th>
              <SizeCell cohort={cohort} />
              {months.map((since) => (
                <HeatCell key={since} cohort={cohort} cell={cohort.cells[since]} isShare={isShare} />
              ))}
            </tr>
          ))}
          {isShare && (
            <tr className="heat-average">
              <th scope="row">All cohorts</th>
              <td />
              {months.map((since) => (
                <AverageCell key={since} cohorts={cohorts} since={since} />
              ))}
            </tr>
          )}
        </tbody>
      </table>
    </ScrollArea>
  )
}

/** Size of a cohort. In its first month all its customers are active. */
function SizeCell({ cohort: { month, size } }: { cohort: Cohort }) {
  const page = usePage()
  return (
    <td className="is-number">
      <DrillButton drill={cohortDrill(page, month, month)}>{formatValue(size, 'count')}</DrillButton>
    </td>
  )
}

function HeatCell({ cohort, cell, isShare }: { cohort: Cohort; cell: CohortCell | undefined; isShare: boolean }) {
  const page = usePage()
  const { open } = useDrill()
  if (cell === undefined) return <td />
  const { rate, active, month, isComplete } = cell
  const text = isShare && rate !== null ? formatValue(rate, 'fraction') : formatValue(active, 'count')
  const label = `${formatPeriod(cohort.month, 'month')} cohort in ${formatPeriod(month, 'month')}: ${active} of ${cohort.size}`
  return (
    <td className={isComplete ? 'is-number' : 'is-number is-running'}>
      <button
        type="button"
        className="heat-cell"
        data-depth={Math.round((rate ?? 0) * DEPTHS)}
        title={isComplete ? label : `${label} (month in progress)`}
        onClick={() => open(cohortDrill(page, cohort.month, month))}
      >
        {text}
      </button>
    </td>
  )
}

/** The share of all cohorts that have completed a month. */
function AverageCell({ cohorts, since }: { cohorts: readonly Cohort[]; since: number }) {
  const page = usePage()
  const average = averageOf(cohorts, since)
  return (
    <td className="is-number">
      {average === null ? (
        <Dash reason="No cohort has completed this month yet." />
      ) : (
        <DrillButton drill={averageDrill(page, average)}>{formatValue(average.rate, 'fraction')}</DrillButton>
      )}
    </td>
  )
}

const DEPTHS = 10
