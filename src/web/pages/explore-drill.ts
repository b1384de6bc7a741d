import type { Row } from '../api/use-answer.ts'
import type { PageState } from '../controls/use-page.ts'
import { labelOf, valueLabel } from '../format/labels.ts'
import type { Drill } from '../parts/drill.tsx'
import { within } from './drills.ts'
import type { ExploredFigure } from './explore-figures.ts'

const CUSTOMER = ['customer_id', 'customer_name']

/** A group customer by customer; undefined where it is one already, or has no name that a filter could take. */
export function drillOf(
  figure: ExploredFigure,
  { audience, days, range }: PageState,
  groups: readonly string[],
  row: Row,
): Drill | undefined {
  if (groups.some((group) => CUSTOMER.includes(group)) || row['segment_id'] !== undefined || !OFFERED.includes(figure.metric))
    return undefined
  let narrowed: ReturnType<typeof within> = audience
  for (const group of groups) narrowed = narrowed === undefined ? undefined : within(narrowed, group, row[group])
  if (narrowed === undefined) return undefined
  const { total, measure, label } = figure
  const when = total.isLevel === true ? { at: days.end } : range
  const told = groups.map((group) => `${labelOf(group)} ${valueLabel(row[group])}`).join(', ')
  return {
    title: told === '' ? label : `${label}: ${told}`,
    question: {
      path: total.path,
      query: { ...narrowed, ...when, ...total.query, dimensions: CUSTOMER.join(','), order: `-${measure}` },
    },
  }
}

/** Metrics whose figures can be told customer by customer in one list. */
const OFFERED = ['mrr', 'churn', 'retention', 'trials', 'usage_revenue']
