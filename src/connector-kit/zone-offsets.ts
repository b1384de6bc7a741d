import { groupBy } from '../core/group-by.ts'
import { keepLast } from '../core/keep-last.ts'
import { offsetReader, stretchesBetween } from '../core/zone.ts'
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

const MINUTE_MS = 60_000

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
  const stretches = stretchesBetween(offsetAt, first.getTime(), last.getTime())
  return stretches.map(({ from, offset }, index) => {
    const next = stretches[index + 1]
    return [
      time_zone,
      sqlText(from),
      next === undefined ? '9999-12-31 00:00:00' : sqlText(next.from),
      Math.round(offset / MINUTE_MS),
    ]
  })
}

function instantOf(written: string): Date {
  return new Date(`${written.replace(' ', 'T').slice(0, 19)}Z`)
}

function sqlText(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19).replace('T', ' ')
}
