import { currencyOf, type Row, rowsOf, useAnswer } from '../api/use-answer.ts'
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
import { revenueCohortDrill, revenueCohortQuestion } from './cohort-drills.ts'
import { averageRate, type RevenueRate, revenueCohortsOf } from './revenue-cohorts.ts'

const KEPT = [
  { value: 'customers', label: 'Customers' },
  { value: 'net', label: 'Net revenue' },
  { value: 'gross', label: 'Gross revenue' },
] as const
const TITLE = 'Revenue retention by cohort'
const HEIGHT = 420
const DEPTHS = 10

/** Chooses what the cohorts of the page show. */
export function CohortMeasure() {
  const { search } = usePage()
  const change = useChangeSearch()
  return (
    <ChoiceTabs
      label="Cohorts of"
      value={search.kept ?? 'customers'}
      choices={KEPT}
      onChoose={(value) => change({ kept: value === 'customers' ? undefined : value }, { replace: true })}
    />
  )
}

/** The MRR of each monthly cohort as a share of its MRR at the end of the first month. */
export function RevenueCohortCard({ kept }: { readonly kept: 'net' | 'gross' }) {
  const page = usePage()
  const question = revenueCohortQuestion(page)
  const answer = useAnswer(question)
  return (
    <section className="card" aria-label={TITLE}>
      <header className="card-head">
        <h2>{TITLE}</h2>
        <div className="card-tools">
          <CohortMeasure />
          <CardMenu title={TITLE} question={question} png={undefined} />
        </div>
      </header>
      <Warnings answer={answer} />
      <Answered answer={answer} height={HEIGHT} empty="No new customers in this period.">
        <RevenueTable rows={rowsOf(answer.data?.data)} rate={RATES[kept]} currency={currencyOf(answer.data)} />
      </Answered>
    </section>
  )
}

const RATES: Readonly<Record<'net' | 'gross', RevenueRate>> = { net: 'net_retention_rate', gross: 'gross_retention_rate' }

interface RevenueTableProps {
  readonly rows: readonly Row[]
  readonly rate: RevenueRate
  readonly currency: string
}

function RevenueTable({ rows, rate, currency }: RevenueTableProps) {
  const page = usePage()
  const cohorts = revenueCohortsOf(rows)
  const months = Array.from({ length: Math.max(0, ...cohorts.map(({ cells }) => cells.length)) }, (_, since) => since)
  return (
    <ScrollArea label={`${TITLE}, table`}>
      <table className="heat">
        <caption className="visually-hidden">{TITLE}: one row per cohort, one column per month since start</caption>
        <thead>
          <tr>
            <th scope="col">Cohort</th>
            <th scope="col" className="is-number">
              First MRR
            </th>
            {months.map((since) => (
              <th key={since} scope="col" className="is-number">
                {since === 0 ? 'Month 0' : since}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map(({ month, start, cells }) => (
            <tr key={month}>
              <th scope="row">{formatPeriod(month, 'month')}</th>
              <td className="is-number">
                <DrillButton drill={revenueCohortDrill(page, month, month, 'start_mrr')}>
                  {formatValue(start, 'money', { currency })}
                </DrillButton>
              </td>
              {months.map((since) => (
                <RevenueCell key={since} row={cells[since]} rate={rate} currency={currency} />
              ))}
            </tr>
          ))}
          <tr className="heat-average">
            <th scope="row">All cohorts</th>
            <td />
            {months.map((since) => (
              <AverageCell key={since} average={averageRate(cohorts, since, rate)} />
            ))}
          </tr>
        </tbody>
      </table>
    </ScrollArea>
  )
}

/** A cell of the heat map. It opens the MRR of each customer. */
function RevenueCell({ row, rate, currency }: { readonly row: Row | undefined } & Omit<RevenueTableProps, 'rows'>) {
  const page = usePage()
  const { open } = useDrill()
  if (row === undefined) return <td />
  const share = row[rate]
  const isComplete = row['is_complete'] === true
  const money = (name: string) => formatValue(Number(row[name]), 'money', { currency })
  const [cohort, month] = [String(row['cohort_month']), String(row['active_month'])]
  const named = `${formatPeriod(cohort, 'month')} cohort in ${formatPeriod(month, 'month')}: MRR ${money('mrr')}, at first ${money('start_mrr')}`
  return (
    <td className={isComplete ? 'is-number' : 'is-number is-running'}>
      <button
        type="button"
        className="heat-cell"
        data-depth={typeof share === 'number' ? Math.round(Math.min(1, share) * DEPTHS) : 0}
        title={isComplete ? named : `${named} (month in progress)`}
        onClick={() => open(revenueCohortDrill(page, cohort, month, 'mrr'))}
      >
        {typeof share === 'number' ? formatValue(share, 'fraction') : '–'}
      </button>
    </td>
  )
}

function AverageCell({ average }: { readonly average: number | null }) {
  return (
    <td className="is-number">
      {average === null ? <Dash reason="No cohort with MRR has completed this month yet." /> : formatValue(average, 'fraction')}
    </td>
  )
}
