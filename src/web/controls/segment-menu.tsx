import { useSegments } from '../api/resources.ts'
import { ChoiceMenu } from './choice-menu.tsx'
import { useChangeSearch, useSearchState } from './use-page.ts'

const EVERYBODY = ''

/** The segment whose customers count. Not shown where there are none to choose from. */
export function SegmentMenu() {
  const { segment } = useSearchState()
  const { data, isPending } = useSegments()
  const change = useChangeSearch()
  // Most have some: a menu that came later would move the page.
  if (segment === undefined && !isPending && (data === undefined || data.length === 0)) return null
  const choices = [
    { value: EVERYBODY, label: 'All customers' },
    ...(data ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <ChoiceMenu
      label="Segment"
      value={segment ?? EVERYBODY}
      choices={choices}
      onChoose={(value) => change({ segment: value === EVERYBODY ? undefined : value })}
    />
  )
}
