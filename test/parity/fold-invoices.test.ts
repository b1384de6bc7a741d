import Big from 'big.js'
import { describe, expect, it } from 'vitest'
import { CONTROL_TAGS } from '../../connectors/killbill/control-tags.ts'
import { realJson } from '../support/data/recorded/recorded-files.ts'
import { realRates, realTables } from '../support/data/recorded/recorded-tables.ts'
import { foldReal, isoInstant, mapValues, nonZero, ofTenant, sorted } from '../support/oracles/fold/fold-recorded.ts'
import { baseCents, rateTable } from '../support/oracles/killbill/fold/rates.ts'

const customers = foldReal()

interface PaidInvoice {
  readonly invoice_id: string
  readonly paid_at: string
  readonly amount: string
  readonly base_cents: number
}

type Figures = Readonly<Record<string, unknown>>

describe.each(['alpha', 'beta'] as const)('%s: invoices folded beside the independent program', (tenant) => {
  const own = ofTenant(customers, tenant)
  const { usage_revenue: usageRevenue } = realJson<{ usage_revenue: Record<string, Figures> }>(
    `expected/${tenant}/metrics.json.gz`,
  )

  it('paid invoices (D52 to D54)', () => {
    // The independent program lists those of TEST accounts too; D16 leaves them out of every list, so they are asked for here.
    const expected = realJson<PaidInvoice[]>(`expected/${tenant}/paid_invoices.json.gz`)
    const everybody = foldReal({ test_accounts: 'include' })
    const actual = ofTenant(everybody, tenant)
      .flatMap((customer) => customer.paid_invoices)
      .map(({ invoice_id, paid_at, amount, currency }) => ({
        invoice_id,
        paid_at: isoInstant(paid_at),
        amount: amount.toFixed(),
        base_cents: baseCents(amount.times(100).toNumber(), currency, paid_at.slice(0, 10), rateTable(realRates, 'USD')),
      }))
    expect(sorted(actual)).toEqual(sorted(expected.map((row) => ({ ...row, amount: new Big(row.amount).toFixed() }))))
    const testAccounts = own.filter((customer) => isTestAccount(String(customer.account['id'])))
    expect(testAccounts.length).toBe(tenant === 'alpha' ? 10 : 0)
    expect(testAccounts.flatMap((customer) => [...customer.spans, ...customer.paid_invoices])).toEqual([])
  })

  it('usage revenue (D55, D59)', () => {
    const charges = own.flatMap((customer) =>
      customer.usage_charges.map((charge) => ({
        ...charge,
        customer: String(customer.account['external_key']),
        base: baseCents(charge.cents, charge.currency, charge.paid_at.slice(0, 10), rateTable(realRates, 'USD')) ?? Number.NaN,
      })),
    )
    const actual = mapValues(usageRevenue, (key) => {
      const [start = '', end = ''] = key.split('..')
      const inRange = charges.filter((charge) => charge.date >= start && charge.date <= end)
      return {
        total_base_cents: inRange.reduce((sum, charge) => sum + charge.base, 0),
        charges: inRange.length,
        series: nonZero(sumBy(inRange, (charge) => `${charge.date.slice(0, 7)}-01`)),
        by_customer: nonZero(sumBy(inRange, (charge) => charge.customer)),
      }
    })
    const comparable = mapValues(usageRevenue, (_, { total_base_cents, charges: count, series, by_customer }) => ({
      total_base_cents,
      charges: count,
      series: nonZero(series as Record<string, number>),
      by_customer: nonZero(by_customer as Record<string, number>),
    }))
    expect(actual).toEqual(comparable)
  })
})

function isTestAccount(id: string): boolean {
  return realTables('tags').some(
    (tag) => tag['object_id'] === id && tag['tag_definition_id'] === CONTROL_TAGS.TEST && tag['is_active'] === true,
  )
}

function sumBy<T extends { readonly base: number }>(rows: readonly T[], keyOfRow: (row: T) => string): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const row of rows) sums[keyOfRow(row)] = (sums[keyOfRow(row)] ?? 0) + row.base
  return sums
}
