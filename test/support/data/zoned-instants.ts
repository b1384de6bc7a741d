import { calendarOf } from '../../../src/core/calendar.ts'
import { dayOf, dayStart } from '../../../src/core/periods.ts'
import { dice } from './histories/seeded-dice.ts'

/** Zones with summer time at midnight, with half hours, and with a day that never was. */
export const ZONES = [
  'America/New_York',
  'Asia/Kolkata',
  'America/Havana',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
] as const

const NOW = new Date('2026-01-01T00:00:00Z')
const [FIRST, LAST] = [Date.UTC(1999, 0), Date.UTC(2031, 0)]
const AROUND = [-3_600_000, -1000, 0, 1000, 3_600_000, 5_400_000]

/** Drawn instants of a zone, whole seconds: anywhere, around midnights, and around every change of the clock. */
export function zonedInstants(zone: string, count: number, seed: number): readonly Date[] {
  const draw = dice(seed)
  const { stretches, instantOf, dayAt } = calendarOf(zone, NOW)
  const anywhere = Array.from({ length: count }, () => new Date(FIRST + draw.below((LAST - FIRST) / 1000) * 1000))
  const midnights = anywhere.map((instant) => instantOf(dayStart(dayAt(instant))))
  const turns = stretches.filter(({ from }) => from > FIRST && from < LAST).map(({ from }) => new Date(from))
  const near = [...midnights, ...turns].flatMap((instant) => AROUND.map((away) => new Date(instant.getTime() + away)))
  return [...anywhere, ...near]
}

/** The day of an instant by the rule of D84 alone: the last day whose first instant is not after it. */
export function dayByMidnights(zone: string, instant: Date): string {
  const { instantOf } = calendarOf(zone, NOW)
  const days = [2, 1, 0, -1, -2].map((days) => dayOf(new Date(instant.getTime() + days * 86_400_000)))
  return days.find((day) => instantOf(dayStart(day)) <= instant) ?? ''
}

/** The calendar of a zone in these tests. */
export const zonedCalendar = (zone: string) => calendarOf(zone, NOW)
