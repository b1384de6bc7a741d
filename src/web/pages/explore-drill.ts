import { type Row, textIn } from '../api/use-answer.ts'
import type { Search } from '../controls/search.ts'
import type { PageState } from '../controls/use-page.ts'
import { unitOf } from '../format/units.ts'
import type { Drill } from '../parts/drill.tsx'
import { groupKeys, narrowToGroups } from '../parts/drill-groups.ts'
import { BY_CUSTOMER, periodName, spanOf } from './drills.ts'
import { type ExploredFigure, FIGURES } from './explore-figures.ts'

const CUSTOMER = ['customer_id', 'customer_name']

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

/**
 * A metric by customer: for a period or the whole range, for a group or in total. Undefined if it is already grouped by customer.
 */
export function drillOf(
  figure: ExploredFigure,
  { audience, days, level, range, step }: ExploreScope,
  keys: readonly string[],
  row: Row,
  period = textIn(row, 'period'),
): Drill | undefined {
  if (keys.some((key) => CUSTOMER.includes(key))) return undefined
  const { label, parts = { ...figure.total, measure: figure.measure } } = figure
  const { path, query, isLevel = false, measure, note } = parts
  const span = period === null ? undefined : spanOf(period, step, days)
  // A metric over a range may open a level, such as MRR by customer. It is then the level on the last day of the range.
  const last = figure.total.isLevel === true ? level : { at: days.end }
  const when = isLevel ? (span === undefined ? last : { at: span.end }) : (span ?? range)
  const drill: Drill = {
    title: period === null ? label : `${label}, ${periodName(period, step, days)}`,
    question: { path, query: { ...audience, ...when, ...query, dimensions: BY_CUSTOMER, order: `-${measure}` } },
    ...(unitOf(measure) === 'fraction' ? {} : { sum: measure }),
    ...(note === undefined ? {} : { note }),
  }
  return narrowToGroups(drill, keys, row)
}

/** A metric over the whole range by customer, in total or for the group of a row. */
export function figureDrill(id: string, scope: ExploreScope, keys: readonly string[] = [], row: Row = {}): Drill | undefined {
  const figure = FIGURES.find((one) => one.id === id)
  return figure && drillOf(figure, scope, keys, row, null)
}
