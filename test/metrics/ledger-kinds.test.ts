import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { type Invoice, ledgerRows } from '../support/data/ledger-rows.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Row = Record<string, string | number | null>
type Params = Readonly<Record<string, unknown>>

const TRAINING = '00000030-0000-4000-8000-100000000004'

/** The charges in the order of their invoices, as rows name them. */
const [QUARTERLY, USAGE, SET_UP, LOWERED] = ['1', '2', '3', '4']

/** A quarter in advance, usage that is invoiced after its days, a set-up price, and training that is lowered in April. */
const INVOICES: readonly Invoice[] = [
  {
    account: 1,
    on: '2025-01-15',
    items: [{ type: 'RECURRING', amount: '120.00', days: ['2025-01-15', '2025-04-15'] }],
  },
  { account: 1, on: '2025-02-20', items: [{ type: 'USAGE', amount: '31.00', days: ['2025-01-20', '2025-02-20'] }] },
  { account: 1, on: '2025-03-01', items: [{ type: 'FIXED', amount: '60.00' }] },
  {
    account: 1,
    on: '2025-03-11',
    items: [{ id: TRAINING, type: 'EXTERNAL_CHARGE', amount: '30.00', days: ['2025-03-11', '2025-04-10'] }],
  },
  { account: 1, on: '2025-04-05', items: [{ type: 'ITEM_ADJ', amount: '-12.00', link: TRAINING }] },
]

const SETS = { plain: { revenue_kinds: 'recurring,usage' }, monthly: { revenue_kinds: 'usage', spread: 'month' } } as const

const RANGE = { start: '2025-01-01', end: '2025-04-30' }
const MONTHS = { ...RANGE, interval: 'month' }

oneEngineInRotation('kinds of charges that are revenue (D101)', (target) => {
  let engine: Engine
  beforeAll(async () => {
    const { database } = await fillDatabase(target, ledgerRows([{ currency: 'USD' }], INVOICES))
    engine = await engineOver(database, { now: new Date('2025-07-05T00:00:00Z'), sets: SETS })
    return () => engine.close()
  })
  const ask = async (params: Params, spec: Params = {}) => (await engine.query('ledger', params, spec)).data as Row[]
  const columnsOf = (rows: readonly Row[], ...names: readonly string[]) => rows.map((row) => names.map((name) => row[name]))

  it('divide what is recognized, and deferred revenue rolls forward with both', async () => {
    const rows = await ask({ query_type: 'revenue', ...MONTHS, revenue_kinds: 'recurring,usage' })
    // 17, 28, 31 and 14 of 90 days of 120.00, 12 and 19 days of usage. The others are 60.00 at once, and 21 of 30 days of the training.
    // In April, the training is over with 18.00, of which 21.00 were recognized before it was lowered.
    expect(columnsOf(rows, 'recognized', 'other_income')).toEqual([
      [2267 + 1200, 0],
      [3733 + 1900, 0],
      [4133, 6000 + 2100],
      [1867, 1800 - 2100],
    ])
    for (const row of rows) {
      const at = (name: string) => Number(row[name])
      const moved = at('billed') + at('adjusted') - at('recognized') - at('other_income')
      const unbilled = at('closing_unbilled') - at('opening_unbilled')
      expect(at('opening_deferred') + moved + unbilled, String(row['period'])).toBe(at('closing_deferred'))
      // Nothing of the recurring charge and of usage came late.
      expect([at('catch_up'), at('late')]).toEqual([0, 0])
    }
    // The training catches up 21 of 30 days of 12.00.
    const other = await ask({ query_type: 'revenue', ...MONTHS, revenue_kinds: 'one_off' })
    expect(columnsOf(other, 'recognized', 'catch_up')).toEqual([
      [0, 0],
      [0, 0],
      [2100, 0],
      [1800 - 2100, -840],
    ])
  })

  it('add up: revenue of each kind is the whole, and each number is that of its charges', async () => {
    const whole = await ask({ query_type: 'revenue', ...MONTHS })
    expect(whole.map((row) => row['other_income'])).toEqual([0, 0, 0, 0])
    for (const measure of ['recognized', 'catch_up'])
      for (const [index, row] of whole.entries()) {
        const parts = await Promise.all(
          ['recurring', 'usage', 'fixed', 'one_off'].map(async (revenue_kinds) => {
            const part = (await ask({ query_type: 'revenue', ...MONTHS, revenue_kinds }))[index]
            expect([Number(part?.['recognized']) + Number(part?.['other_income']), part?.['closing_deferred']]).toEqual([
              row['recognized'],
              row['closing_deferred'],
            ])
            return Number(part?.[measure])
          }),
        )
        expect(
          parts.reduce((sum, part) => sum + part, 0),
          `${measure} of ${row['period']}`,
        ).toBe(row[measure])
      }
    const cell = { query_type: 'revenue', ...MONTHS, period: '2025-04-01', revenue_kinds: 'recurring,usage' }
    const behind = async (measure: string, more: Params = {}) =>
      (await engine.metricRows('ledger', { ...cell, measure, ...more })).data as {
        readonly sum: number
        readonly rows: readonly { readonly document_id: string }[]
      }
    expect([(await behind('recognized')).sum, (await behind('other_income')).sum, (await behind('catch_up')).sum]).toEqual([
      1867, -300, 0,
    ])
    expect((await behind('other_income')).rows.map(({ document_id }) => document_id)).toEqual([LOWERED])
    expect((await behind('other_income', { revenue_kinds: 'all' })).rows).toEqual([])
    expect((await behind('closing_deferred', { period: '2025-03-01' })).sum, 'deferred revenue is that of all kinds').toBe(
      1867 + 900,
    )
  })

  it('also by group, where the kind is one, and under a filter', async () => {
    const query = { query_type: 'revenue', ...MONTHS, revenue_kinds: 'fixed,usage' }
    const march = (await ask(query, { dimensions: ['charge_kind'] })).filter(({ period }) => period === '2025-03-01')
    expect(columnsOf(march, 'charge_kind', 'recognized', 'other_income')).toEqual([
      ['fixed', 6000, 0],
      ['one_off', 0, 2100],
      ['recurring', 0, 4133],
      ['usage', 0, 0],
    ])
    const [, , filtered] = await ask(query, { filters: { charge_kind: 'one_off' } })
    expect(filtered).toMatchObject({ recognized: 0, other_income: 2100 })
    const [, , byCustomer] = await ask(query, { dimensions: ['currency'] })
    expect(byCustomer).toMatchObject({ currency: 'USD', recognized: 6000, other_income: 6233 })
  })

  it('close the books: other income is an account, which the journal moves', async () => {
    const asked = { query_type: 'trial_balance', revenue_kinds: 'recurring,usage' }
    const accounts = async (params: Params) =>
      new Map((await ask({ ...asked, ...params })).map((row) => [row['account'], Number(row['debit']) - Number(row['credit'])]))
    const closing = await accounts({ at: '2025-04-30' })
    expect([closing.get('revenue'), closing.get('other_income')]).toEqual([-12000 - 3100, -6000 - 1800])
    const [whole, ofRange] = [
      await accounts({ at: '2025-04-30', revenue_kinds: 'all' }),
      await accounts({ ...RANGE, start: '2025-04-01' }),
    ]
    expect([whole.has('other_income'), whole.get('revenue')]).toEqual([false, -12000 - 3100 - 6000 - 1800])
    expect([ofRange.get('revenue'), ofRange.get('other_income'), ofRange.get('retained_earnings')]).toEqual([
      -1867,
      300,
      -(2267 + 1200 + 3733 + 1900 + 4133) - 8100,
    ])
    for (const books of [closing, whole, ofRange]) expect([...books.values()].reduce((sum, one) => sum + one, 0)).toBe(0)
    const { data } = await engine.ledgerList('journal', {
      start: '2025-03-01',
      end: '2025-03-31',
      revenue_kinds: 'recurring,usage',
    })
    const recognized = (data as readonly Row[]).filter(({ kind }) => kind === 'recognition')
    expect(columnsOf(recognized, 'account', 'account_name', 'debit_cents', 'credit_cents')).toEqual([
      ['deferred_revenue', 'Deferred revenue', 4133 + 8100, 0],
      ['revenue', 'Revenue', 0, 4133],
      ['other_income', 'Other income', 0, 8100],
    ])
  })

  it('are those of the waterfall, of corrections and of the bridge from MRR', async () => {
    const kinds = { revenue_kinds: 'recurring,usage' }
    const cells = await ask({ query_type: 'waterfall', ...RANGE, ...kinds })
    const columns = new Map<unknown, number>()
    for (const row of cells)
      columns.set(row['recognized_month'], (columns.get(row['recognized_month']) ?? 0) + Number(row['recognized']))
    expect([...columns]).toEqual([
      ['2025-01-01', 3467],
      ['2025-02-01', 5633],
      ['2025-03-01', 4133],
      ['2025-04-01', 1867],
    ])
    const corrections = await ask({ query_type: 'corrections', ...MONTHS, known_at: '2025-02-10', end: '2025-03-31', ...kinds })
    expect(columnsOf(corrections, 'recognized_then', 'recognized_now', 'difference')).toEqual([
      [2267, 3467, 1200],
      [3733, 5633, 1900],
      [4133, 4133, 0],
    ])
  })

  it('are one step of a bridge between definition sets, and its rows are the charges (D70)', async () => {
    const asked = { query_type: 'recognized', ...RANGE }
    expect(await ask(asked)).toBe(12000 + 3100 + 6000 + 1800)
    expect(await ask({ ...asked, definitions: 'plain' })).toBe(12000 + 3100)
    const bridge = { ...asked, start: '2025-02-01', end: '2025-03-31', from: 'default', to: 'monthly' }
    // By month, a quarter has 40.00 in January, February and March. Usage has 31.00 in January, and the training 30.00 in March.
    expect((await engine.bridge('ledger', bridge)).data).toMatchObject({
      measure: 'recognized',
      from: { value: 3733 + 1900 + 4133 + 8100 },
      to: { value: 0 },
      steps: [
        { option: 'spread', value: 8000 + 9000, difference: 8000 + 9000 - (3733 + 1900 + 4133 + 8100) },
        { option: 'revenue_kinds', from: 'all', to: 'usage', value: 0, difference: -17000 },
      ],
      residual: 0,
    })
    const step = async (bridge_step: string) =>
      (await engine.metricRows('ledger', { ...bridge, bridge_step })).data as {
        readonly sum: number
        readonly rows: readonly { readonly document_id: string; readonly before: number; readonly after: number }[]
      }
    const [spread, kinds] = [await step('spread'), await step('revenue_kinds')]
    const changes = ({ rows }: typeof spread) => rows.map((row) => [row.document_id, row.before, row.after])
    expect([spread.sum, changes(spread)]).toEqual([
      17000 - 17866,
      [
        [USAGE, 1900, 0],
        [LOWERED, 2100, 3000],
        [QUARTERLY, 7866, 8000],
      ],
    ])
    expect([kinds.sum, changes(kinds)]).toEqual([
      -17000,
      [
        [QUARTERLY, 8000, 0],
        [SET_UP, 6000, 0],
        [LOWERED, 3000, 0],
      ],
    ])
  })

  it('are refused if they are unknown, repeated or none, and by a query that they do not change', async () => {
    for (const revenue_kinds of ['tax', 'recurring,recurring', 'recurring,', 'all,usage', 'Recurring'])
      await expect(ask({ query_type: 'revenue', ...RANGE, revenue_kinds })).rejects.toMatchObject({
        issues: [
          {
            code: 'invalid_value',
            where: 'params.revenue_kinds',
            message: expect.stringContaining('all, or some of recurring, usage, fixed, one_off, separated by commas'),
          },
        ],
      })
    await expect(ask({ query_type: 'deferred', revenue_kinds: 'usage' })).rejects.toMatchObject({ code: 'invalid_value' })
    const order = { query_type: 'revenue', ...MONTHS }
    expect(await ask({ ...order, revenue_kinds: 'usage,recurring' })).toEqual(await ask({ ...order, definitions: 'plain' }))
  })

  it('hold the identities of verify', async () => {
    const checks = ['books_roll_forward', 'books_balance', 'books_add_up']
    const { database } = await fillDatabase(target, ledgerRows([{ currency: 'USD' }], INVOICES))
    const own = await engineOver(database, {
      now: new Date('2025-07-05T00:00:00Z'),
      definitions: { revenue_kinds: 'usage,fixed' },
    })
    const report = await own.verification.run({ ...RANGE, check: checks })
    expect(report.checks.map(({ name, ok, is_complete }) => [name, ok, is_complete])).toEqual(
      expect.arrayContaining(checks.map((name) => [name, true, true])),
    )
    await own.close()
  })
})
