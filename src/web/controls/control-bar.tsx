import { Popover } from '@base-ui/react/popover'
import { type FormEvent, useState } from 'react'
import { filtersOffered, useFields } from '../api/resources.ts'
import { formatDay, STEPS } from '../format/days.ts'
import { distinctLabels, labelOf, labelOfField, labelsInOrder, rawTitle, valueLabel } from '../format/labels.ts'
import { ChoiceMenu } from './choice-menu.tsx'
import { useChoices } from './choices.ts'
import { GroupMenu } from './group-menus.tsx'
import { MoreControls } from './more-controls.tsx'
import { PRESETS, rangeLabel, rangeOf } from './ranges.ts'
import { CompareMenu, SegmentMenu } from './segment-menus.tsx'
import { Suggest, useValues } from './suggest.tsx'
import { useChangeSearch, useNow, usePage, useSearchState } from './use-page.ts'

/** The controls of a page. */
export interface Controls {
  /** Metric that supplies the dimensions and filters of the menus. */
  readonly metric: string
  /** Query type that supplies the dimensions to group by. Absent: the page has no group menu. */
  readonly groupsOf?: string
  readonly hasRange?: boolean
  readonly hasStep?: boolean
  readonly hasSegments?: boolean
  /** Whether segments can be compared. */
  readonly hasCompare?: boolean
  /** Whether the range can be compared with an earlier one. */
  readonly hasPeriods?: boolean
  readonly hasFilters?: boolean
}

/** The bar of controls: date range, interval, segment, comparison, group, filters. Its state is in the address. */
export function ControlBar({ metric, groupsOf, ...shown }: Controls) {
  const {
    hasRange = true,
    hasStep = true,
    hasSegments = true,
    hasCompare = hasSegments,
    hasPeriods = hasRange,
    hasFilters = true,
  } = shown
  const choices = useChoices()
  const { interval, segment, compare_segments, compare_to, dimensions, filter = NO_FILTERS } = useSearchState()
  const inUse = [
    hasStep ? interval : undefined,
    hasSegments ? segment : undefined,
    compare_segments,
    compare_to,
    groupsOf === undefined ? undefined : dimensions,
    ...filter,
  ]
  return (
    <>
      <p className="print-only">{choices}</p>
      <section className="controls" aria-label="Filters and dates">
        {hasRange && <RangeMenu />}
        <MoreControls count={inUse.filter((one) => one !== undefined).length}>
          {hasStep && <StepMenu />}
          {hasSegments && <SegmentMenu />}
          {(hasCompare || hasPeriods) && <CompareMenu hasSegments={hasCompare} hasPeriods={hasPeriods} />}
          {groupsOf !== undefined && <GroupMenu metric={metric} query={groupsOf} />}
          {hasFilters && <Filters metric={metric} />}
        </MoreControls>
      </section>
    </>
  )
}

/** Chooses a named range or custom dates. */
function RangeMenu() {
  const { search, days } = usePage()
  const { zone } = useNow()
  const change = useChangeSearch()
  const [isOpen, setOpen] = useState(false)
  const current = rangeOf(search)
  const dates = `${days.start === undefined ? 'Beginning' : formatDay(days.start)} – ${formatDay(days.end)}`
  const own = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    change({ start: String(form.get('start')), end: String(form.get('end')), range: undefined, interval: undefined })
    setOpen(false)
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className="button control" title={`${dates} (${zone})`}>
        {rangeLabel(search) ?? dates} <span aria-hidden="true">▾</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={4} className="positioner">
          <Popover.Popup className="popup range-popup">
            <Popover.Title className="visually-hidden">Date range</Popover.Title>
            <ul className="plain">
              {PRESETS.map(({ range, label }) => (
                <li key={range}>
                  <button
                    type="button"
                    className="menu-item"
                    aria-current={current === range}
                    onClick={() => {
                      change({ range, start: undefined, end: undefined, interval: undefined })
                      setOpen(false)
                    }}
                  >
                    {label}
                  </button>
                </li>
              ))}
            </ul>
            <form className="range-own" onSubmit={own}>
              <label>
                From
                <input type="date" name="start" required defaultValue={days.start} />
              </label>
              <label>
                To
                <input type="date" name="end" required defaultValue={days.end} />
              </label>
              <button type="submit" className="button is-main">
                Apply
              </button>
              <p className="muted">Dates are in {zone}.</p>
            </form>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

const CHOICES = STEPS.map((step) => ({ value: step, label: labelOf(step) }))

/** Chooses the length of the periods. */
function StepMenu() {
  const { step } = usePage()
  const change = useChangeSearch()
  return (
    <ChoiceMenu
      label="Interval"
      value={step}
      choices={CHOICES}
      onChoose={(value) => change({ interval: STEPS.find((known) => known === value) })}
    />
  )
}

const NO_FILTERS: readonly string[] = []

/** The active filters, each removable, and a button to add one. Filters on the same field match any of their values. */
function Filters({ metric }: { metric: string }) {
  const { filter = NO_FILTERS } = useSearchState()
  const change = useChangeSearch()
  const [isOpen, setOpen] = useState(false)
  const { data } = useFields(metric)
  const labels = new Map((data?.filters ?? []).map((field) => [field.key, labelOfField(field)]))
  return (
    <>
      {filter.map((entry) => {
        const { key, value } = parted(entry)
        const text = `${labels.get(key) ?? labelOf(key)}: ${valueLabel(value, key)}`
        return (
          <span key={entry} className="chip" title={rawTitle(value, key)}>
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

/** Splits a filter at the first `=`. */
function parted(entry: string): { key: string; value: string } {
  const at = entry.indexOf('=')
  return at < 0 ? { key: entry, value: '' } : { key: entry.slice(0, at), value: entry.slice(at + 1) }
}

/** The value that a text means: the one of this label, or this value, in any letters. Any other text is a value too. */
function valueMeant(text: string, labels: ReadonlyMap<unknown, string>): string {
  const known = [...labels].map(([raw, label]) => ({ raw: String(raw), label }))
  const lower = text.toLowerCase()
  const meant =
    known.find(({ label }) => label === text) ??
    known.find(({ raw }) => raw === text) ??
    known.find(({ raw, label }) => label.toLowerCase() === lower || raw.toLowerCase() === lower)
  return meant?.raw ?? text
}

/** Field and value of a new filter, both with suggestions. */
function FilterForm({ metric, onAdd }: { metric: string; onAdd: (entry: string) => void }) {
  const { data } = useFields(metric)
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const filters = filtersOffered(data)
  const chosen = filters.find(({ key, label }) => label === name || key === name)
  // The user chooses or types a label, or types the raw value. The address keeps the raw value.
  const isListed = chosen?.type === 'string' || chosen?.type === 'boolean'
  const labels = distinctLabels(useValues(metric, isListed ? chosen.key : undefined, value), chosen?.key)
  const add = (event: FormEvent) => {
    event.preventDefault()
    const text = value.trim()
    const raw = valueMeant(text, labels)
    if (chosen !== undefined) onAdd(`${chosen.key}=${raw}`)
  }
  return (
    <form className="filter-form" onSubmit={add}>
      <Suggest
        label="Field"
        value={name}
        suggestions={filters.map(({ label }) => label)}
        placeholder="Plan, country…"
        isInvalid={name !== '' && chosen === undefined}
        onChange={(text) => {
          setName(text)
          setValue('')
        }}
      />
      <Suggest
        label="Value"
        value={value}
        suggestions={labelsInOrder(labels, chosen?.key)}
        placeholder={chosen?.type === 'boolean' ? 'true or false' : chosen?.type === 'date' ? 'YYYY-MM-DD' : 'Value'}
        onChange={setValue}
      />
      <button type="submit" className="button is-main" disabled={chosen === undefined}>
        Add
      </button>
    </form>
  )
}
