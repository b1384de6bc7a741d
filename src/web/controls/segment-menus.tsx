import { Menu } from '@base-ui/react/menu'
import { useSegments } from '../api/resources.ts'
import { ChoiceMenu } from './choice-menu.tsx'
import { useChangeSearch, useSearchState } from './use-page.ts'

const EVERYBODY = ''

/** Chooses the segment to filter by. Hidden if there are no segments. */
export function SegmentMenu() {
  const { segment } = useSearchState()
  const { data, isPending } = useSegments()
  const change = useChangeSearch()
  // Show the menu while segments load. Most installations have segments, and the page would move if the menu appeared late.
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

const MOST = 10

/** Compares up to ten segments. The position of a segment decides its colour. */
export function CompareMenu() {
  const { compare_segments: compared = [] } = useSearchState()
  const { data, isPending } = useSegments()
  const change = useChangeSearch()
  if (compared.length === 0 && !isPending && (data === undefined || data.length === 0)) return null
  const toggle = (id: string, isChosen: boolean) =>
    change({ compare_segments: isChosen ? [...compared, id] : compared.filter((chosen) => chosen !== id) })
  return (
    <Menu.Root>
      <Menu.Trigger className="button control">
        <span className="control-label">Compare:</span> {compared.length === 0 ? 'none' : `${compared.length} segments`}{' '}
        <span aria-hidden="true">▾</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="start" sideOffset={4} className="positioner">
          <Menu.Popup className="menu">
            {(data ?? []).map(({ id, name }) => (
              <Menu.CheckboxItem
                key={id}
                className="menu-item"
                checked={compared.includes(id)}
                disabled={compared.length >= MOST && !compared.includes(id)}
                onCheckedChange={(isChosen) => toggle(id, isChosen)}
              >
                <span className="menu-mark">
                  <Menu.CheckboxItemIndicator>✓</Menu.CheckboxItemIndicator>
                </span>
                {name}
              </Menu.CheckboxItem>
            ))}
            {compared.length > 0 && (
              <Menu.Item className="menu-item" onClick={() => change({ compare_segments: undefined })}>
                <span className="menu-mark" />
                Clear comparison
              </Menu.Item>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
