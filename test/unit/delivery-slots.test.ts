import { expect, inject, it } from 'vitest'
import { calendarOf } from '../../src/core/calendar.ts'
import type { Schedule } from '../../src/core/delivery.ts'
import { dayOf } from '../../src/core/periods.ts'
import { ZONES } from '../../src/core/zone-data.ts'
import { slotAfter, slotBefore, slotUpTo } from '../../src/facades/deliveries/slots.ts'

const HOUR_MS = 3_600_000
const berlin = (hour: number): Schedule => ({ every: 'day', hour, zone: 'Europe/Berlin' })

it.each([
  // Clocks skip 2:00 to 3:00 on 2026-03-29, and show 2:00 to 3:00 twice on 2026-10-25.
  ['an hour that is skipped', berlin(2), '2026-03-29T12:00:00Z', '2026-03-29T02:00', '2026-03-29T01:00:00.000Z'],
  ['the first of two hours', berlin(2), '2026-10-25T12:00:00Z', '2026-10-25T02:00', '2026-10-25T00:00:00.000Z'],
  ['summer', berlin(7), '2026-07-01T12:00:00Z', '2026-07-01T07:00', '2026-07-01T05:00:00.000Z'],
  ['the minute of the slot', berlin(7), '2026-12-01T06:00:00Z', '2026-12-01T07:00', '2026-12-01T06:00:00.000Z'],
  ['the minute before', berlin(7), '2026-12-01T05:59:59Z', '2026-11-30T07:00', '2026-11-30T06:00:00.000Z'],
  [
    'weeks',
    { every: 'week', weekday: 'monday', hour: 7, zone: 'UTC' },
    '2026-11-29T23:00:00Z',
    '2026-11-23T07:00',
    '2026-11-23T07:00:00.000Z',
  ],
  [
    'weeks on Sunday',
    { every: 'week', weekday: 'sunday', hour: 7, zone: 'UTC' },
    '2026-11-29T23:00:00Z',
    '2026-11-29T07:00',
    '2026-11-29T07:00:00.000Z',
  ],
  [
    'a month that lacks the day',
    { every: 'month', day: 31, hour: 0, zone: 'UTC' },
    '2026-02-28T01:00:00Z',
    '2026-02-28T00:00',
    '2026-02-28T00:00:00.000Z',
  ],
  [
    'the month before',
    { every: 'month', day: 15, hour: 0, zone: 'UTC' },
    '2026-03-14T01:00:00Z',
    '2026-02-15T00:00',
    '2026-02-15T00:00:00.000Z',
  ],
] as const)('finds the newest slot: %s', (_name, schedule, now, slot, due_at) => {
  expect(slotUpTo(schedule, new Date(now))).toEqual({ slot, due_at })
})

const zones = ZONES.trim()
  .split('\n')
  .map((line) => line.split('|')[0]?.split(' ')[0] ?? 'UTC')

it('has the hour of each local day exactly once, over every change of the clock, in a seventh of the zones each turn', () => {
  expect(zones.length).toBeGreaterThan(100)
  for (const [place, zone] of zones.entries()) {
    if (place % 7 !== inject('turn') && !zone.includes('Lord_Howe')) continue
    const schedule: Schedule = { every: 'day', hour: place % 24, zone }
    const end = new Date('2027-01-10T00:00:00Z')
    // Backwards over a year and a half.
    let slot = slotUpTo(schedule, end)
    const days: string[] = []
    while (slot.due_at > '2026-01-01') {
      days.push(slot.slot.slice(0, 10))
      const before = slotBefore(schedule, slot)
      expect(slotAfter(schedule, new Date(before.due_at)), `${zone} after ${before.slot}`).toEqual(slot)
      const shown = calendarOf(zone, new Date(slot.due_at)).clockNow
      const late = (shown.getTime() - Date.parse(`${slot.slot}:00Z`)) / HOUR_MS
      expect(late >= 0 && late <= 1, `${zone} ${slot.slot} is at ${slot.due_at}`).toBe(true)
      slot = before
    }
    const expected = days.map((_, back) => dayOf(new Date(Date.parse(`${days[0]}T00:00:00Z`) - back * 24 * HOUR_MS)))
    expect(days, zone).toEqual(expected)
  }
})

it('finds the same newest slot at every hour as a walk over all slots', () => {
  for (const zone of ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia']) {
    const schedule: Schedule = { every: 'day', hour: 2, zone }
    let known = slotUpTo(schedule, new Date('2026-01-01T00:00:00Z'))
    for (let at = Date.parse('2026-01-01T00:00:00Z'); at < Date.parse('2027-01-01T00:00:00Z'); at += HOUR_MS / 2) {
      const next = slotAfter(schedule, new Date(known.due_at))
      if (Date.parse(next.due_at) <= at) known = next
      expect(slotUpTo(schedule, new Date(at)), `${zone} at ${new Date(at).toISOString()}`).toEqual(known)
    }
  }
})
