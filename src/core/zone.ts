import { ZONES } from './zone-data.ts'

// Offsets of time zones. The JavaScript engine and the databases have other versions of the same data, so none of them is asked.

/** A stretch of time with one offset, from `from` to the next stretch. Both are in milliseconds; the offset is local time less UTC. */
export interface OffsetStretch {
  readonly from: number
  readonly offset: number
}

/** Unit of the instants and offsets in the data. */
const UNIT_MS = 30_000
const BASE = 36
const FIRST_LETTER = 'A'.charCodeAt(0)

/** The lines of the data by the names of their zones, in small letters. */
let lines: ReadonlyMap<string, string> | undefined

/** The stretches of the zone with this name in the IANA database, from 1970 to 2100. Undefined if no zone has the name. */
export function stretchesOfZone(name: string): readonly OffsetStretch[] | undefined {
  lines ??= linesByName()
  const line = lines.get(name.toLowerCase())
  if (line === undefined) return undefined
  const [, written = '', changes = ''] = line.split('|')
  const offsets = written.split(' ').map((offset) => Number.parseInt(offset, BASE) * UNIT_MS)
  const stretches = [{ from: 0, offset: offsets[0] ?? 0 }]
  let from = 0
  for (const [, letter = 'A', after = '0'] of changes.matchAll(/([A-Z])([0-9a-z]+)/g)) {
    from += Number.parseInt(after, BASE) * UNIT_MS
    stretches.push({ from, offset: offsets[letter.charCodeAt(0) - FIRST_LETTER] ?? 0 })
  }
  return stretches
}

function linesByName(): ReadonlyMap<string, string> {
  const all = ZONES.trim().split('\n')
  return new Map(all.flatMap((line) => (line.split('|')[0] ?? '').split(' ').map((name) => [name.toLowerCase(), line] as const)))
}

/** Hours, minutes, seconds and fractions, with or without colons. */
const OFFSETS = [
  /^(?:UTC|GMT|UT)?([+-])([01]\d|2[0-3])(?::([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,3}))?)?)?$/,
  /^(?:UTC|GMT|UT)?([+-])([01]\d|2[0-3])(?:([0-5]\d)(?:([0-5]\d)(\d{1,3})?)?)?$/,
]

/**
 * The offset that a text such as `-08:00`, `+0530` or `UTC+01:00:30` states, in milliseconds rounded down to a second. Undefined if it states none.
 * It reads the texts that Joda-Time 2.12 and 2.14 accept in place of a name.
 */
export function statedOffset(text: string): number | undefined {
  if (text === 'Z' || text === 'UT') return 0
  const found = OFFSETS.map((form) => form.exec(text)).find((match) => match !== null)
  if (found === undefined || found === null) return undefined
  const [, sign, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = found
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(`${seconds}.${fraction}`)
  return Math.floor(sign === '-' ? 0 - size : size) * 1000
}
