import type { ReactNode } from 'react'
import type { AskedPath, Query } from '../api/question.ts'
import { type Row, textIn } from '../api/use-answer.ts'
import { isMixed, pivot } from '../charts/pivot.ts'
import type { ChartSpec } from '../charts/spec.ts'
import { type PageState, usePage } from '../controls/use-page.ts'
import { formatPeriod, isRunning } from '../format/days.ts'
import { labelOf } from '../format/labels.ts'
import { unitOf } from '../format/units.ts'
import { Card } from './card.tsx'
import { type Drill, useDrill } from './drill.tsx'
import { columnsOf } from './table.tsx'

interface SeriesCardProps {
  readonly title: string
  readonly path: AskedPath
  /** Field that is drawn. */
  readonly measure: string
  readonly kind: ChartSpec['kind']
  readonly query?: Query
  /** What the path calls the length of a period. */
  readonly stepName?: 'interval' | 'granularity'
  /** Whether it is split by what the page groups by. */
  readonly isGrouped?: boolean
  /** Whether the segments compared stand side by side. */
  readonly isCompared?: boolean
  /** Whether it is about what `query` names, whomever the page is about. */
  readonly isAlone?: boolean
  readonly empty?: ReactNode
  readonly controls?: ReactNode
  /** What a figure is made of, by its period and, where it is of a group, the row. */
  readonly drill?: (page: PageState, period: string, row: Row | undefined) => Drill | undefined
  /** Fields whose numbers lead to that. */
  readonly drilled?: readonly string[]
}

/** A figure period by period: a line, an area, bars; one for each group or segment. */
export function SeriesCard(props: SeriesCardProps) {
  const {
    title,
    path,
    measure,
    kind,
    query,
    stepName = 'interval',
    isGrouped = true,
    isCompared = true,
    isAlone = false,
    empty,
    controls,
  } = props
  const page = usePage()
  const { open } = useDrill()
  const { step } = page
  const group = isGrouped ? page.group : undefined
  const groups = [isCompared && page.search.compare_segments !== undefined ? 'segment_name' : undefined, group].flatMap(
    (key) => key ?? [],
  )
  const audience = isAlone ? {} : isCompared ? page.compared : page.audience
  const drilled = props.drilled ?? [measure]
  const drillOf = (row: Row) => {
    const period = textIn(row, 'period')
    return period === null || groups.includes('segment_name') ? undefined : props.drill?.(page, period, row)
  }
  return (
    <Card
      title={title}
      question={{ path, query: { ...audience, ...page.range, [stepName]: step, dimensions: group, ...query } }}
      step={step}
      empty={empty}
      controls={controls}
      draw={(rows, { currency, dataThrough }) => {
        const unit = unitOf(measure)
        const { periods, series, undrawn } = pivot({ rows, measure, unit, groups, name: labelOf(measure) })
        const last = periods.at(-1)
        if (last === undefined) return undefined
        const pick = props.drill
        return {
          kind: isMixed(groups) ? 'line' : kind,
          labels: periods.map((period) => formatPeriod(period, step)),
          series,
          undrawn,
          unit,
          currency,
          isLastRunning: isRunning(last, step, dataThrough),
          onPick:
            pick === undefined
              ? undefined
              : (place) => {
                  const drill = pick(page, periods[place] ?? last, undefined)
                  if (drill !== undefined) open(drill)
                },
        }
      }}
      columns={(rows) => columnsOf(rows).map((column) => (drilled.includes(column.key) ? { ...column, drill: drillOf } : column))}
    />
  )
}
