import { filteredTo, filtersOf, isOfMetric, withParams } from '../api/question.ts'
import { type Row, textIn } from '../api/use-answer.ts'
import type { Search } from '../controls/search.ts'
import { labelOf, valueLabel } from '../format/labels.ts'
import type { Drill } from './drill.tsx'

/** Lists of customers that accept no dimensions. Their amounts are in the base currency. */
const IN_BASE_CURRENCY: readonly string[] = ['/api/metrics/churn/customers', '/api/metrics/churn/revenue-events']

/** Fields that distinguish the rows of an answer: its groups, and in a comparison also the segment. */
export function groupKeys(
  { compare_segments }: Pick<Search, 'compare_segments'>,
  ...groups: readonly string[]
): readonly string[] {
  return compare_segments === undefined ? groups : ['segment_name', ...groups]
}

/** The rows behind a number, narrowed to the groups of its row: dimensions, attributes, a compared segment. */
export function narrowToGroups(drill: Drill, groups: readonly string[], row: Row | undefined): Drill {
  if (row === undefined || groups.length === 0) return drill
  const names = groups.map((group) => (group === 'segment_name' ? '' : `${labelOf(group)}: `) + valueLabel(row[group], group))
  const titled = { ...drill, title: [drill.title, ...names].join(' · ') }
  return groups.reduce(
    (wider, group) => (group === 'segment_name' ? ofSegment(wider, row) : ofGroup(wider, group, row[group])),
    titled,
  )
}

function ofGroup(whole: Drill, group: string, value: unknown): Drill {
  const drill = group === 'currency' ? inOwnCurrency(whole) : whole
  const { question } = drill
  if (question === undefined) return drill
  if (value !== null && value !== undefined)
    return { ...drill, question: withParams(question, { filter: filteredTo(filtersOf(question.query), group, String(value)) }) }
  if (!isOfMetric(question.path))
    return without(drill, `Rows with no value for “${labelOf(group)}” can’t be listed: the API has no filter for them.`)
  const empty = { ...drill, question: { ...question, without: [...(question.without ?? []), group] } }
  return noted(empty, 'Empty text counts as no value here.')
}

/**
 * With currency as a dimension, amounts are in the row's currency. With a filter on currency alone, they stay in the base
 * currency (http-api.md 1.3).
 */
function inOwnCurrency(drill: Drill): Drill {
  const { question } = drill
  if (question === undefined) return drill
  if (IN_BASE_CURRENCY.includes(question.path)) return noted(drill, 'Amounts here are in the base currency.')
  const { dimensions } = question.query
  const names = dimensions === undefined ? [] : String(dimensions).split(',')
  return { ...drill, question: withParams(question, { dimensions: [...new Set([...names, 'currency'])].join(',') }) }
}

function ofSegment(drill: Drill, row: Row): Drill {
  const { question } = drill
  const id = textIn(row, 'segment_id')
  if (question === undefined || id === null) return drill
  if (question.query['segment'] !== undefined)
    return without(
      drill,
      'This page already filters by one segment. Choose “All customers” above to list the rows of another one.',
    )
  return { ...drill, question: withParams(question, { segment: id, compare_segments: undefined }) }
}

function noted(drill: Drill, note: string): Drill {
  return { ...drill, note: [drill.note, note].filter((part) => part !== undefined).join(' ') }
}

function without({ title }: Drill, note: string): Drill {
  return { title, note }
}
