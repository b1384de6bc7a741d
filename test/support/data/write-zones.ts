import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ZONES, ZONES_VERSION } from '../../../src/core/zone-data.ts'

// Writes src/core/zone-data.ts again, from the time zones of the Node that runs this: npx node@latest test/support/data/write-zones.ts

/** Offsets are read once in this time. No zone has kept an offset for a shorter time. */
const STEP_MS = 7 * 86_400_000
const [FIRST, LAST] = [Date.UTC(1970, 0), Date.UTC(2100, 0)]
/** Unit of instants and offsets. */
const UNIT_MS = 30_000
const FIRST_LETTER = 'A'.charCodeAt(0)
const FILE = join(import.meta.dirname, '../../../src/core/zone-data.ts')

/** Reads the offset at an instant in milliseconds. */
function offsetReader(timeZone: string): (instant: number) => number {
  const date = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
  const time = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const
  const format = new Intl.DateTimeFormat('en-US', { timeZone, ...date, ...time })
  return (instant) => {
    const found = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = found
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000
  }
}

function packed(timeZone: string): string {
  const offsetAt = offsetReader(timeZone)
  const offsets = [offsetAt(FIRST)]
  let text = ''
  let written = FIRST
  for (let at = FIRST; at < LAST; ) {
    const next = Math.min(at + STEP_MS, LAST)
    const before = offsetAt(at)
    if (offsetAt(next) !== before) {
      const turn = turnBetween(at, next, (instant) => offsetAt(instant) !== before)
      const offset = offsetAt(turn)
      if (!offsets.includes(offset)) offsets.push(offset)
      text += `${String.fromCharCode(FIRST_LETTER + offsets.indexOf(offset))}${inUnits(turn - written)}`
      written = turn
      at = turn
    } else at = next
  }
  if (offsets.length > 26) throw new Error(`${timeZone} has more offsets than letters`)
  return [offsets.map(inUnits).join(' '), ...(text === '' ? [] : [text])].join('|')
}

function inUnits(time: number): string {
  if (time % UNIT_MS !== 0) throw new Error(`${time} is no multiple of the unit`)
  return (time / UNIT_MS).toString(36)
}

/** The first second at which the offset is another one. */
function turnBetween(from: number, to: number, isTurned: (instant: number) => boolean): number {
  let [before, after] = [from / 1000, to / 1000]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (isTurned(middle * 1000)) after = middle
    else before = middle
  }
  return after * 1000
}

const known = ZONES.split('\n').flatMap((line) => line.split('|')[0]?.split(' ') ?? [])
const names = [...new Set([...known, ...Intl.supportedValuesOf('timeZone')])].filter((name) => name !== '').sort()
const groups = new Map<string, string[]>()
for (const name of names) {
  const text = packed(name)
  groups.set(text, [...(groups.get(text) ?? []), name])
}
const version = String(process.versions['tz'])
if (version < ZONES_VERSION) throw new Error(`this Node has ${version}, the file ${ZONES_VERSION}`)
const head = readFileSync(FILE, 'utf8').split('/** Version')[0]
const lines = [...groups].map(([text, own]) => `${own.join(' ')}|${text}`)
writeFileSync(
  FILE,
  `${head}/** Version of the IANA database. */
export const ZONES_VERSION = '${version}'

export const ZONES = \`
${lines.join('\n')}
\`
`,
)
process.stdout.write(`${names.length} names in ${lines.length} lines, ${version}\n`)
