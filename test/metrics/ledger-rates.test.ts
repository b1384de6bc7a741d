import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { type Invoice, ledgerRows } from '../support/data/ledger-rows.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

type Row = Record<string, string | number | null>
type Params = Readonly<Record<string, unknown>>

/** EUR 100.00 of which 40.00 are paid, EUR 50.00 that are written off, and USD 10.00. */
const INVOICES: readonly Invoice[] = [
  { account: 1, on: '2025-01-10', items: [{ type: 'EXTERNAL_CHARGE', amount: '100.00' }], paid: [['2025-02-15', '40.00']] },
  { account: 1, on: '2025-01-10', items: [{ type: 'EXTERNAL_CHARGE', amount: '50.00' }], written_off: ['2025-02-20'] },
  { account: 2, on: '2025-01-10', items: [{ type: 'EXTERNAL_CHARGE', amount: '10.00' }] },
]

const RATES = [
  'date,from,to,rate',
  '2025-01-01,EUR,USD,1.10',
  '2025-01-31,EUR,USD,1.20',
  '2025-02-15,EUR,USD,1.30',
  '2025-02-28,EUR,USD,1.05',
  '2025-03-10,EUR,USD,1.00',
  '',
].join('\n')

const CLOSING = { receivables_rate: 'closing' }

oneEngineInRotation('open balances at the rate of the day (R24)', (target) => {
  let engine: Engine
  beforeAll(async () => {
    const { database } = await fillDatabase(target, ledgerRows([{ currency: 'EUR' }, { currency: 'USD' }], INVOICES))
    const now = new Date('2025-03-20T00:00:00Z')
    engine = await engineOver(database, { now, store: await ratesOnly(RATES), sets: { marked: { receivables_rate: 'closing' } } })
  })
  const ask = async (params: Params, spec = {}) => (await engine.query('ledger', params, spec)).data as Row[]
  const months = { query_type: 'movements', start: '2025-01-01', end: '2025-02-28', interval: 'month' }
  const COLUMNS = ['opening_receivables', 'billed', 'collected', 'written_off', 'fx_difference', 'closing_receivables'] as const
  const shown = (rows: readonly Row[]) => rows.map((row) => COLUMNS.map((name) => row[name]))

  it('move receivables by what the rates changed, and bad debt keeps the rate of its issue', async () => {
    // 165.00 + 10.00 billed. 40.00 were paid at 1.30. EUR 60.00 at 1.10 are 66.00, and EUR 50.00 at 1.10 are 55.00.
    expect(shown(await ask(months))).toEqual([
      [0, 17500, 0, 0, 0, 17500],
      [17500, 0, 5200, 5500, 800, 7600],
    ])
    // EUR 150.00 at 1.20 are 180.00, EUR 60.00 at 1.05 are 63.00.
    const closing = [
      [0, 17500, 0, 0, 1500, 19000],
      [19000, 0, 5200, 5500, -1000, 7300],
    ]
    expect(shown(await ask({ ...months, ...CLOSING }))).toEqual(closing)
    expect(shown(await ask({ ...months, definitions: 'marked' }))).toEqual(closing)
    expect(shown(await ask({ ...months, definitions: 'marked', receivables_rate: 'issued' }))).toEqual(shown(await ask(months)))
  })

  it('keep the trial balance, the ages, the list and the journal together', async () => {
    const at = '2025-02-28'
    const books = await ask({ query_type: 'trial_balance', at, ...CLOSING })
    const side = (account: string) => {
      const row = books.find((each) => each['account'] === account)
      return Number(row?.['debit']) - Number(row?.['credit'])
    }
    expect([side('accounts_receivable'), side('bad_debt'), side('cash'), side('revenue'), side('fx_difference')]).toEqual([
      7300, 5500, 5200, -17500, -500,
    ])
    const ages = await ask({ query_type: 'receivables', at, ...CLOSING })
    expect(ages.reduce((sum, row) => sum + Number(row['balance']), 0)).toBe(7300)
    const open = (await engine.ledgerList('open_invoices', { at, ...CLOSING })).data as { readonly rows: readonly Row[] }
    expect(open.rows.map((row) => [row['balance_cents'], row['balance_base_cents']])).toEqual(
      expect.arrayContaining([
        [6000, 6300],
        [1000, 1000],
      ]),
    )
    for (const summarize of ['month', 'none']) {
      const lines = (await engine.ledgerList('journal', { start: '2025-02-01', end: at, summarize, ...CLOSING })).data as Row[]
      const fx = lines.filter(({ account }) => account === 'fx_difference')
      expect(
        fx.reduce((sum, row) => sum + Number(row['debit_cents']) - Number(row['credit_cents']), 0),
        summarize,
      ).toBe(1000)
    }
    const { data } = await engine.metricRows('ledger', { query_type: 'dso', at, measure: 'receivables', ...CLOSING })
    const { sum, rows } = data as { readonly sum: number; readonly rows: readonly Row[] }
    expect([sum, rows.find((row) => row['currency'] === 'EUR')?.['rate_day']]).toEqual([7300, at])
  })

  it('have the rates of today on a day to come, and none in their own currency', async () => {
    const [march] = await ask({ ...months, start: '2025-03-01', end: '2025-03-31', ...CLOSING })
    expect(march).toMatchObject({ closing_receivables: 7000, fx_difference: -300 })
    const own = (params: Params) => ask({ query_type: 'receivables', at: '2025-02-28', ...params }, { dimensions: ['currency'] })
    expect(await own(CLOSING)).toEqual(await own({}))
  })

  it('refuse a rate that is missing, with its day, and another word', async () => {
    const early = { query_type: 'receivables', at: '2025-02-28' }
    const { database } = await fillDatabase(target, ledgerRows([{ currency: 'EUR' }], INVOICES.slice(0, 1)))
    const poor = await engineOver(database, {
      now: new Date('2025-03-20T00:00:00Z'),
      store: await ratesOnly('date,from,to,rate\n2025-02-20,EUR,USD,1\n'),
    })
    await expect(poor.query('ledger', early)).rejects.toMatchObject({ code: 'missing_fx_rate' })
    expect((await poor.query('ledger', { ...early, ...CLOSING })).data).toMatchObject([{}, {}, { balance: 6000 }, {}, {}])
    await expect(engine.query('ledger', { ...early, receivables_rate: 'spot' })).rejects.toMatchObject({
      issues: [{ where: 'params.receivables_rate', message: expect.stringContaining('issued or closing') }],
    })
  })

  it('hold the identities of verify', async () => {
    const { database } = await fillDatabase(target, ledgerRows([{ currency: 'EUR' }, { currency: 'USD' }], INVOICES))
    const definitions = { receivables_rate: 'closing' } as const
    const marked = await engineOver(database, {
      now: new Date('2025-03-20T00:00:00Z'),
      store: await ratesOnly(RATES),
      definitions,
    })
    const check = ['books_roll_forward', 'books_balance']
    const report = await marked.verification.run({ start: '2025-01-01', end: '2025-02-28', check })
    expect(report.checks.filter(({ ok }) => ok !== true)).toEqual([])
  })
})
