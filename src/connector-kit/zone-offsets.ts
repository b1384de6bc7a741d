import { groupBy } from '../core/group-by.ts'
import { keepLast } from '../core/keep-last.ts'
import type { InlineRelation, Row } from './connector.ts'
import { text } from './query-runner.ts'

/** A time zone of customers, with the first and the last instant for which its offset is needed. */
export interface ZoneInUse {
  readonly time_zone: string
  readonly first: Date
  readonly last: Date
}

const COLUMNS: InlineRelation['columns'] = [
  { name: 'time_zone', type: 'text' },
  { name: 'from_at', type: 'timestamp' },
  { name: 'to_at', type: 'timestamp' },
  { name: 'offset_minutes', type: 'integer' },
]

const DAY = 86_400_000
/** No zone has kept an offset for a shorter time. */
const STEP = 7 * DAY

/** The relations of the last zones. Equal zones give the same object. */
const kept = keepLast<InlineRelation>(4)

/** The zones in rows with `time_zone`, `first_time` and `last_time`, each once, by name. Rows without a zone have none. */
export function zonesIn(rows: readonly Row[]): readonly ZoneInUse[] {
  const named = rows.filter((row) => row['time_zone'] !== null)
  return [...groupBy(named, (row) => text(row['time_zone']))].sort(byName).map(([time_zone, own]) => {
    const times = (column: string) => own.map((row) => instantOf(text(row[column])).getTime())
    return { time_zone, first: new Date(Math.min(...times('first_time'))), last: new Date(Math.max(...times('last_time'))) }
  })
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

/** The relation `zone_offset`: one row for each zone and stretch with one offset. The last stretch has no end. A zone that is not known has no row. */
export async function zoneOffsets(zones: readonly ZoneInUse[]): Promise<InlineRelation> {
  const identity = JSON.stringify(zones)
  const known = kept.get(identity)
  if (known !== undefined) return known
  const rows = zones.flatMap((zone) => stretchesOf(zone))
  return kept.keep(identity, Promise.resolve({ name: 'zone_offset', columns: COLUMNS, rows }))
}

function stretchesOf({ time_zone, first, last }: ZoneInUse): (string | number)[][] {
  const offsetAt = offsetReader(time_zone)
  if (offsetAt === undefined) return []
  const rows: (string | number)[][] = []
  let from = first.getTime()
  let offset = offsetAt(from)
  for (let at = from; at < last.getTime(); ) {
    const next = Math.min(at + STEP, last.getTime())
    if (offsetAt(next) !== offset) {
      const turn = turnBetween(at, next, (instant) => offsetAt(instant) !== offset)
      rows.push([time_zone, sqlText(from), sqlText(turn), offset])
      from = turn
      offset = offsetAt(turn)
      at = turn
    } else at = next
  }
  rows.push([time_zone, sqlText(from), '9999-12-31 00:00:00', offset])
  return rows
}

/** The first second at which the offset is another one. */
function turnBetween(from: number, to: number, isTurned: (instant: number) => boolean): number {
  let before = Math.floor(from / 1000)
  let after = Math.floor(to / 1000)
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (isTurned(middle * 1000)) after = middle
    else before = middle
  }
  return after * 1000
}

/** Reads the offset of a zone in minutes. Undefined if no zone has this name. */
function offsetReader(time_zone: string): ((instant: number) => number) | undefined {
  let format: Intl.DateTimeFormat
  try {
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
    format = new Intl.DateTimeFormat('en-US', { timeZone: time_zone, hourCycle: 'h23', ...parts })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
  return (instant) => {
    const found = Object.fromEntries(format.formatToParts(instant).map(({ type, value: part }) => [type, Number(part)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = found
    return Math.round((Date.UTC(year, month - 1, day, hour, minute) - Math.floor(instant / 60_000) * 60_000) / 60_000)
  }
}

function instantOf(written: string): Date {
  return new Date(`${written.replace(' ', 'T').slice(0, 19)}Z`)
}

function sqlText(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19).replace('T', ' ')
}
