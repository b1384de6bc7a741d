import { type Row, textIn } from '../api/use-answer.ts'
import type { Search } from '../controls/search.ts'
import type { PageState } from '../controls/use-page.ts'
import type { Drill } from '../parts/drill.tsx'
import { groupKeys, narrowToGroups } from '../parts/drill-groups.ts'
import { rowsBehind } from '../parts/rows-behind.ts'
import { movementsOf, periodName, spanOf } from './drills.ts'
import { type ExploredFigure, FIGURES, figureOf } from './explore-figures.ts'

/** The parts of a page's state that the rows behind a metric depend on. */
type ExploreScope = Pick<PageState, 'audience' | 'days' | 'level' | 'range' | 'step'>

/** The dimensions that Explore groups by. */
export function groupsOf({ dimensions = '' }: Search): readonly string[] {
  return dimensions.split(',').filter((name) => name !== '')
}

/** Fields that distinguish the rows of a metric. */
export function keysOf({ id }: ExploredFigure, search: Search): readonly string[] {
  return groupKeys(search, ...(id === 'movements' ? ['movement_type'] : []), ...groupsOf(search))
}

/** The rows behind a metric: for a period or the whole range, for a group or in total. */
export function drillOf(
  figure: ExploredFigure,
  { audience, days, level, range, step }: ExploreScope,
  keys: readonly string[],
  row: Row,
  period = textIn(row, 'period'),
): Drill {
  const { label, metric, rows, total } = figure
  const span = period === null ? undefined : spanOf(period, step, days)
  const title = span === undefined || period === null ? label : `${label}, ${periodName(period, step, days)}`
  // Movements of all kinds are a column of the waterfall.
  if (figure.id === 'movements' && !keys.includes('movement_type'))
    return narrowToGroups({ ...movementsOf(span ?? range, title, audience), title }, keys, row)
  const when = total.isLevel === true ? (span === undefined ? level : { at: span.end }) : (span ?? range)
  const drill: Drill = {
    title,
    ...rowsBehind(metric, { ...audience, ...when, ...rows.query }, rows.measures),
    ...(rows.note === undefined ? {} : { note: rows.note }),
  }
  return narrowToGroups(drill, keys, row)
}

/** A metric over the whole range, in total or for the group of a row. */
export function figureDrill(id: string, scope: ExploreScope, keys: readonly string[] = [], row: Row = {}): Drill | undefined {
  const figure = FIGURES.find((one) => one.id === id)
  return figure && drillOf(figure, scope, keys, row, null)
}

/** The same for the metric with a field of the summary. */
export function headlineDrill(field: string, scope: ExploreScope, keys?: readonly string[], row?: Row): Drill | undefined {
  return figureDrill(figureOf(field)?.id ?? '', scope, keys, row)
}
