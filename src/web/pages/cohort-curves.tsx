import { type RefObject, useState } from 'react'
import { Chart, type ChartHandle } from '../charts/chart.tsx'
import { colourAt } from '../charts/series.ts'
import type { ChartSeries } from '../charts/spec.ts'
import { usePage } from '../controls/use-page.ts'
import { useDrill } from '../parts/drill.tsx'
import { averageDrill, cohortDrill, sizeDrill } from './cohort-drills.ts'
import { averageOf, type Cohort, type CohortLength, nameOfCohort } from './cohorts.ts'

/** Most cohorts with a colour. The others are grey. */
const MOST_COLOURS = 8

interface CohortCurvesProps {
  readonly cohorts: readonly Cohort[]
  readonly length: CohortLength
  readonly title: string
  readonly handle: RefObject<ChartHandle | null>
}

/** The active share by periods since the start, for every cohort and for all together. Buttons choose the coloured cohorts. */
export function CohortCurves({ cohorts: all, length, title, handle }: CohortCurvesProps) {
  const page = usePage()
  const { open } = useDrill()
  const [later, setLater] = useState(0)
  const cohorts = all.filter(({ cells }) => cells.some((cell) => cell?.isComplete === true))
  const periods = Array.from({ length: Math.max(...all.map(({ cells }) => cells.length)) }, (_, since) => since)
  const end = Math.max(cohorts.length - later, Math.min(MOST_COLOURS, cohorts.length))
  const begin = Math.max(0, end - MOST_COLOURS)
  const curve = (cohort: Cohort) => ({
    name: nameOfCohort(cohort),
    values: periods.map((since) => (cohort.cells[since]?.isComplete === true ? cohort.cells[since].rate : null)),
  })
  const series: ChartSeries[] = [
    ...[...cohorts.slice(0, begin), ...cohorts.slice(end)].map((cohort) => ({
      ...curve(cohort),
      colour: 'movement-other' as const,
      isFaint: true,
    })),
    { name: 'All cohorts', colour: 'total', values: periods.map((since) => averageOf(cohorts, since)?.rate ?? null) },
    ...cohorts.slice(begin, end).map((cohort, place) => ({ ...curve(cohort), colour: colourAt(place) })),
  ]
  const onPick = (since: number, name: string | undefined) => {
    const cohort = cohorts.find((one) => nameOfCohort(one) === name)
    const cell = cohort?.cells[since]
    if (cohort !== undefined && cell !== undefined)
      return open(since === 0 ? sizeDrill(page, cohort) : cohortDrill(page, cohort, cell))
    const average = averageOf(cohorts, since)
    if (average !== null) open(averageDrill(page, average))
  }
  const first = length === 'month' ? 'Month 0' : 'Quarter 0'
  const labels = periods.map((since) => (since === 0 ? first : `+${since}`))
  return (
    <>
      {cohorts.length > MOST_COLOURS && (
        <p className="muted curve-choice">
          {end - begin} of {cohorts.length} cohorts in colour, the others in grey.{' '}
          <button type="button" className="button" disabled={begin === 0} onClick={() => setLater(cohorts.length - begin)}>
            Earlier
          </button>{' '}
          <button
            type="button"
            className="button"
            disabled={end === cohorts.length}
            onClick={() => setLater(Math.max(0, cohorts.length - end - MOST_COLOURS))}
          >
            Later
          </button>
        </p>
      )}
      <Chart spec={{ kind: 'line', labels, series, unit: 'fraction', currency: '', onPick }} label={title} handle={handle} />
    </>
  )
}
