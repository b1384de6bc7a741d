import { Menu } from '@base-ui/react/menu'
import { useSegments } from '../api/resources.ts'
import { ChoiceMenu } from './choice-menu.tsx'
import { COMPARISONS, type CompareTo } from './search.ts'
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

const NO_PERIOD = ''
const PERIODS: readonly { readonly value: CompareTo | typeof NO_PERIOD; readonly label: string }[] = [
  { value: NO_PERIOD, label: 'None' },
  { value: 'previous', label: 'Previous period' },
  { value: 'year', label: 'Year before' },
]

interface CompareMenuProps {
  readonly hasSegments: boolean
  readonly hasPeriods: boolean
}

/**
 * Compares with another period, or up to ten segments. The API does not compare both at once. The position of a segment decides
 * its colour.
 */
export function CompareMenu({ hasSegments, hasPeriods }: CompareMenuProps) {
  const { compare_segments: compared = [], compare_to: period = NO_PERIOD } = useSearchState()
  const { data = [], isPending } = useSegments()
  const change = useChangeSearch()
  if (!hasPeriods && compared.length === 0 && !isPending && data.length === 0) return null
  const toggle = (id: string, isChosen: boolean) =>
    change({
      compare_segments: isChosen ? [...compared, id] : compared.filter((chosen) => chosen !== id),
      compare_to: undefined,
    })
  const choose = (value: string) =>
    change({ compare_to: COMPARISONS.find((known) => known === value), compare_segments: undefined })
  const segments = compared.length === 1 ? '1 segment' : `${compared.length} segments`
  const text = compared.length > 0 ? segments : PERIODS.find(({ value }) => value === period)?.label.toLowerCase()
  return (
    <Menu.Root>
      <Menu.Trigger className="button control">
        <span className="control-label">Compare:</span> {text} <span aria-hidden="true">▾</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="start" sideOffset={4} className="positioner">
          <Menu.Popup className="menu">
            <Menu.RadioGroup value={compared.length > 0 ? 'segments' : period} onValueChange={choose}>
              {PERIODS.filter(({ value }) => hasPeriods || value === NO_PERIOD).map(({ value, label }) => (
                <Menu.RadioItem key={value} value={value} className="menu-item" closeOnClick>
                  <span className="menu-mark">
                    <Menu.RadioItemIndicator>✓</Menu.RadioItemIndicator>
                  </span>
                  {label}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            {hasSegments && data.length > 0 && (
              <Menu.Group>
                <Menu.Separator className="menu-line" />
                <Menu.GroupLabel className="menu-title">Segments</Menu.GroupLabel>
                {data.map(({ id, name }) => (
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
              </Menu.Group>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
