import { beforeAll, expect, it } from 'vitest'
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
  accounts: { A: {}, E: { currency: 'EUR' } },
  subscriptions: {
    month: { ...held('gold', '2025-10-01'), charged_through: '2026-01-15' },
    year: {
      events: [...held('year', '2025-03-10').events, ['2025-03-10', 'QUANTITY_UPDATE', 2]],
      charged_through: '2026-03-10',
    },
    // It ends when its period ends.
    leaving: {
      events: [
        ...held('gold', '2025-10-01').events,
        ['2026-01-20', 'CANCEL', undefined, { created_date: '2025-12-01 00:00:00' }],
      ],
      charged_through: '2026-01-20',
    },
    // It renews once more before it ends.
    later: {
      events: [
        ...held('gold', '2025-10-01').events,
        ['2026-02-20', 'CANCEL', undefined, { created_date: '2025-12-01 00:00:00' }],
      ],
      charged_through: '2026-01-20',
    },
    // Its period ends in January, and its fixed term in March. Then it costs 60.
    term: {
      events: [
        ['2025-09-05', 'CREATE', 'term-fixedterm'],
        ['2026-03-05', 'PHASE', 'term-evergreen', { created_date: '2025-09-05 00:00:00' }],
      ],
      charged_through: '2026-01-05',
    },
    // It renews at the price of February.
    dearer: { ...held('gold', '2025-10-01'), charged_through: '2026-02-10' },
    euro: { account: 'E', ...held('gold', '2025-10-01'), charged_through: '2026-01-31' },
    behind: { ...held('gold', '2025-10-01'), charged_through: '2025-12-20' },
    unbilled: held('gold', '2025-10-01'),
  },
  rates: [{ date: '2025-12-31', from: 'EUR', to: 'USD', rate: '1.1' }],
}

/** Day, subscription, what ends, base cents of a month. */
const EXPECTED = [
  ['2026-01-05', 'term', 'period', 5000],
  ['2026-01-15', 'month', 'period', 3000],
  ['2026-01-20', 'later', 'period', 3000],
  ['2026-01-31', 'euro', 'period', 2200],
  ['2026-02-10', 'dearer', 'period', 3600],
  ['2026-03-05', 'term', 'fixed_term', 6000],
  ['2026-03-10', 'year', 'period', 2000],
]

interface Page {
  readonly total: number
  readonly months: readonly Cells[]
  readonly rows: readonly Cells[]
}

firstEngineAndOneOther('renewals to come', (target) => {
  let ask: (params?: Readonly<Record<string, string>>) => Promise<Page>
  beforeAll(async () => {
    const engines = await trapEngines(target, { all: SCENARIO })
    ask = async (params = {}) => (await (await engines('all')).renewals(params)).data as Page
  }, 300_000)

  it('are the ends of billed periods and fixed terms after which a subscription goes on', async () => {
    const { total, rows } = await ask()
    const found = rows.map((row) => [
      row['renews_on'],
      String(row['subscription_id']).replace(/^1:/, ''),
      row['ends'],
      row['mrr_base_cents'],
    ])
    expect(found).toEqual(EXPECTED)
    expect(total).toBe(EXPECTED.length)
    expect(rows.find((row) => row['subscription_id'] === '1:euro')).toMatchObject({ currency: 'EUR', mrr_cents: 2000 })
  })

  it('have a sum for each month, also of a month without renewals', async () => {
    const { months } = await ask({ limit: '1' })
    expect(months).toHaveLength(13)
    expect(months.slice(0, 4)).toEqual([
      { month: '2026-01-01', renewals: 4, mrr_base_cents: 13_200, contracts: 0, contract_mrr_base_cents: 0 },
      { month: '2026-02-01', renewals: 1, mrr_base_cents: 3600, contracts: 0, contract_mrr_base_cents: 0 },
      // A year, and a fixed term.
      { month: '2026-03-01', renewals: 2, mrr_base_cents: 8000, contracts: 2, contract_mrr_base_cents: 8000 },
      { month: '2026-04-01', renewals: 0, mrr_base_cents: 0, contracts: 0, contract_mrr_base_cents: 0 },
    ])
    expect(months.at(-1)).toMatchObject({ month: '2027-01-01' })
  })

  it('take days, filters and pages', async () => {
    expect((await ask({ range: 'next-month' })).months).toMatchObject([
      { month: '2026-02-01', renewals: 1, mrr_base_cents: 3600 },
    ])
    expect((await ask({ start: '2026-03-05', end: '2026-03-05' })).total).toBe(1)
    expect((await ask({ ends: 'fixed_term' })).total).toBe(1)
    const [contracts, monthly] = [await ask({ term: 'contract' }), await ask({ term: 'monthly' })]
    expect(contracts.rows.map(({ renews_on, term }) => [renews_on, term])).toEqual([
      ['2026-03-05', 'contract'],
      ['2026-03-10', 'contract'],
    ])
    expect(monthly.total).toBe(EXPECTED.length - 2)
    expect(monthly.rows.every(({ term }) => term === 'monthly')).toBe(true)
    expect((await ask({ plan_id: 'year' })).total).toBe(1)
    expect((await ask({ currency: 'EUR', money: 'units' })).rows[0]).toMatchObject({
      mrr_cents: '20.00',
      mrr_base_cents: '22.00',
    })
    expect((await ask({ limit: '2', offset: '5' })).rows).toHaveLength(2)
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
