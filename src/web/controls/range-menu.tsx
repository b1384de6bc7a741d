import { Popover } from '@base-ui/react/popover'
import { type FormEvent, useState } from 'react'
import { formatDay } from '../format/days.ts'
import { PRESETS, rangeLabel, rangeOf } from './ranges.ts'
import { useChangeSearch, usePage } from './use-page.ts'

/** The days: by name, or from one to another. */
export function RangeMenu() {
  const { search, days } = usePage()
  const change = useChangeSearch()
  const [isOpen, setOpen] = useState(false)
  const current = rangeOf(search)
  const told = `${days.start === undefined ? 'Beginning' : formatDay(days.start)} – ${formatDay(days.end)}`
  const own = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    change({ start: String(form.get('start')), end: String(form.get('end')), range: undefined, interval: undefined })
    setOpen(false)
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className="button control" title={`${told} (UTC)`}>
        {rangeLabel(search) ?? told} <span aria-hidden="true">▾</span>
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
              <p className="muted">Dates are in UTC.</p>
            </form>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
