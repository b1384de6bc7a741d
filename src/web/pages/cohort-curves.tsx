import type { RefObject } from 'react'
import { Chart, type ChartHandle } from '../charts/chart.tsx'
import { colourAt } from '../charts/pivot.ts'
import { usePage } from '../controls/use-page.ts'
import { formatPeriod } from '../format/days.ts'
import { useDrill } from '../parts/drill.tsx'
import { averageDrill, cohortDrill } from './cohort-drills.ts'
import { averageOf, type Cohort } from './cohorts.ts'

const MOST_CURVES = 8

interface CohortCurvesProps {
  readonly cohorts: readonly Cohort[]
  readonly title: string
  readonly handle: RefObject<ChartHandle | null>
}

/** The share of each cohort that is active, month by month since it began; the youngest cohorts, and all together. */
export function CohortCurves({ cohorts, title, handle }: CohortCurvesProps) {
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
