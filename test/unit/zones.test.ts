import { describe, expect, it } from 'vitest'
import { unknownZones, zoneFinding, zoneOffsets, zonesIn } from '../../src/connector-kit/zone-offsets.ts'
import { statedOffset, stretchesOfZone } from '../../src/core/zone.ts'
import { ZONES, ZONES_VERSION } from '../../src/core/zone-data.ts'
import { dayIn, formatInstant, loadZone } from '../../src/web/format/days.ts'
import { importsOf, sourceFiles } from '../arch/source-tree.ts'

const NAMES = ZONES.trim()
  .split('\n')
  .flatMap((line) => line.split('|')[0]?.split(' ') ?? [])
const DAY_MS = 86_400_000

/** The offset at an instant as the JavaScript engine knows it. Undefined if it does not know the zone. */
function offsetOfEngine(timeZone: string): ((instant: number) => number) | undefined {
  try {
    const parts = {
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    } as const
    const format = new Intl.DateTimeFormat('en-US', { timeZone, ...parts, hourCycle: 'h23' })
    return (instant) => {
      const found = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
      const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = found
      return Date.UTC(year, month - 1, day, hour, minute, second) - instant
    }
  } catch {
    return undefined
  }
}

function offsetAt(zone: string, instant: number): number | undefined {
  return stretchesOfZone(zone)?.findLast(({ from }) => from <= instant)?.offset
}

/** Results of DateTimeZone.forID of Joda-Time 2.14, in milliseconds; null where it throws. Version 2.12 also throws for texts with letters. */
const STATED: readonly (readonly [text: string, offset: number | null])[] = [
  ['-08:00', -28_800_000],
  ['-08', -28_800_000],
  ['-0800', -28_800_000],
  ['+0530', 19_800_000],
  ['+05:30', 19_800_000],
  ['+01:00:00', 3_600_000],
  ['+01:00:30', 3_630_000],
  ['+010030', 3_630_000],
  ['+23:59:59', 86_399_000],
  ['+00:00', 0],
  ['-00:00', 0],
  ['+00', 0],
  ['-00:00:30', -30_000],
  ['UTC+08:00', 28_800_000],
  ['GMT+08:00', 28_800_000],
  ['UT+0530', 19_800_000],
  ['UTC-05', -18_000_000],
  ['Z', 0],
  ['UT', 0],
  ['-8', null],
  ['-8:00', null],
  ['+05:3', null],
  ['+5:30', null],
  ['+24:00', null],
  ['+05:60', null],
  ['+05:30:60', null],
  ['+0530:00', null],
  ['+05:3000', null],
  ['+05301', null],
  ['+05.30', null],
  ['+05:', null],
  ['+05:30:15.', null],
  ['+05:30:15.1234', null],
  ['+053015,1', null],
  [' +05:30', null],
  ['+05:30 ', null],
  ['+', null],
  ['--08:00', null],
  ['+08:00foo', null],
  ['\u221208:00', null],
  ['UTC+8', null],
  ['UTC0', null],
]

describe('offsets in place of a zone', () => {
  it.each(STATED)('%j', (text, offset) => {
    expect(statedOffset(text) ?? null).toBe(offset)
  })

  // Joda keeps the fraction. Instants have whole seconds, so the day is that of the second below.
  it.each([
    ['+01:00:30.5', 3_630_000],
    ['+01:00:30,123', 3_630_000],
    ['+053015123', 19_815_000],
    ['-01:00:00.5', -3_601_000],
  ])('%s is rounded down', (text, offset) => {
    expect(statedOffset(text)).toBe(offset)
  })
})

describe('time zones', () => {
  it('have the offsets that the JavaScript engine knows, up to the changes that its version lacks', () => {
    // Versions since the oldest Node that is supported differ from the autumn of 2026 on.
    const isSame = process.versions['tz'] === ZONES_VERSION
    const until = isSame ? Date.UTC(2100, 0) : Date.UTC(2025, 0)
    expect(NAMES.length).toBeGreaterThan(590)
    for (const zone of NAMES) {
      const engine = offsetOfEngine(zone)
      for (let instant = Date.UTC(1970, 0); engine !== undefined && instant < until; instant += 19 * DAY_MS)
        if (engine(instant) !== offsetAt(zone, instant)) expect.fail(`${zone} at ${new Date(instant).toISOString()}`)
    }
  }, 120_000)

  it.each([
    // Clocks of British Columbia have not been set back since 2026, and Node 20 does not know that.
    ['America/Vancouver', '2026-11-20', -7],
    ['America/Vancouver', '2025-11-20', -8],
    // Node 20 has no zone of this name.
    ['America/Coyhaique', '2026-11-20', -3],
    ['Etc/GMT+8', '2026-11-20', -8],
    ['europe/berlin', '2026-11-20', 1],
  ])('%s on %s is %d hours from UTC in every version of Node', (zone, day, hours) => {
    expect(offsetAt(zone, Date.parse(day))).toBe(hours * 3_600_000)
  })

  it('are no zones of the JavaScript engine anywhere in the product', () => {
    const files = [...sourceFiles('src', ['.ts', '.tsx']), ...sourceFiles('connectors', ['.ts'])]
    const asking = files.filter(({ text }) => /timeZone(?!: 'UTC')\b|resolvedOptions|getTimezoneOffset/.test(text))
    expect(asking.map(({ path }) => path)).toEqual([])
    expect(files.flatMap((file) => importsOf(file)).length).toBeGreaterThan(1000)
  })
})

describe('the zones of customers', () => {
  const row = (time_zone: string | null) => ({
    time_zone,
    first_time: '2025-01-15 00:00:00',
    last_time: '2025-07-15 00:00:00',
  })

  it('are names and offsets, and the others are named', async () => {
    const zones = zonesIn(['America/Los_Angeles', '-08:00', '+01:00:30', 'Mars/Olympus', '', 'UTC', null].map(row))
    const { rows } = await zoneOffsets(zones)
    expect(rows).toEqual([
      ['+01:00:30', '2025-01-15 00:00:00', '9999-12-31 00:00:00', 3630],
      ['-08:00', '2025-01-15 00:00:00', '9999-12-31 00:00:00', -28_800],
      ['America/Los_Angeles', '2025-01-15 00:00:00', '2025-03-09 10:00:00', -28_800],
      ['America/Los_Angeles', '2025-03-09 10:00:00', '9999-12-31 00:00:00', -25_200],
      ['UTC', '2025-01-15 00:00:00', '9999-12-31 00:00:00', 0],
    ])
    const unknown = unknownZones(zones, ['customer_zone'])
    expect(unknown).toEqual({ zones: ['', 'Mars/Olympus'], reads: ['customer_zone'] })
    expect(zoneFinding(unknown)).toEqual({
      name: 'time_zones',
      level: 'warning',
      message: 'Days of customers in unknown time zones are days in UTC: "", "Mars/Olympus".',
    })
    expect(unknownZones(zonesIn([row('UTC')]), [])).toBeUndefined()
  })
})

describe('the page', () => {
  it('shows instants on the clock of a zone that the browser may not know', async () => {
    const at = '2026-11-20T06:30:00Z'
    expect([dayIn('America/Vancouver', at), formatInstant(at, 'America/Vancouver')]).toEqual([
      '2026-11-20',
      expect.stringMatching(/ UTC$/),
    ])
    await loadZone('America/Vancouver')
    expect([dayIn('America/Vancouver', at), formatInstant(at, 'America/Vancouver')]).toEqual([
      '2026-11-19',
      expect.stringMatching(/11:30.* America\/Vancouver$/),
    ])
  })
})
