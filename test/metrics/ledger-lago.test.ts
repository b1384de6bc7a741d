import { beforeAll, expect, it } from 'vitest'
import { lagoGrants } from '../../connectors/lago/grants.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { fillLedgerOfLago } from '../support/data/lago/ledger-rows.ts'
import { workedId } from '../support/data/lago/worked-rows.ts'
import { createRole } from '../support/databases/restricted-role.ts'
import { onPostgres, type TestDatabase } from '../support/databases/targets.ts'
import { lagoEngine } from '../support/product/lago-engine.ts'

type Row = Record<string, string | number | null>

const NOW = new Date('2025-07-05T00:00:00Z')
const YEAR = { start: '2025-01-01', end: '2025-06-30' }

onPostgres('the ledger of Lago, case by case', (target) => {
  let database: TestDatabase
  let engine: Engine
  beforeAll(async () => {
    database = await target.createDatabase()
    await fillLedgerOfLago(database)
    engine = await lagoEngine(database, { now: NOW, rates: 'date,from,to,rate\n' })
  })
  const ask = async (query_type: string, params: Row) => (await engine.query('ledger', { query_type, ...params })).data as Row[]
  const columns = async (query_type: string, params: Row, names: readonly string[]) => {
    const rows = await ask(query_type, params)
    return Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])]))
  }

  it('spreads fees without their coupons, and takes credit notes off by their items (R5 to R10)', async () => {
    const wanted = {
      billed: [13_500, 0, 0, 3000, 11_600, 13_100],
      adjusted: [0, 0, -3600, 0, -2000, 0],
      // January: 17 of 90 days, and the setup. April: usage that is billed in May. June: 12.00 of it are on the progressive invoice.
      recognized: [6200, 2800, 60, 9840, 3600, 15_900],
      closing_unbilled: [0, 0, 0, 6000, 0, 2800],
      closing_deferred: [7300, 4500, 840, 0, 0, 0],
    }
    expect(await columns('revenue', YEAR, Object.keys(wanted))).toEqual(wanted)
  })

  it('rolls receivables, cash and credit forward (R13 to R20, J5, J6)', async () => {
    const movements = {
      tax: [1350, 0, -360, 0, 400, 0],
      credits_granted: [0, 0, 0, 0, 0, -1500],
      credits_issued: [0, 0, 2970, 0, 5000, 3000],
      credits_applied: [0, 0, 0, -2970, 0, -2500],
      collected: [0, 14_850, 0, 30, 5000, 20_000],
      refunded: [0, 0, -990, 0, 0, 0],
      charged_back: [0, 0, 0, 0, 0, -7000],
      written_off: [0, 0, 0, 0, 0, 0],
      closing_receivables: [14_850, 0, 0, 0, 10_000, 9100],
    }
    expect(await columns('movements', YEAR, Object.keys(movements))).toEqual(movements)
    expect(await columns('credits', YEAR, ['closing_credits'])).toEqual({ closing_credits: [0, 0, 2970, 0, 5000, 5500] })
  })

  it('balances the books (R21, J1)', async () => {
    const books = (await ask('trial_balance', { at: '2025-06-30' })).map(
      ({ account, debit, credit }) => [account, Number(debit) - Number(credit)] as const,
    )
    expect(Object.fromEntries(books.filter(([, cents]) => cents !== 0))).toEqual({
      accounts_receivable: 9100,
      unbilled_receivables: 2800,
      cash: 31_890,
      credits_granted: 1500,
      revenue: -38_400,
      tax_payable: -1390,
      customer_credits: -5500,
    })
  })

  it('ages open invoices from their due days (R17)', async () => {
    const { rows } = (await engine.ledgerList('open_invoices', { at: '2025-06-30' })).data as { rows: Row[] }
    const names = ['number', 'issued_on', 'due_on', 'age', 'balance_cents', 'reopened_cents']
    expect(rows.map((row) => names.map((name) => row[name]))).toEqual([
      ['disputed', '2025-06-12', '2025-06-12', '1-30', 7000, 7000],
      ['progressive', '2025-06-15', '2025-07-15', 'current', 1200, 0],
      ['advance', '2025-06-21', '2025-06-21', '1-30', 900, 0],
    ])
    // The credit note of March opens the invoice below 0, until the money has gone back.
    const march = (await engine.ledgerList('open_invoices', { at: '2025-03-09' })).data as { rows: Row[] }
    expect(march.rows.map((row) => [row['number'], row['balance_cents']])).toEqual([['coupon', -990]])
    const june = (await engine.ledgerList('open_invoices', { at: '2025-06-09' })).data as { rows: Row[] }
    expect(june.rows.map((row) => [row['number'], row['balance_cents']])).toEqual([
      ['arrears', 4400],
      ['requested', 5600],
      ['voided', 3000],
    ])
  })

  it('takes a voided invoice out on the local day of the void (R1, R3)', async () => {
    const days = { start: '2025-06-20', end: '2025-06-22', interval: 'day' }
    const rows = (
      await engine.query(
        'ledger',
        { query_type: 'revenue', ...days },
        { dimensions: ['invoice_id'], filters: { invoice_id: workedId('voided') } },
      )
    ).data as Row[]
    expect(rows.map((row) => [row['billed'], row['recognized']])).toEqual([
      [0, 100],
      [-3000, -2000],
      [0, 0],
    ])
  })

  it('shows each charge with its subscription and plan', async () => {
    const { rows } = (await engine.ledgerList('schedule', { subscription_id: workedId('subscription of A') })).data as {
      rows: Row[]
    }
    expect(new Set(rows.map((row) => row['invoice_id']))).toEqual(
      new Set(['coupon', 'credited', 'arrears', 'progressive', 'whole'].map(workedId)),
    )
    const { data } = await engine.query('ledger', { query_type: 'revenue', ...YEAR, interval: 'year' }, { dimensions: ['plan'] })
    // Without a plan are the setup, training, import, repair and advice, of which the repair was voided.
    expect((data as Row[]).map((row) => [row['plan'], row['recognized']])).toEqual([
      ['pro', 38_400 - 4500 - 5600 - 4000 - 7000],
      [null, 4500 + 5600 + 4000 + 7000],
    ])
  })

  it('keeps every identity that verify checks, and says what is inferred', async () => {
    const { checks } = await engine.verification.run({
      ...YEAR,
      check: ['books_roll_forward', 'books_balance', 'books_add_up', 'books_by_record'],
    })
    for (const { name, ok, count } of checks) expect([name, ok, count > 0]).toEqual([name, true, true])
    // The list of invoices has what Lago says was paid, and the books its payments.
    expect(checks.at(-1)?.message).toContain('invoices were not compared')
    const { meta } = await engine.query('ledger', { query_type: 'cash', ...YEAR })
    expect(meta.warnings.map(({ code }) => code)).toContain('inferred')
  })

  it.each([
    ['revenue', 'recognized', '2025-01-01', 6200, ['add-on of 50 USD', 'subscription fee of 100 USD from 2025-01-15T00:00:00Z']],
    ['movements', 'adjusted', '2025-03-01', -3600, ['credit note of 2025-03-01: credit 29.7 USD, refund 9.9 USD']],
    [
      'movements',
      'tax',
      '2025-05-01',
      400,
      ['credit note of 2025-05-10: offset 22 USD', 'invoice arrears of 2025-05-01, 66 USD'],
    ],
    ['credits', 'credits_issued', '2025-05-01', 5000, ['wallet credits of 50 USD', 'provider payment of 50 USD on 2025-05-20']],
    ['cash', 'collected', '2025-06-01', 20_000, ['provider payment of 100 USD on 2025-06-10']],
    ['cash', 'charged_back', '2025-06-01', -7000, ['invoice disputed of 2025-06-12, 70 USD']],
  ] as const)('shows the rows behind %s.%s', async (query_type, measure, period, amount, notes) => {
    type Page = { readonly sum: number; readonly rows: readonly { readonly evidence: readonly { readonly note: string }[] }[] }
    const cell = { query_type, ...YEAR, measure, period }
    const { sum, rows } = (await engine.metricRows('ledger', cell, {})).data as Page
    expect(sum).toBe(amount)
    const told = rows.flatMap(({ evidence }) => evidence.map(({ note }) => note))
    expect(told).toEqual(expect.arrayContaining([...notes]))
    expect(rows.filter(({ evidence }) => evidence.length === 0)).toEqual([])
  })

  it('is refused to a role that may not read all of it, which gets every other metric', async () => {
    const role = await createRole(database, lagoGrants)
    const reader = await lagoEngine(database, { now: NOW, rates: 'date,from,to,rate\n', settings: { url: role.url } })
    const cash = () => reader.query('ledger', { query_type: 'cash', ...YEAR })
    expect((await cash()).data).toHaveLength(6)
    await database.adminQuery(`revoke select on credit_note_items from ${role.grantee}`)
    const message = 'The database role may not read credit_note_items. The ledger is therefore not known.'
    await expect(cash()).rejects.toMatchObject({ code: 'unsupported_by_connector', message })
    expect((await reader.query('mrr')).data).toBe(6000)
    const [finding] = (await reader.check()).filter(({ name }) => name === 'ledger')
    expect(finding?.message).toContain(`${message} If they exist, \`plumbline grants --connector lago`)
    // The statements of the remedy run on a database without the table, too.
    const remedy = {
      dialect: 'postgres',
      user: role.name,
      database: undefined,
      schema: 'public',
      tables: ['fees', 'credit_note_items'],
    } as const
    const run = async () => {
      for (const statement of lagoGrants(remedy)) await database.adminQuery(statement)
    }
    await database.adminQuery('alter table credit_note_items rename to items_elsewhere')
    await run()
    await database.adminQuery('alter table items_elsewhere rename to credit_note_items')
    await expect(cash()).rejects.toMatchObject({ code: 'unsupported_by_connector' })
    await run()
    await reader.close()
    const allowed = await lagoEngine(database, { now: NOW, rates: 'date,from,to,rate\n', settings: { url: role.url } })
    expect((await allowed.query('ledger', { query_type: 'cash', ...YEAR })).data).toHaveLength(6)
    await allowed.close()
    await role.drop()
  })
})
