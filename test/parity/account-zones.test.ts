import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { trap } from '../support/data/catalogs/trap-catalog.ts'
import { loadReal } from '../support/data/killbill/load-killbill.ts'
import type { Scenario } from '../support/data/scenario-tables.ts'
import { firstEngineAndOneOther, oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { type TrapPairs, trapPairs } from '../support/product/trap-engines.ts'

/** A month of `gold` that begins on the local day 30 November, two hours before it ends at four hours west of UTC. The engine has billed that day. */
function zoned(time_zone: string): Scenario {
  const cells = { subscription_id: 'S', phase_name: 'gold-evergreen', catalog_effective_date: '2024-01-01 00:00:00', rate: '30' }
  const item = ['RECURRING', '30', { ...cells, start_date: '2025-11-30', end_date: '2025-12-30' }] as const
  return trap({
    now: '2025-12-20',
    accounts: { A: { time_zone, reference_time: '2025-07-01 00:00:00' } },
    subscriptions: { S: { events: [['2025-12-01 02:00:00', 'CREATE', 'gold-evergreen']] } },
    invoices: { first: { created: '2025-12-01 02:00:00', items: [item] } },
  })
}

const EQUAL = ['America/New_York', 'Etc/GMT+4', '-04:00', '-04', '-0400', '-04:00:00', 'UTC-04:00']
const UNKNOWN = ['Mars/Olympus', '-4', '']
const SCENARIOS = Object.fromEntries([...EQUAL, ...UNKNOWN].map((zone) => [`zone ${zone}`, zoned(zone)]))

const findings = async (engine: Engine) => {
  const { data, meta } = await engine.billingFindings({})
  const rows = (data as { readonly rows: readonly Record<string, unknown>[] }).rows
  return { found: rows.map((row) => [row['class'], row['first_day'], row['last_day']]), warnings: meta.warnings }
}

firstEngineAndOneOther('days of accounts in a time zone', (target) => {
  let pairs: TrapPairs
  beforeAll(async () => {
    pairs = await trapPairs(target, SCENARIOS)
  }, 300_000)
  afterAll(() => pairs.close())

  it.each(EQUAL)('%s: the billed day is the agreed one', async (zone) => {
    expect(await pairs.both(`zone ${zone}`, findings)).toEqual({ found: [], warnings: [] })
  })

  it.each(UNKNOWN)('%j is no zone: its days are those of UTC, and answers about days say so', async (zone) => {
    const { found, warnings } = await pairs.both(`zone ${zone}`, findings)
    const message = `Days of customers in unknown time zones are days in UTC: ${JSON.stringify(zone)}.`
    expect(found).toMatchObject([[expect.any(String), '2025-11-30', '2025-11-30']])
    expect(warnings).toEqual([{ code: 'unknown_time_zone', message, count: 1 }])
    const health = await pairs.both(`zone ${zone}`, async (engine) => (await engine.billingHealth({})).meta.warnings)
    expect(health).toEqual(warnings)
    expect(await pairs.both(`zone ${zone}`, async (engine) => (await engine.query('mrr', {})).meta.warnings)).toEqual([])
    const checks = await pairs.both(`zone ${zone}`, (engine) => engine.check())
    expect(checks.filter(({ name }) => name === 'time_zones')).toEqual([{ name: 'time_zones', level: 'warning', message }])
  })
})

const QUESTIONS: Readonly<Record<string, (engine: Engine) => Promise<unknown>>> = {
  health: (engine) => engine.billingHealth({}),
  findings: (engine) => engine.billingFindings({ limit: '1000' }),
  notices: (engine) => engine.billingNotices({ limit: '1000' }),
  renewals: (engine) => engine.renewals({ limit: '1000' }),
  summary: (engine) => engine.summary({}),
}

oneEngineInRotation('accounts of Los Angeles, recorded', (target) => {
  let database: TestDatabase
  let renamed = 'America/Los_Angeles'
  const rename = async (zone: string) => {
    await database.adminQuery(`update accounts set time_zone = '${zone}' where time_zone = '${renamed}'`)
    renamed = zone
  }
  const answers = async (make: () => Promise<Engine>) => {
    const engine = await make()
    const texts: Record<string, unknown> = {}
    for (const [name, ask] of Object.entries(QUESTIONS)) texts[name] = plain(await ask(engine))
    await engine.close()
    return texts
  }
  const plain = (answer: unknown) => {
    const { data, meta } = answer as Awaited<ReturnType<Engine['billingHealth']>>
    return JSON.parse(JSON.stringify({ data, warnings: meta.warnings }).replaceAll(renamed, 'the zone')) as unknown
  }

  const totalOf = (answer: unknown) => (answer as { readonly data: { readonly total: number } }).data.total

  beforeAll(async () => {
    database = await target.createDatabase()
    await loadReal(database)
  }, 300_000)

  it('have the same answers by the name of a fixed zone and by its offset, also from the cache', async () => {
    const options = { tenant: ['alpha'], definitions: { allow_unpriced: true } }
    await rename('Etc/GMT+8')
    const named = await answers(() => engineOver(database, options))
    for (const zone of ['-08:00', '-0800']) {
      await rename(zone)
      expect(await answers(() => engineOver(database, options)), zone).toEqual(named)
      expect(await answers(async () => (await cachedEngineOver(database, options)).engine), `${zone}, cached`).toEqual(named)
    }
    // With days of UTC, days at the ends of stretches do not match.
    await rename('Mars/Olympus')
    const lost = await answers(() => engineOver(database, options))
    expect(totalOf(lost['findings'])).toBeGreaterThan(totalOf(named['findings']))
  }, 300_000)
})
