import { Popover } from '@base-ui/react/popover'
import { type FormEvent, useState } from 'react'
import { ChoiceMenu } from '../controls/choice-menu.tsx'
import { useChangeSearch } from '../controls/use-page.ts'
import { formatDay, formatPeriod, periodStart } from '../format/days.ts'
import { dayChoices, monthChoices } from './months.ts'

/** Chooses the month of the books, from a menu or one after the other. The receivables are then those of its end. */
export function MonthMenu({ month, today }: { readonly month: string; readonly today: string }) {
  const change = useChangeSearch()
  const choose = (chosen: string) => change({ month: chosen, at: undefined })
  return (
    <div className="month-menu">
      <Step to={periodStart(month, 'month', -1)} sign="‹" onChoose={choose} />
      <ChoiceMenu label="Month" value={month} choices={monthChoices(month, today)} onChoose={choose} />
      <Step to={periodStart(month, 'month', 1)} sign="›" isDisabled={periodStart(month, 'month', 1) > today} onChoose={choose} />
    </div>
  )
}

interface StepProps {
  readonly to: string
  readonly sign: string
  readonly isDisabled?: boolean
  readonly onChoose: (month: string) => void
}

function Step({ to, sign, isDisabled = false, onChoose }: StepProps) {
  return (
    <button
      type="button"
      className="button is-square"
      aria-label={`Show ${formatPeriod(to, 'month')}`}
      disabled={isDisabled}
      onClick={() => onChoose(to)}
    >
      {sign}
    </button>
  )
}

/** Chooses the day of receivables: yesterday, the end of a month, a year ago, or any other day. */
export function DayMenu({ day, today }: { readonly day: string; readonly today: string }) {
  const change = useChangeSearch()
  const [isOpen, setOpen] = useState(false)
  const choose = (at: string) => {
    change({ at })
    setOpen(false)
  }
  const own = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    choose(String(new FormData(event.currentTarget).get('at')))
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className="button control">
        <span className="control-label">Day:</span> {formatDay(day)} <span aria-hidden="true">▾</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={4} className="positioner">
          <Popover.Popup className="popup range-popup">
            <Popover.Title className="visually-hidden">Day of the balances</Popover.Title>
            <ul className="plain day-choices">
              {dayChoices(today).map(({ value, label }) => (
                <li key={label}>
                  <button type="button" className="menu-item" aria-current={value === day} onClick={() => choose(value)}>
                    {label}
                  </button>
                </li>
              ))}
            </ul>
            <form className="range-own" onSubmit={own}>
              <label>
                Another day
                <input type="date" name="at" required max={today} defaultValue={day} />
              </label>
              <button type="submit" className="button is-main">
                Apply
              </button>
            </form>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
