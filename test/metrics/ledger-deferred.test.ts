import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { type Invoice, ledgerRows } from '../support/data/ledger-rows.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

type Row = Record<string, string | number | null>
type Params = Readonly<Record<string, unknown>>

const QUARTER = '00000030-0000-4000-8000-100000000001'

/** A quarter of which the rest is repaired in March, a month that is voided, three years in euros, and usage that is invoiced later. */
const INVOICES: readonly Invoice[] = [
  {
    account: 1,
    on: '2025-01-15',
    items: [{ id: QUARTER, type: 'RECURRING', amount: '120.00', days: ['2025-01-15', '2025-04-15'] }],
  },
  {
    account: 1,
    on: '2025-03-01',
    items: [{ type: 'REPAIR_ADJ', amount: '-60.00', link: QUARTER, days: ['2025-03-01', '2025-04-15'] }],
  },
  {
    account: 1,
    on: '2025-01-20',
    voided: '2025-02-10',
    items: [{ type: 'RECURRING', amount: '28.00', days: ['2025-02-01', '2025-03-01'] }],
  },
  { account: 2, on: '2025-01-01', items: [{ type: 'RECURRING', amount: '1095.00', days: ['2025-01-01', '2028-01-01'] }] },
  { account: 1, on: '2025-02-20', items: [{ type: 'USAGE', amount: '31.00', days: ['2025-01-20', '2025-02-20'] }] },
]

oneEngineInRotation('deferred revenue by the months to come (D100)', (target) => {
  let engine: Engine
  beforeAll(async () => {
    const { database } = await fillDatabase(target, ledgerRows([{ currency: 'USD' }, { currency: 'EUR' }], INVOICES))
    const store = await ratesOnly('date,from,to,rate\n2025-01-01,EUR,USD,2\n')
    engine = await engineOver(database, { now: new Date('2025-07-05T00:00:00Z'), store })
  })
  const ask = async (params: Params, spec = {}) =>
    (await engine.query('ledger', { query_type: 'deferred', ...params }, spec)).data as Row[]
  const inCurrency = async (period: string, currency: string, params: Params = {}) =>
    (await ask({ period, ...params }, { dimensions: ['currency'] }))
      .filter((row) => row['currency'] === currency)
      .map((row) => [row['recognized_month'], row['deferred']])

  it('has what is known at the end of the month: later repairs, voids and postings change nothing', async () => {
    expect(await inCurrency('2025-01', 'USD')).toEqual([
      ['2025-02-01', 3733 + 2800],
      ['2025-03-01', 4133],
      ['2025-04-01', 1867],
    ])
    expect(await inCurrency('2025-02', 'USD')).toEqual([
      ['2025-03-01', 4133],
      ['2025-04-01', 1867],
    ])
    expect(await inCurrency('2025-03', 'USD')).toEqual([])
    expect(await inCurrency('2025-01', 'USD', { spread: 'month' })).toEqual([
      ['2025-02-01', 4000 + 2800],
      ['2025-03-01', 4000],
    ])
  })

  it('has 24 months and the rest, of one euro a day', async () => {
    const months = await inCurrency('2025-01', 'EUR')
    expect(months).toHaveLength(25)
    expect(months.slice(0, 3)).toEqual([
      ['2025-02-01', 2800],
      ['2025-03-01', 3100],
      ['2025-04-01', 3000],
    ])
    // From 1 February 2027 to the end of the year.
    expect(months.at(-1)).toEqual(['later', 33400])
  })

  it('adds up to the deferred revenue of the day, in the base currency, by group and in its rows', async () => {
    for (const period of ['2025-01', '2025-02', '2025-03', '2025-04']) {
      const end = new Date(Date.UTC(2025, Number(period.slice(5)), 0)).toISOString().slice(0, 10)
      const [revenue] = (await engine.query('ledger', { query_type: 'revenue', start: `${period}-01`, end })).data as Row[]
      const months = await ask({ period })
      const sum = (rows: readonly Row[]) => rows.reduce((total, row) => total + Number(row['deferred']), 0)
      expect(sum(months), period).toBe(revenue?.['closing_deferred'])
      expect(sum(await ask({ period }, { dimensions: ['customer_id'] })), period).toBe(revenue?.['closing_deferred'])
      for (const row of months) {
        const { data } = await engine.metricRows('ledger', {
          query_type: 'deferred',
          period,
          measure: 'deferred',
          recognized_month: row['recognized_month'],
        })
        expect((data as { readonly sum: number }).sum, `${period} ${row['recognized_month']}`).toBe(row['deferred'])
      }
    }
  })

  it('shows twelve months at least, and names those that exist', async () => {
    expect((await ask({ period: '2025-03' }, { filters: { currency: 'USD' } })).map((row) => row['deferred'])).toEqual(
      Array(12).fill(0),
    )
    for (const recognized_month of ['2025-01-01', 'never', undefined])
      await expect(
        engine.metricRows('ledger', { query_type: 'deferred', period: '2025-01', recognized_month }),
      ).rejects.toMatchObject({ issues: [{ where: 'params.recognized_month', message: expect.stringContaining('2025-02-01') }] })
    await expect(ask({ period: '2025-07' })).rejects.toMatchObject({ code: 'invalid_range' })
    await expect(
      engine.metricRows('ledger', { query_type: 'waterfall', start: '2025-01-01', end: '2025-03-31' }),
    ).rejects.toThrow('has no rows behind its numbers')
  })
})
