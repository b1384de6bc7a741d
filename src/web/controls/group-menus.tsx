import { Menu } from '@base-ui/react/menu'
import { groupsOffered, useFields } from '../api/resources.ts'
import { labelOf } from '../format/labels.ts'
import { ChoiceMenu } from './choice-menu.tsx'
import { useChangeSearch, useSearchState } from './use-page.ts'

const NO_GROUP = ''

/** Fields that are only filters. Most are ids, which users do not recognise. */
const HIDDEN = ['customer_id', 'bundle_id', 'movement_type']

/** Chooses one dimension or attribute to group by. */
export function GroupMenu({ metric, query }: { metric: string; query: string }) {
  const { dimensions = NO_GROUP } = useSearchState()
  const { data } = useFields(metric)
  const change = useChangeSearch()
  const offered = groupsOffered(data, query).filter(({ key }) => !HIDDEN.includes(key))
  const choices = [{ value: NO_GROUP, label: 'None' }, ...offered.map(({ key, label }) => ({ value: key, label }))]
  return (
    <ChoiceMenu
      label="Group by"
      value={dimensions}
      choices={choices}
      shown={dimensions === NO_GROUP ? 'none' : (choices.find(({ value }) => value === dimensions)?.label ?? labelOf(dimensions))}
      onChoose={(value) => change({ dimensions: value === NO_GROUP ? undefined : value })}
    />
  )
}

const MOST = 2

/** Chooses up to two dimensions or attributes to group by, in the order of the clicks. */
export function DimensionsMenu({ metric, query, chosen }: { metric: string; query: string; chosen: readonly string[] }) {
  const { data } = useFields(metric)
  const change = useChangeSearch()
  const offered = groupsOffered(data, query)
  const labels = new Map(offered.map(({ key, label }) => [key, label]))
  const toggle = (key: string, isChosen: boolean) => {
    const next = isChosen ? [...chosen, key] : chosen.filter((other) => other !== key)
    change({ dimensions: next.length === 0 ? undefined : next.join(',') })
  }
  return (
    <Menu.Root>
      <Menu.Trigger className="button control">
        <span className="control-label">Group by:</span>{' '}
        {chosen.length === 0 ? 'none' : chosen.map((key) => labels.get(key) ?? labelOf(key)).join(', ')}{' '}
        <span aria-hidden="true">▾</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="start" sideOffset={4} className="positioner">
          <Menu.Popup className="menu">
            {offered.map(({ key, label }) => (
              <Menu.CheckboxItem
                key={key}
                className="menu-item"
                checked={chosen.includes(key)}
                disabled={chosen.length >= MOST && !chosen.includes(key)}
                onCheckedChange={(isChosen) => toggle(key, isChosen)}
              >
                <span className="menu-mark">
                  <Menu.CheckboxItemIndicator>✓</Menu.CheckboxItemIndicator>
                </span>
                {label}
              </Menu.CheckboxItem>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
