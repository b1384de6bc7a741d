import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { recordedTenants } from '../support/data/recorded/recorded-tenants.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { engineOver, expectedNumbers } from '../support/product/recorded-engine.ts'

type Numbers = Record<string, number>
type Row = Record<string, string | number | null>
type OfCurrency<T> = Record<string, T>

interface Expected {
  readonly months: Record<string, OfCurrency<{ revenue: Numbers; by_kind: Numbers; receivables: Numbers; credits: Numbers }>>
  readonly months_base: Record<string, Numbers & { by_kind: Numbers }>
  readonly range: { start: string; end: string; currencies: OfCurrency<Numbers>; base: Numbers }
  readonly receivables: Record<string, OfCurrency<Record<string, Numbers>>>
  readonly receivables_net_30: Record<string, OfCurrency<Record<string, Numbers>>>
  readonly trial_balance: Record<string, OfCurrency<Numbers>>
  readonly waterfall: OfCurrency<Record<string, { booked?: number; adjusted?: number; recognized: Numbers; remaining: number }>>
  readonly on_invoice: Record<string, OfCurrency<Numbers>>
  readonly spread_month: Record<string, OfCurrency<Numbers>>
  readonly known_at: Record<string, OfCurrency<Numbers>>
  readonly recognized_by_customer_base: Record<string, Numbers>
}

const FULL = { start: '2024-11-01', end: '2026-10-31' }

oneEngineInRotation('the ledger of the recorded tenants', (target) => {
  const engines = new Map<string, Engine>()
  beforeAll(async () => {
    const database = await sharedReal(target)
    for (const tenant of recordedTenants(target)) engines.set(tenant, await engineOver(database, { tenant: [tenant] }))
  })

  describe.each(recordedTenants(target))('%s', (tenant) => {
    const expected = expectedNumbers<Expected>(tenant, 'ledger')
    const ask = async (query_type: string, params: Record<string, unknown>, dimensions: readonly string[] = []) => {
      const engine = engines.get(tenant)
      if (engine === undefined) throw new Error(`no engine for ${tenant}`)
      const spec = dimensions.length === 0 ? {} : { dimensions }
      return (await engine.query('ledger', { query_type, ...params }, spec)).data as Row[]
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
          found[String(currency)] = { ...found[String(currency)], [String(account)]: Number(debit) - Number(credit) }
        }
        expect(found, at).toEqual(currencies)
        for (const [currency, books] of Object.entries(found))
          expect(
            Object.values(books).reduce((sum, amount) => sum + amount, 0),
            `${at} ${currency}`,
          ).toBe(0)
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
            expect(own[0], `${currency} ${month}`).toMatchObject({ booked: charged, adjusted, remaining })
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
        const [year, number] = month.split('-').map(Number)
        const end = new Date(Date.UTC(year ?? 0, number ?? 0, 0)).toISOString().slice(0, 10)
        const rows = await byCurrency('revenue', { start: `${month}-01`, end, known_at })
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
  })
})
