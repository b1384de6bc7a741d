import { describe, expect, it } from 'vitest'
import { calendarOf, isZone } from '../../src/core/calendar.ts'
import { dayOf, dayStart } from '../../src/core/periods.ts'
import { dayByMidnights, ZONES, zonedCalendar, zonedInstants } from '../support/data/zoned-instants.ts'

const at = (text: string) => new Date(`${text}Z`)
const startOf = (zone: string, day: string) => zonedCalendar(zone).instantOf(dayStart(day)).toISOString().slice(0, 19)
/** The day that a clock of the zone shows, as the JavaScript engine formats it. */
const shownDay = (zone: string, instant: Date) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(instant)

describe('the calendar of a zone', () => {
  it.each([
    ['America/New_York', '2025-01-15', '2025-01-15T05:00:00'],
    ['America/New_York', '2025-03-09', '2025-03-09T05:00:00'],
    ['America/New_York', '2025-03-10', '2025-03-10T04:00:00'],
    ['America/New_York', '2025-11-03', '2025-11-03T05:00:00'],
    ['Asia/Kolkata', '2025-03-01', '2025-02-28T18:30:00'],
    // The clock skips midnight, so the day begins at 01:00.
    ['Asia/Beirut', '2025-03-30', '2025-03-29T22:00:00'],
    // The clock is set back from 01:00 to midnight: the day begins at the first midnight.
    ['America/Havana', '2025-11-02', '2025-11-02T04:00:00'],
    // 30 December never was.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00'],
    ['UTC', '2025-03-01', '2025-03-01T00:00:00'],
  ])('%s: %s begins at %s', (zone, day, start) => {
    expect(startOf(zone, day)).toBe(start)
  })

  it.each(ZONES)('%s: the day of an instant begins before it and ends after it', (zone) => {
    const { dayAt } = zonedCalendar(zone)
    const instants = zonedInstants(zone, 300, 1)
    expect(instants.length).toBeGreaterThan(1000)
    for (const instant of instants) expect(dayAt(instant), instant.toISOString()).toBe(dayByMidnights(zone, instant))
  })

  it.each(ZONES)('%s: days are those that its clocks show, but for an old day that comes back after midnight', (zone) => {
    const { dayAt, instantOf } = zonedCalendar(zone)
    const others = zonedInstants(zone, 300, 2).filter((instant) => dayAt(instant) !== shownDay(zone, instant))
    for (const instant of others) {
      expect(dayAt(instant) > shownDay(zone, instant), instant.toISOString()).toBe(true)
      expect(shownDay(zone, instantOf(dayStart(dayAt(instant))))).toBe(dayAt(instant))
    }
    if (zone !== 'America/St_Johns') expect(others).toEqual([])
  })

  it('knows now exactly in an hour that the clock repeats', () => {
    const [first, second] = [at('2025-11-02T05:30:00'), at('2025-11-02T06:30:00')]
    for (const now of [first, second]) {
      const { clockNow, instantOf } = calendarOf('America/New_York', now)
      expect(clockNow).toEqual(at('2025-11-02T01:30:00'))
      expect(instantOf(new Date(clockNow.getTime() + 1000))).toEqual(new Date(now.getTime() + 1000))
    }
  })

  it('is the clock itself in UTC', () => {
    const { clockNow, stretches, dayAt } = calendarOf('UTC', at('2025-06-01T12:00:00'))
    expect([clockNow, stretches, dayAt(clockNow)]).toEqual([at('2025-06-01T12:00:00'), [], dayOf(clockNow)])
  })

  it('knows names of zones', () => {
    expect(['UTC', 'America/New_York', 'Asia/Kolkata'].every(isZone)).toBe(true)
    expect(['', 'New York', 'Mars/Olympus', '+05:30', '05:30'].some(isZone)).toBe(false)
  })
})
