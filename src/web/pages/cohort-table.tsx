import { usePage } from '../controls/use-page.ts'
import { formatPeriod } from '../format/days.ts'
import { Dash } from '../format/figure.tsx'
import { formatValue } from '../format/numbers.ts'
import { useDrill } from '../parts/drill.tsx'
import { DrillButton } from '../parts/drill-button.tsx'
import { averageDrill, cohortDrill } from './cohort-drills.ts'
import { averageOf, type Cohort, type CohortCell } from './cohorts.ts'

interface CohortTableProps {
  readonly cohorts: readonly Cohort[]
  readonly isShare: boolean
  readonly title: string
}

/** The heat map: a table whose cells are the darker the more customers are still there. */
export function CohortTable({ cohorts, isShare, title }: CohortTableProps) {
  const months = Array.from({ length: Math.max(...cohorts.map(({ cells }) => cells.length)) }, (_, since) => since)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="table-scroll" aria-label={`${title}, table`} tabIndex={0}>
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
    </section>
  )
}

/** How many a cohort began with; they are all there in its own month. */
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
  const told = `${formatPeriod(cohort.month, 'month')} cohort in ${formatPeriod(month, 'month')}: ${active} of ${cohort.size}`
  return (
    <td className={isComplete ? 'is-number' : 'is-number is-running'}>
      <button
        type="button"
        className="heat-cell"
        data-depth={Math.round((rate ?? 0) * DEPTHS)}
        title={isComplete ? told : `${told} (month in progress)`}
        onClick={() => open(cohortDrill(page, cohort.month, month))}
      >
        {text}
      </button>
    </td>
  )
}

/** What all cohorts that have come so far keep together. */
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
