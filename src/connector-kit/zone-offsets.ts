import { groupBy } from '../core/group-by.ts'
import { keepLast } from '../core/keep-last.ts'
import { type OffsetStretch, statedOffset, stretchesOfZone } from '../core/zone.ts'
import type { CheckFinding, ConnectorSession, InlineRelation, Row } from './connector.ts'
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
  { name: 'offset_seconds', type: 'integer' },
]

/** Most zones in one sentence. */
const MOST_NAMED = 10

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

/**
 * The relation `zone_offset`: one row for each zone and stretch with one offset. The last stretch has no end. A zone may also be an offset such as
 * `-08:00`. A zone that is not known has no row.
 */
export async function zoneOffsets(zones: readonly ZoneInUse[]): Promise<InlineRelation> {
  const identity = JSON.stringify(zones)
  const known = kept.get(identity)
  if (known !== undefined) return known
  const rows = zones.flatMap((zone) => rowsOf(zone))
  return kept.keep(identity, Promise.resolve({ name: 'zone_offset', columns: COLUMNS, rows }))
}

/** The zones that have neither a known name nor an offset, for a session whose `reads` count days in these zones. Undefined if there are none. */
export function unknownZones(zones: readonly ZoneInUse[], reads: readonly string[]): ConnectorSession['zones_unknown'] {
  const unknown = zones.map(({ time_zone }) => time_zone).filter((zone) => stretchesOf(zone) === undefined)
  return unknown.length === 0 ? undefined : { zones: unknown, reads }
}

/** The finding of `plumbline check` on the time zones of customers. */
export function zoneFinding(unknown: ConnectorSession['zones_unknown']): CheckFinding {
  const name = 'time_zones'
  if (unknown === undefined) return { name, level: 'ok', message: 'all time zones of customers are known' }
  return { name, level: 'warning', message: sentenceOn(unknown) }
}

/** The warning of a statement that reads these relations, without its code. Undefined if it counts no days in an unknown zone. */
export function unknownZonesIn(
  { zones_unknown: unknown }: Pick<ConnectorSession, 'zones_unknown'>,
  reads: readonly string[],
): { readonly message: string; readonly count: number } | undefined {
  if (unknown === undefined || !unknown.reads.some((name) => reads.includes(name))) return undefined
  return { message: sentenceOn(unknown), count: unknown.zones.length }
}

function sentenceOn({ zones }: NonNullable<ConnectorSession['zones_unknown']>): string {
  const named = zones.slice(0, MOST_NAMED).map((zone) => JSON.stringify(zone))
  const more = zones.length > MOST_NAMED ? ` and ${zones.length - MOST_NAMED} more` : ''
  return `Days of customers in unknown time zones are days in UTC: ${named.join(', ')}${more}.`
}

function stretchesOf(zone: string): readonly OffsetStretch[] | undefined {
  const offset = statedOffset(zone)
  return offset === undefined ? stretchesOfZone(zone) : [{ from: 0, offset }]
}

function rowsOf({ time_zone, first, last }: ZoneInUse): (string | number)[][] {
  const all = stretchesOf(time_zone) ?? []
  const used = all.filter(
    ({ from }, index) => from <= last.getTime() && (all[index + 1]?.from ?? Number.POSITIVE_INFINITY) > first.getTime(),
  )
  return used.map(({ from, offset }, index) => {
    const next = used[index + 1]
    return [
      time_zone,
      sqlText(index === 0 ? first.getTime() : from),
      next === undefined ? '9999-12-31 00:00:00' : sqlText(next.from),
      offset / 1000,
    ]
  })
}

function instantOf(written: string): Date {
  return new Date(`${written.replace(' ', 'T').slice(0, 19)}Z`)
}

function sqlText(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19).replace('T', ' ')
}
