import { calendarOf } from '../../core/calendar.ts'
import { type Schedule, WEEKDAYS } from '../../core/delivery.ts'
import { dayOf, dayStart, daysBefore, nextPeriod, periodStart, periodsOn } from '../../core/periods.ts'
import type { Slot } from '../../engine/engine.ts'

/**
 * The newest slot of a schedule up to an instant. Each local day has the hour once. Where the clock skips the hour, the slot is the first instant after
 * it, and where the clock shows the hour twice, the slot is the first one.
 */
export function slotUpTo(schedule: Schedule, instant: Date): Slot {
  const today = calendarOf(schedule.zone, instant).dayAt(instant)
  // The day after is tried too, because the instant of a skipped day is that of the next one.
  for (let back = -1; ; back += 1) {
    const slot = slotOf(schedule, periodDay(schedule, today, back))
    if (slot.due_at <= instant.toISOString()) return slot
  }
}

/** The slot before another one. */
export function slotBefore(schedule: Schedule, { due_at }: Slot): Slot {
  return slotUpTo(schedule, new Date(Date.parse(due_at) - 1))
}

/** The first slot after an instant. */
export function slotAfter(schedule: Schedule, instant: Date): Slot {
  const today = calendarOf(schedule.zone, instant).dayAt(instant)
  for (let back = 1; ; back -= 1) {
    const slot = slotOf(schedule, periodDay(schedule, today, back))
    if (slot.due_at > instant.toISOString()) return slot
  }
}

/** The day of the schedule in the period that is `back` periods before that of a day. */
function periodDay(schedule: Schedule, day: string, back: number): string {
  switch (schedule.every) {
    case 'day':
      return daysBefore(day, back)
    case 'week':
      return daysBefore(dayOf(periodStart(dayStart(day), 'week')), back * 7 - WEEKDAYS.indexOf(schedule.weekday))
    case 'month': {
      const first = periodsOn(periodStart(dayStart(day), 'month'), 'month', 0 - back)
      const length = Math.round((nextPeriod(first, 'month').getTime() - first.getTime()) / 86_400_000)
      return daysBefore(dayOf(first), 1 - Math.min(schedule.day, length))
    }
  }
}

function slotOf({ zone, hour }: Schedule, day: string): Slot {
  const slot = `${day}T${String(hour).padStart(2, '0')}:00`
  const clock = new Date(`${slot}:00.000Z`)
  // The calendar is that of a now far away, because the second after now has its own rule.
  return { slot, due_at: calendarOf(zone, new Date(0)).instantOf(clock).toISOString() }
}
