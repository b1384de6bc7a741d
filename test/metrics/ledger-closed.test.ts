import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { type Invoice, type Item, ledgerRows } from '../support/data/ledger-rows.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Row = Record<string, string | number | null>
type Params = Readonly<Record<string, unknown>>

const usage = (amount: string, from: string, to: string): readonly Item[] => [{ type: 'USAGE', amount, days: [from, to] }]

const INVOICES: readonly Invoice[] = [
  { account: 1, on: '2025-01-15', items: [{ type: 'RECURRING', amount: '120.00', days: ['2025-01-15', '2025-04-15'] }] },
  // Usage of January and February, after the close of January.
  { account: 1, on: '2025-02-20', items: usage('31.00', '2025-01-20', '2025-02-20') },
  // Usage of February and of January, before the close of February.
  { account: 1, on: '2025-03-03', items: usage('28.00', '2025-02-01', '2025-03-01') },
  { account: 1, on: '2025-03-05', items: usage('62.00', '2025-01-01', '2025-02-01') },
  // Usage of January after the close of February, on the first day on which it is too late.
  { account: 1, on: '2025-03-06', items: usage('15.50', '2025-01-01', '2025-02-01') },
  // Usage of January after its close, on an invoice that is voided in March.
  { account: 1, on: '2025-02-10', voided: '2025-03-10', items: usage('9.30', '2025-01-01', '2025-02-01') },
]

const QUARTER = { start: '2025-01-01', end: '2025-03-31', interval: 'month' }
const REVENUE = { query_type: 'revenue', ...QUARTER }

oneEngineInRotation('months of the ledger that are closed (D99)', (target) => {
  let closed: Engine
  let open: Engine
  beforeAll(async () => {
    const { database } = await fillDatabase(target, ledgerRows([{ currency: 'USD' }], INVOICES))
    const now = new Date('2025-07-05T00:00:00Z')
    open = await engineOver(database, { now })
    closed = await engineOver(database, { now, close_days: 5 })
  })
  const ask = async (params: Params, over: Engine = closed, spec = {}) => (await over.query('ledger', params, spec)).data as Row[]
  const shown = (rows: readonly Row[], ...columns: readonly string[]) => rows.map((row) => columns.map((name) => row[name]))

  it('show what was known at their close, and what came later as late', async () => {
    expect(shown(await ask(REVENUE, open), 'recognized', 'late', 'closing_unbilled')).toEqual([
      [2267 + 1200 + 6200 + 1550 + 930, 0, 1200 + 6200 + 1550 + 930],
      [3733 + 1900 + 2800, 0, 2800 + 6200 + 1550],
      [4133 - 930, 0, 0],
    ])
    expect(shown(await ask(REVENUE), 'recognized', 'late', 'catch_up', 'closing_unbilled', 'closing_deferred')).toEqual([
      [2267, 0, 0, 0, 9733],
      [3733 + 3100 + 2800 + 6200 + 930, 1200 + 6200 + 930, 1200 + 6200 + 930, 2800 + 6200, 6000],
      [4133 + 1550 - 930, 1550, 1550 - 930, 0, 1867],
    ])
  })

  it('end as the books that were known on their days of closing', async () => {
    const rows = await ask(REVENUE)
    for (const [index, [end, known_at]] of [
      ['2025-01-31', '2025-02-05'],
      ['2025-02-28', '2025-03-05'],
      ['2025-03-31', '2025-04-05'],
    ].entries()) {
      const [then] = (await ask({ ...REVENUE, end, known_at, interval: 'year' }, open)).slice(-1)
      const { closing_unbilled, closing_deferred } = then ?? {}
      expect(rows[index], end).toMatchObject({ closing_unbilled, closing_deferred })
      expect(await ask({ query_type: 'trial_balance', at: end })).toEqual(
        await ask({ query_type: 'trial_balance', at: end, known_at }, open),
      )
    }
  })

  it('give way to a day in the request', async () => {
    for (const known_at of ['2025-02-25', '2025-06-30'])
      expect(await ask({ ...REVENUE, known_at })).toEqual(await ask({ ...REVENUE, known_at }, open))
    expect(await ask({ ...REVENUE, unbilled: 'on_invoice' })).toEqual(await ask({ ...REVENUE, unbilled: 'on_invoice' }, open))
    const corrections = await ask({ query_type: 'corrections', ...QUARTER, end: '2025-02-28', known_at: '2025-03-05' })
    expect(shown(corrections, 'recognized_then', 'recognized_now')).toEqual([
      [2267 + 1200 + 6200 + 930, 12147],
      [8433, 8433],
    ])
  })

  it('add up: days to months, waterfall, rows, schedule and journal', async () => {
    const months = await ask(REVENUE)
    for (const measure of ['recognized', 'late', 'catch_up'] as const) {
      const { data } = await closed.metricRows('ledger', { ...REVENUE, period: '2025-02-01', measure })
      expect((data as { readonly sum: number }).sum, measure).toBe(months[1]?.[measure])
    }
    const daily = await ask({ ...REVENUE, interval: 'day' })
    const sum = (rows: readonly Row[], name: string) => rows.reduce((total, row) => total + Number(row[name]), 0)
    for (const name of ['recognized', 'late']) expect(sum(daily, name), name).toBe(sum(months, name))
    const waterfall = await ask({ query_type: 'waterfall', start: QUARTER.start, end: QUARTER.end })
    expect(
      sum(
        waterfall.filter((row) => row['recognized_month'] === '2025-02-01'),
        'recognized',
      ),
    ).toBe(months[1]?.['recognized'])
    const { data } = await closed.ledgerList('schedule', { invoice_id: '00000020-0000-4000-8000-000000000004' })
    expect((data as { readonly rows: readonly Row[] }).rows.map((row) => [row['month'], row['recognized_cents']])).toEqual([
      ['2025-02-01', 6200],
    ])
    const at = async (day: string) =>
      new Map(
        (await ask({ query_type: 'trial_balance', at: day })).map((row) => [
          row['account'],
          Number(row['debit']) - Number(row['credit']),
        ]),
      )
    const [before, after] = [await at('2025-01-31'), await at('2025-02-28')]
    const lines = (await closed.ledgerList('journal', { start: '2025-02-01', end: '2025-02-28' })).data as Row[]
    for (const account of ['revenue', 'unbilled_receivables', 'deferred_revenue', 'accounts_receivable']) {
      const own = lines.filter((line) => line['account'] === account)
      expect(sum(own, 'debit_cents') - sum(own, 'credit_cents'), account).toBe(
        (after.get(account) ?? 0) - (before.get(account) ?? 0),
      )
    }
  })

  it('hold the identities of verify, have another hash and are shown with the definitions', async () => {
    const report = await closed.verification.run({
      start: '2025-01-01',
      end: '2025-03-31',
      check: ['books_roll_forward', 'books_balance'],
    })
    expect(report.checks.filter(({ ok }) => ok !== true)).toEqual([])
    const [mine, others] = [await closed.definitions('plumbline'), await open.definitions('plumbline')]
    expect(mine.hash).not.toBe(others.hash)
    expect(mine.options.at(-1)).toMatchObject({ key: 'ledger.close_days', value: 5 })
    expect(others.options.some(({ key }) => key === 'ledger.close_days')).toBe(false)
  })
})
