import { useRef, useState } from 'react'
import { rowsOf, useAnswer } from '../api/use-answer.ts'
import type { ChartHandle } from '../charts/chart.tsx'
import { useChangeSearch, usePage } from '../controls/use-page.ts'
import { formatPeriod } from '../format/days.ts'
import { Dash } from '../format/figure.tsx'
import { formatValue } from '../format/numbers.ts'
import { CardMenu } from '../parts/card-menu.tsx'
import { ChoiceTabs } from '../parts/choice-tabs.tsx'
import { DrillButton, useDrill } from '../parts/drill.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { Answered } from '../parts/states.tsx'
import { Warnings } from '../parts/warnings.tsx'
import { CohortCurves } from './cohort-curves.tsx'
import { averageDrill, cohortDrill, cohortQuestion, sizeDrill } from './cohort-drills.ts'
import { averageOf, type Cohort, type CohortLength, cohortsOf, nameOfCohort } from './cohorts.ts'
import { CohortMeasure } from './revenue-cohort-card.tsx'

type Form = 'share' | 'count' | 'curves'

const FORMS: readonly { readonly value: Form; readonly label: string }[] = [
  { value: 'share', label: 'Percent' },
  { value: 'count', label: 'Customers' },
  { value: 'curves', label: 'Curves' },
]
const LENGTHS: readonly { readonly value: CohortLength; readonly label: string }[] = [
  { value: 'month', label: 'Monthly' },
  { value: 'quarter', label: 'Quarterly' },
]
const HEIGHT = 420
const TITLE = 'Customer retention by cohort'

/** The customers of each start month or quarter and how many are still active, as heat map or curves. */
export function CohortCard() {
  const page = usePage()
  const change = useChangeSearch()
  const [form, setForm] = useState<Form>('share')
  const chart = useRef<ChartHandle>(null)
  const length = page.search.cohorts ?? 'month'
  const question = cohortQuestion(page, length)
  const answer = useAnswer(question)
  const cohorts = cohortsOf(rowsOf(answer.data?.data), length)
  return (
    <section className="card" aria-label={TITLE}>
      <header className="card-head">
        <h2>{TITLE}</h2>
        <div className="card-tools">
          <CohortMeasure />
          <ChoiceTabs
            label="Cohorts"
            value={length}
            choices={LENGTHS}
            onChoose={(value) => change({ cohorts: value === 'month' ? undefined : value }, { replace: true })}
          />
          <ChoiceTabs label="View" value={form} choices={FORMS} onChoose={setForm} />
          <CardMenu
            title={TITLE}
            question={question}
            png={form === 'curves' ? () => chart.current?.png() ?? Promise.resolve(null) : undefined}
          />
        </div>
      </header>
      {length === 'quarter' && (
        <p className="muted">
          A cohort is everyone who started in the quarter, counted at the end of each quarter. The API call and the downloads are
          by month.
        </p>
      )}
      <Warnings answer={answer} />
      <Answered answer={answer} height={HEIGHT} empty="No new paying customers in this period.">
        {form === 'curves' ? (
          <CohortCurves cohorts={cohorts} length={length} title={TITLE} handle={chart} />
        ) : (
          <CohortTable cohorts={cohorts} length={length} isShare={form === 'share'} />
        )}
      </Answered>
    </section>
  )
}

interface CohortTableProps {
  readonly cohorts: readonly Cohort[]
  readonly length: CohortLength
  readonly isShare: boolean
}

/** The heat map. A cell is darker if more customers are still active. */
function CohortTable({ cohorts, length, isShare }: CohortTableProps) {
  const periods = Array.from({ length: Math.max(...cohorts.map(({ cells }) => cells.length)) }, (_, since) => since)
  const first = length === 'month' ? 'Month 0' : 'Quarter 0'
  return (
    <ScrollArea label={`${TITLE}, table`}>
      <table className="heat">
        <caption className="visually-hidden">
          {TITLE}: one row per cohort, one column per {length} since start
        </caption>
        <thead>
          <tr>
            <th scope="col">Cohort</th>
            <th scope="col" className="is-number">
              Customers
            </th>
            {periods.map((since) => (
              <th key={since} scope="col" className="is-number">
                {since === 0 ? first : since}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map((cohort) => (
            <tr key={cohort.start}>
              <th scope="row">{nameOfCohort(cohort)}</th>
              <SizeCell cohort={cohort} />
              {periods.map((since) => (
                <HeatCell key={since} cohort={cohort} since={since} isShare={isShare} />
              ))}
            </tr>
          ))}
          {isShare && (
            <tr className="heat-average">
              <th scope="row">All cohorts</th>
              <td />
              {periods.map((since) => (
                <AverageCell key={since} cohorts={cohorts} since={since} />
              ))}
            </tr>
          )}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function SizeCell({ cohort }: { cohort: Cohort }) {
  const page = usePage()
  return (
    <td className="is-number">
      <DrillButton drill={sizeDrill(page, cohort)}>{formatValue(cohort.size, 'count')}</DrillButton>
    </td>
  )
}

/** Customers that were active in a period. All customers of a cohort count in its first period. */
function HeatCell({ cohort, since, isShare }: { cohort: Cohort; since: number; isShare: boolean }) {
  const page = usePage()
  const { open } = useDrill()
  const cell = cohort.cells[since]
  if (cell === undefined) return <td />
  const { rate, active, month, isComplete } = cell
  const text = isShare && rate !== null ? formatValue(rate, 'fraction') : formatValue(active, 'count')
  const label = `${nameOfCohort(cohort)} cohort in ${formatPeriod(month, 'month')}: ${active} of ${cohort.size}`
  return (
    <td className={isComplete ? 'is-number' : 'is-number is-running'}>
      <button
        type="button"
        className="heat-cell"
        data-depth={Math.round((rate ?? 0) * DEPTHS)}
        title={isComplete ? label : `${label} (${cohort.length} in progress)`}
        onClick={() => open(since === 0 ? sizeDrill(page, cohort) : cohortDrill(page, cohort, cell))}
      >
        {text}
      </button>
    </td>
  )
}

/** The share of all cohorts that have completed a period. */
function AverageCell({ cohorts, since }: { cohorts: readonly Cohort[]; since: number }) {
  const page = usePage()
  const average = averageOf(cohorts, since)
  return (
    <td className="is-number">
      {average === null ? (
        <Dash reason="No cohort has completed this period yet." />
      ) : (
        <DrillButton drill={averageDrill(page, average)}>{formatValue(average.rate, 'fraction')}</DrillButton>
      )}
    </td>
  )
}

const DEPTHS = 10
