import type { ReactNode } from 'react'
import type { Query, RowsPath } from '../api/question.ts'
import { type Row, textIn } from '../api/use-answer.ts'
import { seriesSpec } from '../charts/series.ts'
import type { ChartSpec } from '../charts/spec.ts'
import { type PageState, usePage } from '../controls/use-page.ts'
import { labelOf } from '../format/labels.ts'
import { unitOf } from '../format/traits.ts'
import { Card } from './card.tsx'
import { type Drill, useDrill } from './drill.tsx'
import { groupKeys, narrowToGroups } from './drill-groups.ts'
import { columnsOf, drillable } from './table.tsx'

interface SeriesCardProps {
  readonly title: string
  readonly path: RowsPath
  /** Field to draw. */
  readonly measure: string
  readonly kind: ChartSpec['kind']
  readonly query?: Query
  /** Name of the interval parameter on this path. */
  readonly stepName?: 'interval' | 'granularity'
  /** Whether the page's group applies. */
  readonly isGrouped?: boolean
  /** Whether the compared segments apply. */
  readonly isCompared?: boolean
  /** Whether the card ignores the page's filters and segments and uses only `query`. */
  readonly isAlone?: boolean
  /** Whether the value holds until the next one, so that the line has steps. */
  readonly isStep?: boolean
  readonly empty?: ReactNode
  readonly controls?: ReactNode
  /** Content above the chart. */
  readonly lead?: ReactNode
  /**
   * The rows behind a period: of the number in a field of the table, or of the chart. If a group was clicked, the card narrows them to
   * this group.
   */
  readonly drill?: (page: PageState, period: string, field?: string) => Drill
  /** Fields whose numbers open the rows behind them. */
  readonly drillable?: readonly string[]
}

/** A metric over time as line, area or bars. Each group or segment has its own series. */
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
    isStep = false,
    empty,
    controls,
    lead,
    drill,
  } = props
  const page = usePage()
  const { open } = useDrill()
  const { step } = page
  const group = isGrouped ? page.group : undefined
  const groups = groupKeys(isCompared ? page.search : {}, ...(group === undefined ? [] : [group]))
  const audience = isAlone ? {} : isCompared ? page.compared : page.audience
  const drillOf = (row: Row, field: string) => {
    const period = textIn(row, 'period')
    return period === null || drill === undefined ? undefined : narrowToGroups(drill(page, period, field), groups, row)
  }
  const pick = (period: string, row: Row | undefined) => {
    if (drill !== undefined) open(narrowToGroups(drill(page, period), groups, row))
  }
  const isMixedMoney = group === 'currency' && unitOf(measure) === 'money'
  const draw = (rows: readonly Row[], context: { readonly currency: string; readonly dayThrough: string | undefined }) =>
    seriesSpec(
      rows,
      { name: labelOf(measure), measure, groups, kind, step, isStep, onPick: drill === undefined ? undefined : pick },
      context,
    )
  return (
    <Card
      key={isMixedMoney ? 'table' : 'chart'}
      title={title}
      metric={labelOf(measure)}
      measure={measure}
      question={{ path, query: { ...audience, ...page.range, [stepName]: step, dimensions: group, ...query } }}
      step={step}
      empty={empty}
      controls={controls}
      {...(isMixedMoney
        ? { lead: <p className="card-note">A chart of several currencies would compare unlike amounts, so this is a table.</p> }
        : { draw, lead })}
      columns={(rows) => drillable(columnsOf(rows), props.drillable ?? [measure], drillOf)}
    />
  )
}
