import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { insertRows } from '../support/data/killbill/insert-rows.ts'
import { killbillDatabase } from '../support/data/killbill/killbill-database.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

/**
 * Rows of a server whose accounts have days of their zones. The billed period of each of seven subscriptions ends on a day on which a phase begins,
 * or on which the subscription ends, seconds or an hour later.
 */
const ROWS = JSON.parse(
  readFileSync(new URL('../../fixtures/killbill/billing-days/tables.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

const NOW = '2025-06-07T01:02:00Z'

const JUNE = { end: '2025-06-30' }

type Renewal = readonly [day: string, subscription: string, plan: string, period: string, quantity: number, cents: number]

/**
 * By the catalogs. Nine of blaze-quarterly are 1620.00 a quarter. The trial of spark-monthly began on 6 June of Auckland and lasts ten days.
 * nimbus-31 costs 33.00 for 31 days: 33 × 365 / 12 / 31 a month, rounded down (D23). `05ca21ea`, billed up to 26 June, ends 2 seconds after that.
 */
const EXPECTED: readonly Renewal[] = [
  ['2025-06-12', '83438d89', 'flow-pro', 'MONTHLY', 1, 4000],
  ['2025-06-13', '0090cec8', 'note-monthly', 'MONTHLY', 1, 1034],
  ['2025-06-14', '0a0c9fcc', 'blaze-quarterly', 'QUARTERLY', 9, 54_000],
  ['2025-06-16', '155b65cf', 'spark-monthly', 'MONTHLY', 1, 366_300],
  ['2025-06-19', '8d0f1a38', 'nimbus-31', 'THIRTY_ONE_DAYS', 1, 3237],
  ['2025-06-24', 'dda29792', 'blaze-quarterly', 'QUARTERLY', 4, 22_560],
]

firstEngineAndOneOther('renewals on billing days, recorded', (target) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await killbillDatabase(target)
    for (const [table, rows] of Object.entries(ROWS)) await insertRows(database, table, rows)
  }, 300_000)

  const renewals = async (now: string, params: Readonly<Record<string, string>> = {}, time_zone = 'UTC') => {
    const engine = await engineOver(database, { tenant: ['all'], now: new Date(now), definitions: { time_zone } })
    const { rows } = (await engine.renewals(params)).data as { readonly rows: readonly Record<string, unknown>[] }
    await engine.close()
    return rows.map((row) => [
      row['renews_on'],
      String(row['subscription_id']).slice(0, 8),
      row['plan_id'],
      row['billing_period'],
      row['quantity'],
      row['mrr_cents'],
    ])
  }

  it('are those of the account at the end of its day: phases of the day count, and what ends on it does not renew', async () => {
    expect(await renewals(NOW, JUNE)).toEqual(EXPECTED)
  })

  it('follow each other by the billing day of the account, or by the days of the period', async () => {
    const days: Record<string, unknown[]> = {}
    for (const [day, id] of await renewals(NOW, { end: '2025-10-31' })) days[String(id)] = [...(days[String(id)] ?? []), day]
    expect(days).toMatchObject({
      '83438d89': ['2025-06-12', '2025-07-12', '2025-08-12', '2025-09-12', '2025-10-12'],
      // The engine billed 2 to 14 June for the new quantity, so a quarter begins on 14 June.
      '0a0c9fcc': ['2025-06-14', '2025-09-14'],
      '8d0f1a38': ['2025-06-19', '2025-07-20', '2025-08-20', '2025-09-20', '2025-10-21'],
    })
  })

  it('keep the days of the accounts under every time zone', async () => {
    expect(await renewals(NOW, JUNE, 'Asia/Kolkata')).toEqual(EXPECTED)
    expect(await renewals(NOW, JUNE, 'America/Los_Angeles')).toEqual(EXPECTED)
    const auckland = { start: '2025-06-16', end: '2025-06-16' }
    expect(await renewals(NOW, auckland)).toEqual(EXPECTED.filter(([day]) => day === '2025-06-16'))
  })

  it('are what the engine then billed', async () => {
    const billedUpTo = (at: string) =>
      database.adminQuery(`update subscriptions set charged_through_date = '${at}' where id like '0a0c9fcc%'`)
    const billed = ROWS['invoice_items']?.find(
      ({ subscription_id, start_date }) => String(subscription_id).startsWith('0a0c9fcc') && start_date === '2025-05-14',
    )
    expect(billed).toMatchObject({ rate: '1080.000000000', end_date: '2025-08-14', phase_name: 'blaze-quarterly-evergreen' })
    const range = { end: '2025-05-31' }
    const own = async (now: string) => (await renewals(now, range)).filter(([, subscription]) => subscription === '0a0c9fcc')
    try {
      // Six for 1080.00 a quarter are 360.00 a month. The discount, 239.94 a month, ends one second after the billed period.
      await billedUpTo('2025-05-14 00:00:09')
      expect(await own('2025-04-27T00:00:00Z')).toEqual([['2025-05-14', '0a0c9fcc', 'blaze-quarterly', 'QUARTERLY', 6, 36_000]])
      // A month earlier, the discount goes on, and is billed by month.
      await billedUpTo('2025-04-14 00:00:09')
      expect(await own('2025-03-20T00:00:00Z')).toEqual([
        ['2025-04-14', '0a0c9fcc', 'blaze-quarterly', 'MONTHLY', 6, 23_994],
        ['2025-05-14', '0a0c9fcc', 'blaze-quarterly', 'QUARTERLY', 6, 36_000],
      ])
    } finally {
      await billedUpTo('2025-06-14 00:00:09')
    }
  })

  it('are days through which subscriptions are charged, also in lists', async () => {
    const engine = await engineOver(database, { tenant: ['all'], now: new Date(NOW) })
    const { data } = await engine.list('subscriptions', { limit: '100' })
    const { rows } = data as { readonly rows: readonly Record<string, unknown>[] }
    const days = rows.map((row) => [String(row['id']).slice(0, 8), row['charged_through']])
    expect(days).toContainEqual(['155b65cf', '2025-06-16'])
    expect(days).toContainEqual(['05ca21ea', '2025-06-26'])
    await engine.close()
  })
})
