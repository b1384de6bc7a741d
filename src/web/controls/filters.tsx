import { Popover } from '@base-ui/react/popover'
import { useState } from 'react'
import { useFields } from '../api/resources.ts'
import { labelOf, labelOfField, valueLabel } from '../format/labels.ts'
import { FilterForm } from './filter-form.tsx'
import { useChangeSearch, useSearchState } from './use-page.ts'

const NO_FILTERS: readonly string[] = []

/** The filters in force, each removable, and a way to add one. The same name again means any of the values. */
export function Filters({ metric }: { metric: string }) {
  const { filter = NO_FILTERS } = useSearchState()
  const change = useChangeSearch()
  const [isOpen, setOpen] = useState(false)
  const { data } = useFields(metric)
  const labels = new Map((data?.filters ?? []).map((field) => [field.key, labelOfField(field)]))
  return (
    <>
      {filter.map((entry) => {
        const { key, value } = parted(entry)
        const text = `${labels.get(key) ?? labelOf(key)}: ${valueLabel(value)}`
        return (
          <span key={entry} className="chip">
            {text}
            <button
              type="button"
              aria-label={`Remove filter ${text}`}
              onClick={() => change({ filter: filter.filter((other) => other !== entry) })}
            >
              ✕
            </button>
          </span>
        )
      })}
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger className="button control">+ Filter</Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner align="start" sideOffset={4} className="positioner">
            <Popover.Popup className="popup">
              <Popover.Title className="popup-title">Filter by</Popover.Title>
              <FilterForm
                metric={metric}
                onAdd={(entry) => {
                  change({ filter: [...new Set([...filter, entry])] })
                  setOpen(false)
                }}
              />
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </>
  )
}

/** A filter as name and value: it is split at the first `=`. */
function parted(entry: string): { key: string; value: string } {
  const at = entry.indexOf('=')
  return { key: entry.slice(0, at), value: entry.slice(at + 1) }
}
