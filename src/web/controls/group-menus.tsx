import { Combobox } from '@base-ui/react/combobox'
import { useMemo } from 'react'
import { groupsOffered, useFields } from '../api/resources.ts'
import { labelOf } from '../format/labels.ts'
import { useChangeSearch, useSearchState } from './use-page.ts'

/** Fields that are only filters. Most are ids, which users do not recognise. */
const HIDDEN = ['customer_id', 'bundle_id', 'movement_type']

/** The fields that most users group by, in this order. All others come under “More”. */
const USUAL = [
  'plan_id',
  'product_name',
  'customer_country',
  'currency',
  'tenant',
  'cohort_month',
  'tenure_months',
  'mrr_band',
  'cancel_reason',
  'churn_type',
  'movement_type',
  'customer_name',
]
const OWN = 'attr.'

interface Field {
  readonly key: string
  readonly label: string
}

interface Section {
  readonly title: string
  readonly items: readonly Field[]
}

/** The fields in sections: the usual ones, the users' own attributes, more. Sections without fields are left out. */
function sectionsOf(fields: readonly Field[]): readonly Section[] {
  const place = ({ key }: Field) => USUAL.indexOf(key)
  const usual = fields.filter((field) => place(field) >= 0).toSorted((one, other) => place(one) - place(other))
  const own = fields.filter(({ key }) => key.startsWith(OWN))
  const more = fields.filter((field) => place(field) < 0 && !field.key.startsWith(OWN))
  const sections = [
    { title: 'Usual', items: usual },
    { title: 'Attributes', items: own },
    { title: 'More', items: more },
  ]
  return sections.filter(({ items }) => items.length > 0)
}

interface GroupMenuProps {
  readonly metric: string
  readonly query: string
}

/** Chooses one dimension or attribute to group by. */
export function GroupMenu({ metric, query }: GroupMenuProps) {
  const { dimensions } = useSearchState()
  const { data } = useFields(metric)
  const offered = useMemo(() => groupsOffered(data, query).filter(({ key }) => !HIDDEN.includes(key)), [data, query])
  return <FieldMenu fields={offered} chosen={dimensions === undefined ? [] : [dimensions]} most={1} />
}

const MOST = 2

/** Chooses up to two dimensions or attributes to group by, in the order of the clicks. */
export function DimensionsMenu({ metric, query, chosen }: GroupMenuProps & { chosen: readonly string[] }) {
  const { data } = useFields(metric)
  const offered = useMemo(() => groupsOffered(data, query), [data, query])
  return <FieldMenu fields={offered} chosen={chosen} most={MOST} />
}

interface FieldMenuProps {
  readonly fields: readonly Field[]
  readonly chosen: readonly string[]
  /** Most fields to choose. With one, a choice replaces the one before and closes the menu. */
  readonly most: number
}

/** A button that opens a list of fields with a search. A click on a chosen field takes it away. */
function FieldMenu({ fields, chosen, most }: FieldMenuProps) {
  const change = useChangeSearch()
  const choose = (next: readonly string[]) => {
    const kept = next.slice(-most)
    change({ dimensions: kept.length === 0 ? undefined : kept.join(',') })
  }
  const items = useMemo(
    () => Combobox.createItems(sectionsOf(fields), { getValue: ({ key }) => key, getLabel: ({ label }) => label }),
    [fields],
  )
  const labelOfKey = (key: string) => fields.find((field) => field.key === key)?.label ?? labelOf(key)
  const text = chosen.length === 0 ? 'none' : chosen.map(labelOfKey).join(', ')
  const list = (
    <>
      {/* The role of a combobox takes no name from its content. The field with that role is in the list. */}
      <Combobox.Trigger className="button control" role="button">
        <span className="control-label">Group by:</span> {text} <span aria-hidden="true">▾</span>
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner align="start" sideOffset={4} className="positioner">
          <Combobox.Popup className="menu field-menu" aria-label="Group by">
            <Combobox.Input className="input" placeholder="Search fields" aria-label="Search fields" />
            <Combobox.Empty className="field-menu-empty">No field has this name.</Combobox.Empty>
            <Combobox.List className="field-menu-list">
              {({ title, items }: Section) => (
                <Combobox.Group key={title} items={items}>
                  <Combobox.GroupLabel className="menu-title">{title}</Combobox.GroupLabel>
                  <Combobox.Collection>
                    {({ key, label }: Field) => (
                      <Combobox.Item
                        key={key}
                        value={key}
                        className="menu-item"
                        disabled={most > 1 && chosen.length >= most && !chosen.includes(key)}
                      >
                        <span className="menu-mark">
                          <Combobox.ItemIndicator>✓</Combobox.ItemIndicator>
                        </span>
                        {label}
                      </Combobox.Item>
                    )}
                  </Combobox.Collection>
                </Combobox.Group>
              )}
            </Combobox.List>
            {chosen.length > 0 && (
              <button type="button" className="menu-item field-menu-clear" onClick={() => choose([])}>
                <span className="menu-mark" />
                No group
              </button>
            )}
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </>
  )
  if (most > 1)
    return (
      <Combobox.Root items={items} multiple value={[...chosen]} onValueChange={choose}>
        {list}
      </Combobox.Root>
    )
  const [one = null] = chosen
  return (
    <Combobox.Root items={items} value={one} onValueChange={(next) => choose(next === null ? [] : [next])}>
      {list}
    </Combobox.Root>
  )
}
