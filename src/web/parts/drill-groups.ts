import { isOfMetric } from '../api/metric-query.ts'
import { filteredTo, filtersOf, narrowed } from '../api/question.ts'
import { type Row, textIn } from '../api/use-answer.ts'
import type { Search } from '../controls/search.ts'
import { labelOf, valueLabel } from '../format/labels.ts'
import type { Drill } from './drill.tsx'

/** What tells the rows of an answer apart: its groups, and the segment where some are compared. */
export function keysWith(
  { compare_segments }: Pick<Search, 'compare_segments'>,
  ...groups: readonly string[]
): readonly string[] {
  return compare_segments === undefined ? groups : ['segment_name', ...groups]
}

/** What a number is made of, narrowed to the groups whose row it stands in: dimensions, attributes, a segment compared. */
export function ofGroups(drill: Drill, groups: readonly string[], row: Row | undefined): Drill {
  if (row === undefined || groups.length === 0) return drill
  const told = groups.map((group) => (group === 'segment_name' ? '' : `${labelOf(group)} `) + valueLabel(row[group])).join(', ')
  const titled = { ...drill, title: `${drill.title}: ${told}` }
  return groups.reduce(
    (wider, group) => (group === 'segment_name' ? ofSegment(wider, row) : ofGroup(wider, group, row[group])),
    titled,
  )
}

function ofGroup(drill: Drill, group: string, value: unknown): Drill {
  const { question } = drill
  if (question === undefined) return drill
  if (value !== null && value !== undefined)
    return { ...drill, question: narrowed(question, { filter: filteredTo(filtersOf(question.query), group, String(value)) }) }
  if (!isOfMetric(question.path)) return without(drill, `The API has no filter for what has no “${labelOf(group)}”.`)
  return {
    ...drill,
    question: { ...question, without: [...(question.without ?? []), group] },
    note: [drill.note, 'An empty text counts as no value here.'].filter((part) => part !== undefined).join(' '),
  }
}

function ofSegment(drill: Drill, row: Row): Drill {
  const { question } = drill
  const id = textIn(row, 'segment_id')
  if (question === undefined || id === null) return drill
  if (question.query['segment'] !== undefined)
    return without(drill, 'One call is about one segment, and this page is about one already: choose everybody above first.')
  return { ...drill, question: narrowed(question, { segment: id, compare_segments: undefined }) }
}

function without({ title }: Drill, note: string): Drill {
  return { title, note }
}
