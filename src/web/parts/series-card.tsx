import type { ReactNode } from 'react'
import type { Query, RowsPath } from '../api/question.ts'
import { type Row, textIn } from '../api/use-answer.ts'
import { seriesSpec } from '../charts/series.ts'
import type { ChartSpec } from '../charts/spec.ts'
import { type PageState, usePage } from '../controls/use-page.ts'
import { labelOf } from '../format/labels.ts'
import { Card } from './card.tsx'
import { type Drill, useDrill } from './drill.tsx'
import { groupKeys, narrowToGroups } from './drill-groups.ts'
import { columnsOf, drillable } from './table.tsx'

interface SeriesCardProps {
  readonly title: string
  readonly path: RowsPath
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
  /** What the figure of a period is made of; that of a group is narrowed to it. */
  readonly drill?: (page: PageState, period: string) => Drill
  /** Fields whose numbers lead to that. */
  readonly drillable?: readonly string[]
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
    drill,
  } = props
  const page = usePage()
  const { open } = useDrill()
  const { step } = page
  const group = isGrouped ? page.group : undefined
  const groups = groupKeys(isCompared ? page.search : {}, ...(group === undefined ? [] : [group]))
  const audience = isAlone ? {} : isCompared ? page.compared : page.audience
  const drillOf = (row: Row) => {
    const period = textIn(row, 'period')
    return period === null || drill === undefined ? undefined : narrowToGroups(drill(page, period), groups, row)
  }
  const pick = (period: string, row: Row | undefined) => {
    if (drill !== undefined) open(narrowToGroups(drill(page, period), groups, row))
  }
  return (
    <Card
      title={title}
      question={{ path, query: { ...audience, ...page.range, [stepName]: step, dimensions: group, ...query } }}
      step={step}
      empty={empty}
      controls={controls}
      draw={(rows, context) =>
        seriesSpec(
          rows,
          { name: labelOf(measure), measure, groups, kind, step, onPick: drill === undefined ? undefined : pick },
          context,
        )
      }
      columns={(rows) => drillable(columnsOf(rows), props.drillable ?? [measure], drillOf)}
    />
  )
}
