import { withParams } from '../api/question.ts'
import { type Row, textIn } from '../api/use-answer.ts'
import type { Search } from '../controls/search.ts'
import { labelOf, valueLabel } from '../format/labels.ts'
import type { Drill } from './drill.tsx'

/** Key columns of some answers. As parameters they name a column or a dimension. */
const KEYS: readonly string[] = ['movement_type', 'cohort_month']

/** Fields that distinguish the rows of an answer: its groups, and in a comparison also the segment. */
export function groupKeys(
  { compare_segments }: Pick<Search, 'compare_segments'>,
  ...groups: readonly string[]
): readonly string[] {
  return compare_segments === undefined ? groups : ['segment_name', ...groups]
}

/** The rows behind a number, of the groups of its row: dimensions, attributes, a compared segment. */
export function narrowToGroups(drill: Drill, groups: readonly string[], row: Row | undefined): Drill {
  if (row === undefined || groups.length === 0) return drill
  const names = groups.map((group) => (group === 'segment_name' ? '' : `${labelOf(group)}: `) + valueLabel(row[group], group))
  const titled = { ...drill, title: [drill.title, ...names].join(' · ') }
  return groups.reduce((wider, group) => ofGroup(wider, group, row), titled)
}

function ofGroup(drill: Drill, group: string, row: Row): Drill {
  const { question } = drill
  if (question === undefined) return drill
  const own = [question.query['group'] ?? []].flat().map(String)
  const value = group === 'segment_name' ? textIn(row, 'segment_id') : row[group]
  const isEmpty = value === null || value === undefined
  const text = String(value)
  if (group === 'segment_name') {
    if (isEmpty) return drill
    return { ...drill, question: withParams(question, { compare_segments: text, group: [...own, `segment_id=${text}`] }) }
  }
  if (KEYS.includes(group) && !isEmpty) return { ...drill, question: withParams(question, { [group]: text }) }
  return { ...drill, question: withParams(question, { group: [...own, isEmpty ? group : `${group}=${text}`] }) }
}
