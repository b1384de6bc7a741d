import { expect, it } from 'vitest'
import { groupBy } from '../../../src/core/group-by.ts'
import { ACCOUNT_NAMES, type AccountName } from '../../../src/core/ledger-accounts.ts'
import type { Engine } from '../../../src/engine/engine.ts'

type Numbers = Record<string, number>
type Row = Record<string, string | number | null>
type OfCurrency<T> = Record<string, T>

interface ExpectedInvoice {
  readonly invoice_id: string
  readonly currency: string
  readonly days_past_due: number
  readonly bucket: string
  readonly balance_cents: number
  readonly balance_base_cents: number
}

/** Numbers of an independent program, in cents. */
export interface ExpectedLedger {
  readonly months: Record<
    string,
    OfCurrency<{
      revenue: Numbers
      by_kind: Numbers
      receivables: Numbers
      credits: Numbers
    }>
  >
  readonly months_base: Record<string, Numbers & { by_kind: Numbers }>
  readonly range: {
    start: string
    end: string
    currencies: OfCurrency<Numbers>
    base: Numbers
  }
  readonly receivables: Record<string, OfCurrency<Record<string, Numbers>>>
  readonly receivables_net_30: Record<string, OfCurrency<Record<string, Numbers>>>
  readonly open_invoices: Record<string, readonly ExpectedInvoice[]>
  readonly trial_balance: Record<string, OfCurrency<Numbers>>
  readonly waterfall: OfCurrency<
    Record<
      string,
      {
        booked?: number
        adjusted?: number
        recognized: Numbers
        remaining: number
      }
    >
  >
  readonly on_invoice: Record<string, OfCurrency<Numbers>>
  readonly spread_month: Record<string, OfCurrency<Numbers>>
  readonly known_at: Record<string, OfCurrency<Numbers>>
  readonly recognized_by_customer_base: Record<string, Numbers>
}

const ALL = { limit: 1000 }

/** Debit less credit by account. */
function sides(rows: readonly Row[], debit: string, credit: string): Numbers {
  const found: Numbers = {}
  for (const row of rows) {
    const account = String(row['account'])
    found[account] = (found[account] ?? 0) + Number(row[debit]) - Number(row[credit])
  }
  return Object.fromEntries(Object.entries(found).filter(([, cents]) => cents !== 0))
}

function monthEnd(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

const FULL = { start: '2024-11-01', end: '2026-10-31' }

/** The account of a line in the file of a layout, and debit less credit in units. */
const MOVEMENTS: Readonly<Record<string, (line: Row) => readonly [account: string, amount: number]>> = {
  quickbooks: (line) => [String(line['AccountName']), Number(line['Debits'] ?? 0) - Number(line['Credits'] ?? 0)],
  xero: (line) => [String(line['*AccountCode']), Number(line['*Amount'])],
  netsuite: (line) => [
    String(line['Journal Entry - Line: Account']),
    Number(line['Journal Entry - Line: Debit'] ?? 0) - Number(line['Journal Entry - Line: Credit'] ?? 0),
  ],
}

/** Compares the ledger with numbers of an independent program. */
export function compareLedger(expected: ExpectedLedger, engine: () => Engine): void {
  const ask = async (query_type: string, params: Record<string, unknown>, dimensions: readonly string[] = []) => {
    const spec = dimensions.length === 0 ? {} : { dimensions }
    return (await engine().query('ledger', { query_type, ...params }, spec)).data as Row[]
  }
  const byCurrency = async (...request: Parameters<typeof ask>) => {
    const rows = await ask(request[0], request[1], ['currency', ...(request[2] ?? [])])
    return rows
  }

  it('rolls deferred revenue forward in each month and currency (R9, R10)', async () => {
    const rows = await byCurrency('revenue', FULL)
    for (const [month, currencies] of Object.entries(expected.months))
      for (const [currency, { revenue }] of Object.entries(currencies))
        expect(
          rows.find((row) => row['period'] === `${month}-01` && row['currency'] === currency),
          `${month} ${currency}`,
        ).toMatchObject(revenue)
  })

  it('has the revenue of each kind (R26)', async () => {
    const rows = await byCurrency('revenue', FULL, ['charge_kind'])
    for (const [month, currencies] of Object.entries(expected.months))
      for (const [currency, { by_kind }] of Object.entries(currencies))
        for (const [kind, recognized] of Object.entries(by_kind)) {
          const found = rows.find(
            (row) =>
              row['period'] === `${month}-01` &&
              row['currency'] === currency &&
              row['charge_kind'] === kind.replace('external_charge', 'one_off'),
          )
          expect(found?.['recognized'] ?? 0, `${month} ${currency} ${kind}`).toBe(recognized)
        }
  })

  it('has revenue of some kinds and other income of the others, which are the whole (D101)', async () => {
    const [whole, divided] = [
      await byCurrency('revenue', FULL),
      await byCurrency('revenue', { ...FULL, revenue_kinds: 'recurring,usage' }),
    ]
    const at = (rows: readonly Row[], period: string, currency: string) =>
      rows.find((row) => row['period'] === period && row['currency'] === currency)
    let others = 0
    for (const [month, currencies] of Object.entries(expected.months))
      for (const [currency, { by_kind }] of Object.entries(currencies)) {
        const { recurring = 0, usage = 0, ...rest } = by_kind
        const other_income = Object.values(rest).reduce((sum, cents) => sum + cents, 0)
        const wanted = at(whole, `${month}-01`, currency)
        const { recognized, catch_up: _part, ...kept } = wanted ?? {}
        if (wanted !== undefined) expect(Number(recognized), `${month} ${currency}`).toBe(recurring + usage + other_income)
        expect(at(divided, `${month}-01`, currency) ?? { recognized: 0, other_income: 0 }, `${month} ${currency}`).toMatchObject({
          ...kept,
          recognized: recurring + usage,
          other_income,
        })
        others += Math.abs(other_income)
      }
    expect(others).toBeGreaterThan(0)
  })

  it('has the movements of receivables and of credit (R13, R20, J5)', async () => {
    const movements = await byCurrency('movements', FULL)
    const credits = await byCurrency('credits', FULL)
    const of = (rows: readonly Row[], month: string, currency: string) =>
      rows.find((row) => row['period'] === `${month}-01` && row['currency'] === currency)
    for (const [month, currencies] of Object.entries(expected.months))
      for (const [currency, wanted] of Object.entries(currencies)) {
        expect(of(movements, month, currency), `${month} ${currency}`).toMatchObject({
          ...wanted.receivables,
          fx_difference: 0,
        })
        expect(of(credits, month, currency), `${month} ${currency}`).toMatchObject(wanted.credits)
      }
  })

  it('has the base currency of each month (R24)', async () => {
    const [revenue, kinds, movements] = [
      await ask('revenue', FULL),
      await ask('revenue', FULL, ['charge_kind']),
      await ask('movements', FULL),
    ]
    for (const [month, { by_kind, ...wanted }] of Object.entries(expected.months_base)) {
      const of = (rows: readonly Row[]) => rows.filter((row) => row['period'] === `${month}-01`)
      expect({ ...of(movements)[0], ...of(revenue)[0] }, month).toMatchObject(wanted)
      const found = Object.fromEntries(of(kinds).map((row) => [row['charge_kind'], row['recognized']]))
      const { external_charge: one_off, ...others } = by_kind
      for (const [kind, recognized] of Object.entries({ ...others, one_off }))
        expect(found[kind] ?? 0, `${month} ${kind}`).toBe(recognized)
    }
  })

  it('has a range of days (R9)', async () => {
    const { start, end, currencies, base } = expected.range
    const range = { start, end, interval: 'year' }
    const rows = await byCurrency('revenue', range)
    for (const [currency, wanted] of Object.entries(currencies))
      expect(
        rows.find((row) => row['currency'] === currency),
        currency,
      ).toMatchObject(wanted)
    expect((await ask('revenue', range))[0]).toMatchObject(base)
  })

  it.each([
    ['receivables', {}],
    ['receivables_net_30', { net_terms: 30 }],
  ] as const)('has the ages of past days: %s (R17, R18)', async (key, params) => {
    for (const [at, currencies] of Object.entries(expected[key])) {
      const rows = await byCurrency('receivables', { at, ...params })
      const total = await ask('receivables', { at, ...params })
      for (const [currency, ages] of Object.entries(currencies))
        for (const [age, wanted] of Object.entries(ages)) {
          const found = (currency === 'base' ? total : rows).find(
            (row) => row['age'] === age && (currency === 'base' || row['currency'] === currency),
          )
          expect(found ?? { invoices: 0, balance: 0, reopened: 0 }, `${at} ${currency} ${age}`).toMatchObject(wanted)
        }
    }
  })

  it('has the trial balance of past days, and it sums to 0 (R21, J1)', async () => {
    for (const [at, currencies] of Object.entries(expected.trial_balance)) {
      const rows = await byCurrency('trial_balance', { at })
      const found: Record<string, Numbers> = {}
      for (const { account, currency, debit, credit } of rows) {
        if (debit === credit) continue
        found[String(currency)] = {
          ...found[String(currency)],
          [String(account)]: Number(debit) - Number(credit),
        }
      }
      expect(found, at).toEqual(currencies)
      for (const [currency, books] of Object.entries(found))
        expect(
          Object.values(books).reduce((sum, amount) => sum + amount, 0),
          `${at} ${currency}`,
        ).toBe(0)
    }
  })

  const list = async (name: 'open_invoices' | 'journal' | 'schedule', params: Record<string, unknown>) => {
    return (await engine().ledgerList(name, params)).data
  }

  it('lists the open invoices of past days, and they add up to receivables (R13 to R18)', async () => {
    for (const [at, wanted] of Object.entries(expected.open_invoices)) {
      const { rows, total } = (await list('open_invoices', { ...ALL, at })) as {
        rows: Row[]
        total: number
      }
      const shown = rows.map(({ invoice_id, currency, days_past_due, age, balance_cents, balance_base_cents }) => {
        return {
          invoice_id,
          currency,
          days_past_due,
          bucket: age,
          balance_cents,
          balance_base_cents,
        }
      })
      const inOrder = (list: readonly { invoice_id?: unknown }[]) =>
        [...list].sort((a, b) => (String(a.invoice_id) < String(b.invoice_id) ? -1 : 1))
      expect(inOrder(shown), at).toEqual(inOrder(wanted))
      expect(total).toBe(wanted.length)
      expect(rows.map((row) => row['issued_on'])).toEqual(rows.map((row) => row['issued_on']).sort())
      const ages = await ask('receivables', { at })
      for (const { age, invoices, balance } of ages) {
        const own = rows.filter((row) => row['age'] === age)
        expect(own.length, `${at} ${age}`).toBe(invoices)
        expect(
          own.reduce((sum, row) => sum + Number(row['balance_base_cents']), 0),
          `${at} ${age}`,
        ).toBe(balance)
      }
    }
  })

  it('writes journals that move the trial balance as their month did, in base and in each currency (R21)', async () => {
    const months = Object.keys(expected.months).slice(-2)
    for (const month of months) {
      const range = { start: `${month}-01`, end: monthEnd(month) }
      const before = monthEnd(new Date(Date.parse(`${month}-01T00:00:00Z`) - 1).toISOString().slice(0, 7))
      const moved = (later: Numbers, earlier: Numbers) =>
        Object.fromEntries(
          [...new Set([...Object.keys(later), ...Object.keys(earlier)])]
            .map((account) => [account, (later[account] ?? 0) - (earlier[account] ?? 0)] as const)
            .filter(([, cents]) => cents !== 0),
        )
      const [opening, closing] = [await ask('trial_balance', { at: before }), await ask('trial_balance', { at: range.end })]
      const base = moved(sides(closing, 'debit', 'credit'), sides(opening, 'debit', 'credit'))
      for (const summarize of month === months[0] ? ['month', 'none'] : ['month', 'day']) {
        const lines = (await list('journal', { ...range, summarize })) as Row[]
        expect(sides(lines, 'debit_cents', 'credit_cents'), `${month} by ${summarize}`).toEqual(base)
        for (const [entry, own] of groupBy(lines, (line) => String(line['entry'])))
          expect(
            own.reduce((sum, line) => sum + Number(line['debit_cents']) - Number(line['credit_cents']), 0),
            String(entry),
          ).toBe(0)
      }
      for (const [layout, movement] of Object.entries(MOVEMENTS)) {
        const { file } = await engine().ledgerList('journal', { ...range, layout })
        const found: Numbers = {}
        for (const line of (file?.data ?? []) as readonly Row[]) {
          const [name, amount] = movement(line)
          found[name] = (found[name] ?? 0) + Math.round(100 * amount)
        }
        const wanted = Object.entries(base).map(([account, cents]) => [ACCOUNT_NAMES[account as AccountName], cents])
        expect(found, `${month} as ${layout}`).toEqual(Object.fromEntries(wanted))
      }
      const ofCurrency = (rows: readonly Row[], currency: string) =>
        sides(
          rows.filter((row) => row['currency'] === currency),
          'debit',
          'credit',
        )
      const [then, now] = [
        await byCurrency('trial_balance', { at: before }),
        await byCurrency('trial_balance', { at: range.end }),
      ]
      for (const currency of new Set(now.map((row) => String(row['currency'])))) {
        const lines = (await list('journal', { ...range, currency })) as Row[]
        expect(sides(lines, 'debit_cents', 'credit_cents'), `${month} ${currency}`).toEqual(
          moved(ofCurrency(now, currency), ofCurrency(then, currency)),
        )
        expect(lines.every((line) => line['currency'] === currency && line['kind'] !== 'fx')).toBe(true)
      }
    }
  })

  it('has the waterfall (R11, J10)', async () => {
    const rows = await byCurrency('waterfall', FULL)
    for (const [currency, booked] of Object.entries(expected.waterfall))
      for (const [month, wanted] of Object.entries(booked)) {
        const key = month === 'unbilled' ? null : `${month}-01`
        const own = rows.filter((row) => row['currency'] === currency && row['booked_month'] === key)
        const recognized = Object.fromEntries(
          own
            .filter((row) => row['recognized'] !== 0)
            .map((row) => [String(row['recognized_month']).slice(0, 7), row['recognized']]),
        )
        const nonZero = Object.fromEntries(Object.entries(wanted.recognized ?? wanted).filter(([, amount]) => amount !== 0))
        expect(recognized, `${currency} ${month}`).toEqual(nonZero)
        if (key !== null) {
          const { booked: charged, adjusted, remaining } = wanted
          expect(own[0], `${currency} ${month}`).toMatchObject({
            booked: charged,
            adjusted,
            remaining,
          })
        }
      }
  })

  it.each([
    ['on_invoice', { unbilled: 'on_invoice' }],
    ['spread_month', { spread: 'month' }],
  ] as const)('has the months with the option %s (R6, R8)', async (key, params) => {
    const rows = await byCurrency('revenue', { ...FULL, ...params })
    for (const [month, currencies] of Object.entries(expected[key]))
      for (const [currency, wanted] of Object.entries(currencies))
        expect(
          rows.find((row) => row['period'] === `${month}-01` && row['currency'] === currency),
          `${month} ${currency}`,
        ).toMatchObject(wanted)
  })

  it('has months as they were known on a day (R22)', async () => {
    for (const [key, currencies] of Object.entries(expected.known_at)) {
      const [month = '', known_at = ''] = key.split(' at ')
      const rows = await byCurrency('revenue', {
        start: `${month}-01`,
        end: monthEnd(month),
        known_at,
      })
      for (const [currency, wanted] of Object.entries(currencies))
        expect(
          rows.find((row) => row['currency'] === currency),
          `${key} ${currency}`,
        ).toMatchObject(wanted)
    }
  })

  it('has the revenue of each customer (R26)', async () => {
    const rows = await ask('revenue', FULL, ['customer_id'])
    for (const [month, wanted] of Object.entries(expected.recognized_by_customer_base)) {
      const own = rows.filter((row) => row['period'] === `${month}-01` && row['recognized'] !== 0)
      const nonZero = Object.entries(wanted).filter(([, amount]) => amount !== 0)
      expect(Object.fromEntries(own.map((row) => [row['customer_id'], row['recognized']])), month).toEqual(
        Object.fromEntries(nonZero),
      )
    }
  })
}
