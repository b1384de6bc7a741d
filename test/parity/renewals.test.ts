import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/contract.ts'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { held } from '../support/data/catalogs/trap-catalog.ts'
import type { Scenario } from '../support/data/scenario-tables.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { trapEngines } from '../support/product/trap-engines.ts'

type Cells = Readonly<Record<string, unknown>>

const monthly = (USD: string, EUR: string) => ({ period: 'MONTHLY', prices: { USD, EUR } })
const plans = (gold: ReturnType<typeof monthly>, existing?: string) =>
  planXml('gold', { final: phaseXml('EVERGREEN', gold), ...(existing !== undefined && { existing }) }) +
  planXml('year', { final: phaseXml('EVERGREEN', { period: 'ANNUAL', prices: { USD: '120' } }) }) +
  planXml('term', {
    initial: phaseXml('FIXEDTERM', { unit: 'MONTHS', number: 6, ...monthly('50', '40') }),
    final: phaseXml('EVERGREEN', monthly('60', '50')),
  })

const SCENARIO: Scenario = {
  // `gold` costs 36 from February on, also for those who have it.
  catalogs: [
    catalogXml({ plans: plans(monthly('30', '20')) }),
    catalogXml({ effectiveDate: '2026-02-01T00:00:00Z', plans: plans(monthly('36', '24'), '2026-02-01T00:00:00Z') }),
  ],
  // Each has its own account, whose billing day is that of its first subscription.
  accounts: { A: {}, B: {}, C: {}, D: {}, E: { currency: 'EUR' }, F: {}, G: {}, H: {}, I: {}, J: {} },
  subscriptions: {
    month: { ...held('gold', '2025-10-15'), charged_through: '2026-01-15' },
    year: {
      account: 'B',
      events: [...held('year', '2025-03-10').events, ['2025-03-10', 'QUANTITY_UPDATE', 2]],
      charged_through: '2026-03-10',
    },
    // It ends when its period ends.
    leaving: {
      account: 'C',
      events: [
        ...held('gold', '2025-10-20').events,
        ['2026-01-20', 'CANCEL', undefined, { created_date: '2025-12-01 00:00:00' }],
      ],
      charged_through: '2026-01-20',
    },
    // It renews once more before it ends.
    later: {
      account: 'D',
      events: [
        ...held('gold', '2025-10-20').events,
        ['2026-02-20', 'CANCEL', undefined, { created_date: '2025-12-01 00:00:00' }],
      ],
      charged_through: '2026-01-20',
    },
    // It renews on the last day of a month that is too short.
    euro: { account: 'E', ...held('gold', '2025-10-31'), charged_through: '2026-01-31' },
    // Its period ends in January, and its fixed term in March. Then it costs 60.
    term: {
      account: 'F',
      events: [
        ['2025-09-05', 'CREATE', 'term-fixedterm'],
        ['2026-03-05', 'PHASE', 'term-evergreen', { created_date: '2025-09-05 00:00:00' }],
      ],
      charged_through: '2026-01-05',
    },
    // The price of February ends the days that are billed, and the part of a period up to the billing day follows.
    dearer: { account: 'G', ...held('gold', '2025-10-10'), charged_through: '2026-02-10' },
    // The engine is behind by a period.
    behind: { account: 'H', ...held('gold', '2025-10-20'), charged_through: '2025-12-20' },
    unbilled: { account: 'I', ...held('gold', '2025-10-01') },
    // The engine gives back the days from February on. It bills nine of them, and then a year from the billing day on.
    larger: {
      account: 'J',
      events: [
        ...held('year', '2025-03-10').events,
        ['2026-02-01', 'QUANTITY_UPDATE', 3, { created_date: '2025-12-01 00:00:00' }],
      ],
      charged_through: '2026-03-10',
    },
  },
  rates: [{ date: '2025-12-31', from: 'EUR', to: 'USD', rate: '1.1' }],
}

/** Up to April: day, subscription, what ends, base cents of a month. */
const EXPECTED = [
  ['2026-01-05', 'term', 'period', 5000],
  ['2026-01-15', 'month', 'period', 3000],
  ['2026-01-20', 'behind', 'period', 3000],
  ['2026-01-20', 'later', 'period', 3000],
  ['2026-01-31', 'euro', 'period', 2200],
  ['2026-02-05', 'term', 'period', 5000],
  ['2026-02-10', 'dearer', 'period', 3600],
  ['2026-02-10', 'larger', 'period', 3000],
  ['2026-02-15', 'month', 'period', 3600],
  ['2026-02-20', 'behind', 'period', 3600],
  ['2026-02-28', 'euro', 'period', 2640],
  ['2026-03-05', 'term', 'fixed_term', 6000],
  ['2026-03-10', 'dearer', 'period', 3600],
  ['2026-03-10', 'year', 'period', 2000],
  ['2026-03-15', 'month', 'period', 3600],
  ['2026-03-20', 'behind', 'period', 3600],
  ['2026-03-31', 'euro', 'period', 2640],
  ['2026-04-05', 'term', 'period', 6000],
  ['2026-04-10', 'dearer', 'period', 3600],
  ['2026-04-15', 'month', 'period', 3600],
  ['2026-04-20', 'behind', 'period', 3600],
  ['2026-04-30', 'euro', 'period', 2640],
]

/** The year, its larger one, and the fixed term. */
const CONTRACTS = [
  ['2026-02-10', 'larger'],
  ['2026-03-05', 'term'],
  ['2026-03-10', 'year'],
]

interface Page {
  readonly total: number
  readonly months: readonly Cells[]
  readonly rows: readonly Cells[]
}

const TO_APRIL = { end: '2026-04-30' }

const nameOf = (row: Cells) => String(row['subscription_id']).replace(/^1:/, '')

firstEngineAndOneOther('renewals to come', (target) => {
  let engine: Engine
  let ask: (params?: Readonly<Record<string, string>>) => Promise<Page>
  beforeAll(async () => {
    const engines = await trapEngines(target, { all: SCENARIO })
    engine = await engines('all')
    ask = async (params = {}) => (await engine.renewals(params)).data as Page
  }, 300_000)

  it('are the ends of billed periods and fixed terms after which a subscription goes on', async () => {
    const { total, rows } = await ask(TO_APRIL)
    expect(rows.map((row) => [row['renews_on'], nameOf(row), row['ends'], row['mrr_base_cents']])).toEqual(EXPECTED)
    expect(total).toBe(EXPECTED.length)
    expect(rows.find((row) => nameOf(row) === 'euro')).toMatchObject({ currency: 'EUR', mrr_cents: 2000 })
  })

  it('have a sum for each month, also of a month that begins after the rows', async () => {
    const { months, total } = await ask({ limit: '1' })
    expect(months).toHaveLength(13)
    const sums = (month: string) => {
      const own = EXPECTED.filter(([day]) => String(day).startsWith(month))
      const contracts = own.filter(([day, name]) => CONTRACTS.some((one) => one[0] === day && one[1] === name))
      const sum = (rows: typeof EXPECTED) => rows.reduce((cents, row) => cents + Number(row[3]), 0)
      return {
        ...{ month: `${month}-01`, renewals: own.length, mrr_base_cents: sum(own) },
        ...{ contracts: contracts.length, contract_mrr_base_cents: sum(contracts) },
      }
    }
    expect(months.slice(0, 4)).toEqual(['2026-01', '2026-02', '2026-03', '2026-04'].map(sums))
    // From April on, the same five renew in each month.
    expect(months.slice(4)).toEqual(months.slice(4).map(({ month }) => ({ ...months[3], month })))
    expect(months.at(-1)).toMatchObject({ month: '2027-01-01' })
    expect(total).toBe(EXPECTED.length + 9 * 5)
  })

  it('name the subscriptions that nobody has billed', async () => {
    const named = (await engine.renewals({})).meta.warnings.filter(({ code }) => code === 'partial')
    expect(named).toMatchObject([
      { count: 1, message: expect.stringMatching(/nobody knows when their periods end: 1:unbilled\.$/) },
    ])
    expect((await engine.renewals({ plan_id: 'year' })).meta.warnings.map(({ code }) => code)).toEqual(['forecast'])
  })

  it('take days, filters and pages', async () => {
    expect((await ask({ range: 'next-month' })).months).toMatchObject([
      { month: '2026-02-01', renewals: 6, mrr_base_cents: 21_440 },
    ])
    expect((await ask({ start: '2026-03-05', end: '2026-03-05' })).total).toBe(1)
    expect((await ask({ ends: 'fixed_term' })).total).toBe(1)
    const [contracts, monthly] = [await ask({ ...TO_APRIL, term: 'contract' }), await ask({ ...TO_APRIL, term: 'monthly' })]
    expect(contracts.rows.map((row) => [row['renews_on'], nameOf(row)])).toEqual(CONTRACTS)
    expect(contracts.rows.every(({ term }) => term === 'contract')).toBe(true)
    expect(monthly.total).toBe(EXPECTED.length - CONTRACTS.length)
    expect(monthly.rows.every(({ term }) => term === 'monthly')).toBe(true)
    expect((await ask({ plan_id: 'year' })).total).toBe(2)
    expect((await ask({ currency: 'EUR', money: 'units' })).rows[0]).toMatchObject({
      mrr_cents: '20.00',
      mrr_base_cents: '22.00',
    })
    const paged = await Promise.all(['0', '7', '14', '21'].map((offset) => ask({ ...TO_APRIL, limit: '7', offset })))
    expect(paged.flatMap(({ rows }) => rows)).toEqual((await ask(TO_APRIL)).rows)
    expect(paged.map(({ total }) => total)).toEqual(paged.map(() => EXPECTED.length))
  })

  it('are refused for days that have begun, and beyond what is known', async () => {
    const where = (name: string, says: string) => ({
      issues: [{ code: 'invalid_range', where: `params.${name}`, message: expect.stringContaining(says) }],
    })
    await expect(ask({ start: '2026-01-01' })).rejects.toMatchObject(where('start', '2026-01-02 or later'))
    await expect(ask({ start: '2026-03-01', end: '2026-02-01' })).rejects.toMatchObject(where('start', '2026-02-01'))
    await expect(ask({ end: '2032-01-01' })).rejects.toMatchObject(where('end', '2031-01-01'))
    await expect(ask({ start: '2031-01-02' })).rejects.toMatchObject(where('start', '2031-01-01'))
    await expect(ask({ start: '9999-12-31' })).rejects.toMatchObject(where('start', '2031-01-01'))
    expect((await ask({ start: '2030-12-15' })).months.map(({ month }) => month)).toEqual(['2030-12-01', '2031-01-01'])
    await expect(ask({ range: 'last-month' })).rejects.toMatchObject(where('start', 'later'))
  })
})
