import { groupsOffered, useFields } from '../api/resources.ts'
import { labelOf } from '../format/labels.ts'
import { ChoiceMenu } from './choice-menu.tsx'
import { useChangeSearch, useSearchState } from './use-page.ts'

const NOTHING = ''

/** Ids say little to people: they are filtered by, not grouped by. */
const HIDDEN = ['source_id', 'customer_id', 'bundle_id', 'movement_type']

/** What the page groups by: the dimensions and attributes that the query offers. */
export function GroupMenu({ metric, query }: { metric: string; query: string }) {
  const { dimensions = NOTHING } = useSearchState()
  const { data } = useFields(metric)
  const change = useChangeSearch()
  const offered = groupsOffered(data, query).filter(({ key }) => !HIDDEN.includes(key))
  const choices = [{ value: NOTHING, label: 'None' }, ...offered.map(({ key, label }) => ({ value: key, label }))]
  return (
    <ChoiceMenu
      label="Group by"
      value={dimensions}
      choices={choices}
      shown={dimensions === NOTHING ? 'none' : (choices.find(({ value }) => value === dimensions)?.label ?? labelOf(dimensions))}
      onChoose={(value) => change({ dimensions: value === NOTHING ? undefined : value })}
    />
  )
}
